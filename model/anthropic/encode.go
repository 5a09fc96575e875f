package anthropic

import (
	"strings"

	"github.com/toolrest/toolrest/model"
)

// What the API accepts as names of tools and as identifiers of calls.
var (
	nameRule = model.Rule{Max: 64, Extra: "_-"}
	idRule   = model.Rule{Max: 64, Extra: "_-"}
)

func (c *Client) encode(req *model.Request) ([]byte, *model.Names, error) {
	arranged, err := model.Arrange(req.Messages)
	if err != nil {
		return nil, nil, err
	}
	names, err := model.NewNames(req.Tools, nameRule)
	if err != nil {
		return nil, nil, err
	}
	tools, err := encodeTools(req.Tools, names)
	if err != nil {
		return nil, nil, err
	}
	limit := req.MaxTokens
	if limit <= 0 {
		limit = c.max
	}
	body := new(model.Object).Set("model", c.end.Ref().Model).Set("max_tokens", limit)
	if strings.TrimSpace(req.System) != "" {
		body.Set("system", req.System)
	}
	if len(tools) > 0 {
		body.Array("tools", tools)
	}
	body.Array("messages", c.encodeMessages(model.WireIDs(arranged, idRule), names))
	return body.Bytes(), names, nil
}

func encodeTools(tools []model.Tool, names *model.Names) ([][]byte, error) {
	var out [][]byte
	for _, t := range tools {
		schema, err := model.SchemaOf(t)
		if err != nil {
			return nil, err
		}
		o := new(model.Object).Set("name", names.Wire(t.Name))
		if t.Description != "" {
			o.Set("description", t.Description)
		}
		out = append(out, o.Raw("input_schema", schema).Bytes())
	}
	return out, nil
}

// encodeMessages knows two roles only: results are the beginning of what the
// user says next.
func (c *Client) encodeMessages(messages []model.Message, names *model.Names) [][]byte {
	type entry struct {
		role   string
		blocks [][]byte
	}
	var entries []entry
	for _, m := range messages {
		role := "user"
		if m.Role == model.RoleAssistant {
			role = "assistant"
		}
		blocks := c.encodeBlocks(m, names)
		if len(blocks) == 0 {
			continue
		}
		if n := len(entries); n > 0 && entries[n-1].role == role {
			entries[n-1].blocks = append(entries[n-1].blocks, blocks...)
			continue
		}
		entries = append(entries, entry{role, blocks})
	}
	var out [][]byte
	for _, e := range entries {
		out = append(out, new(model.Object).Set("role", e.role).Array("content", e.blocks).Bytes())
	}
	return out
}

func (c *Client) encodeBlocks(m model.Message, names *model.Names) [][]byte {
	var out [][]byte
	for _, b := range m.Blocks {
		switch b.Kind {
		case model.BlockText:
			out = append(out, textBlock(b.Text))
		case model.BlockImage:
			out = append(out, partBlock(model.ImagePart(b.Data, b.MIME)))
		case model.BlockThinking:
			if m.From == c.end.Ref().String() {
				out = appendThinking(out, b)
			}
		case model.BlockCall:
			out = append(out, new(model.Object).Set("type", "tool_use").Set("id", b.Call.ID).
				Set("name", names.Wire(b.Call.Name)).Raw("input", model.Arguments(*b.Call)).Bytes())
		case model.BlockResult:
			out = append(out, resultBlock(b.Result))
		}
	}
	return out
}

// appendThinking leaves out thinking that a broken stream left unsigned.
func appendThinking(out [][]byte, b model.Block) [][]byte {
	switch {
	case b.Redacted != "":
		return append(out, new(model.Object).Set("type", "redacted_thinking").Set("data", b.Redacted).Bytes())
	case b.Signature != "":
		return append(out, new(model.Object).Set("type", "thinking").Set("thinking", b.Text).Set("signature", b.Signature).Bytes())
	}
	return out
}

func resultBlock(r *model.Result) []byte {
	o := new(model.Object).Set("type", "tool_result").Set("tool_use_id", r.CallID)
	var content [][]byte
	for _, p := range model.Parts(r.Content) {
		content = append(content, partBlock(p))
	}
	if len(content) > 0 {
		o.Array("content", content)
	}
	if r.IsError {
		o.Set("is_error", true)
	}
	return o.Bytes()
}

func partBlock(p model.Part) []byte {
	if p.Image == nil {
		return textBlock(p.Text)
	}
	source := new(model.Object).Set("type", "base64").Set("media_type", p.MIME).Set("data", p.Image)
	return new(model.Object).Set("type", "image").Raw("source", source.Bytes()).Bytes()
}

func textBlock(s string) []byte {
	return new(model.Object).Set("type", "text").Set("text", s).Bytes()
}
