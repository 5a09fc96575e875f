package openai

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/model"
)

// What the API accepts as names of tools and as identifiers of calls.
var (
	nameRule = model.Rule{Max: 64, Extra: "_-"}
	idRule   = model.Rule{Max: 40, Extra: "_-.:"}
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
	body := new(model.Object).Set("model", c.end.Ref().Model)
	c.limits(body, req)
	if len(tools) > 0 {
		body.Array("tools", tools)
	}
	w := writer{names: names}
	if strings.TrimSpace(req.System) != "" {
		w.add(new(model.Object).Set("role", "system").Set("content", req.System))
	}
	for _, m := range model.WireIDs(arranged, idRule) {
		w.write(m)
	}
	body.Array("messages", w.finish())
	body.Raw("stream_options", []byte(`{"include_usage":true}`))
	return body.Bytes(), names, nil
}

// limits knows where the vendor's own models differ from what all others
// understand.
func (c *Client) limits(body *model.Object, req *model.Request) {
	limit := req.MaxTokens
	if limit <= 0 {
		limit = c.max
	}
	vendor := c.end.Ref().Provider == "openai"
	switch {
	case limit > 0 && vendor:
		body.Set("max_completion_tokens", limit)
	case limit > 0:
		body.Set("max_tokens", limit)
	}
	if vendor && len(req.Tools) > 0 && wantsNoEffort(c.end.Ref().Model) {
		body.Set("reasoning_effort", "none")
	}
}

var generation = regexp.MustCompile(`^gpt-(\d+)(?:\.(\d+))?(?:-|$)`)

// wantsNoEffort reports whether the vendor's model takes tools on this wire
// only when it is told not to reason: all since 5.6 do.
func wantsNoEffort(name string) bool {
	m := generation.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return major > 5 || major == 5 && minor >= 6
}

func encodeTools(tools []model.Tool, names *model.Names) ([][]byte, error) {
	var out [][]byte
	for _, t := range tools {
		schema, err := model.SchemaOf(t)
		if err != nil {
			return nil, err
		}
		f := new(model.Object).Set("name", names.Wire(t.Name))
		if t.Description != "" {
			f.Set("description", t.Description)
		}
		f.Raw("parameters", schema)
		out = append(out, new(model.Object).Set("type", "function").Raw("function", f.Bytes()).Bytes())
	}
	return out, nil
}

// writer collects the messages. What the user says is held back until
// something else follows, so that images of results and the next words share
// one message.
type writer struct {
	names *model.Names
	out   [][]byte
	user  []model.Part
}

func (w *writer) add(o *model.Object) { w.out = append(w.out, o.Bytes()) }

func (w *writer) write(m model.Message) {
	switch m.Role {
	case model.RoleUser:
		for _, b := range m.Blocks {
			if b.Kind == model.BlockImage {
				w.user = append(w.user, model.ImagePart(b.Data, b.MIME))
			} else {
				w.user = append(w.user, model.Part{Text: b.Text})
			}
		}
	case model.RoleAssistant:
		w.assistant(m)
	case model.RoleResults:
		w.flush()
		for _, b := range m.Blocks {
			w.result(b.Result)
		}
	}
}

func (w *writer) assistant(m model.Message) {
	calls, text := m.Calls(), spaced(m)
	if len(calls) == 0 && text == "" {
		return // it held thinking alone
	}
	w.flush()
	o := new(model.Object).Set("role", "assistant")
	if text != "" {
		o.Set("content", text)
	} else {
		o.Raw("content", []byte("null"))
	}
	var encoded [][]byte
	for _, c := range calls {
		f := new(model.Object).Set("name", w.names.Wire(c.Name)).Set("arguments", string(model.Arguments(c)))
		encoded = append(encoded, new(model.Object).Set("id", c.ID).Set("type", "function").Raw("function", f.Bytes()).Bytes())
	}
	if len(encoded) > 0 {
		o.Array("tool_calls", encoded)
	}
	w.add(o)
}

// spaced joins the text blocks of an answer, between which thinking stood.
func spaced(m model.Message) string {
	var texts []string
	for _, b := range m.Blocks {
		if b.Kind == model.BlockText {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func (w *writer) result(r *model.Result) {
	var texts []string
	if r.IsError {
		texts = append(texts, "The tool reports an error:")
	}
	images := 0
	for _, p := range model.Parts(r.Content) {
		if p.Image == nil {
			texts = append(texts, p.Text)
			continue
		}
		images++
		label := fmt.Sprintf("image %d of %s, call %s", images, w.names.Wire(r.Name), r.CallID)
		texts = append(texts, "["+label+": it follows after the results]")
		w.user = append(w.user, model.Part{Text: "[" + label + "]"}, p)
	}
	if len(texts) == 0 {
		texts = []string{"(no output)"}
	}
	w.add(new(model.Object).Set("role", "tool").Set("tool_call_id", r.CallID).Set("content", strings.Join(texts, "\n")))
}

func (w *writer) finish() [][]byte {
	w.flush()
	return w.out
}

// flush writes what the user says: text alone as one string, which every
// server takes, and anything with an image as parts.
func (w *writer) flush() {
	parts := w.user
	w.user = nil
	if len(parts) == 0 {
		return
	}
	var texts []string
	var encoded [][]byte
	for _, p := range parts {
		encoded = append(encoded, encodePart(p))
		if p.Image == nil {
			texts = append(texts, p.Text)
		}
	}
	o := new(model.Object).Set("role", "user")
	if len(texts) == len(parts) {
		o.Set("content", strings.Join(texts, "\n\n"))
	} else {
		o.Array("content", encoded)
	}
	w.add(o)
}

func encodePart(p model.Part) []byte {
	if p.Image == nil {
		return new(model.Object).Set("type", "text").Set("text", p.Text).Bytes()
	}
	url := new(model.Object).Set("url", "data:"+p.MIME+";base64,"+base64.StdEncoding.EncodeToString(p.Image))
	return new(model.Object).Set("type", "image_url").Raw("image_url", url.Bytes()).Bytes()
}
