package modeltest

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
)

// anyConversation sends conversations of any kind that pair: whatever names,
// ids, arguments and contents are in them, the server must accept them.
func (w Wire) anyConversation(t *testing.T) {
	s := w.Start(t, Turn{Text: "fine", Repeat: true})
	client := w.client(t, s, nil)
	if _, err := Collect(t, client.Stream(t.Context(), ask())); err != nil {
		t.Fatal(err)
	}
	s.AllowRefusals() // the check tells of them
	rapid.Check(t, func(rt *rapid.T) {
		req := drawRequest(rt)
		for _, err := range client.Stream(t.Context(), req) {
			if err != nil {
				rt.Fatal(err)
			}
		}
	})
}

var (
	drawWord = rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "\n\t", "read", "a.b", "a/b c", "functions.read:0", "toolu_01", strings.Repeat("x", 90)}),
		rapid.String(),
	)
	drawArgs    = rapid.OneOf(rapid.SampledFrom([]string{"", "{}", `{"a":1}`, `{"a`, "[]", "null", "no", `{"a":1}{}`}), rapid.String())
	drawContent = rapid.Custom(func(t *rapid.T) toolrest.Content {
		return toolrest.Content{
			Kind: rapid.SampledFrom([]toolrest.ContentKind{toolrest.ContentText, toolrest.ContentImage, toolrest.ContentAudio, toolrest.ContentResource}).Draw(t, "kind"),
			Text: drawWord.Draw(t, "text"),
			Data: []byte(rapid.SampledFrom([]string{"", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF89a", "?"}).Draw(t, "data")),
			MIME: rapid.SampledFrom([]string{"", "image/png", "image/jpeg", "image/tiff", "audio/wav"}).Draw(t, "mime"),
			URI:  drawWord.Draw(t, "uri"),
		}
	})
)

func drawRequest(t *rapid.T) *model.Request {
	req := &model.Request{System: drawWord.Draw(t, "system"), Messages: []model.Message{model.User(model.Text("go"))}}
	for _, name := range rapid.SliceOfNDistinct(drawWord, 0, 5, rapid.ID).Draw(t, "tools") {
		req.Tools = append(req.Tools, model.Tool{Name: name, Description: drawWord.Draw(t, "description")})
	}
	for range rapid.IntRange(0, 4).Draw(t, "turns") {
		m, results := drawTurn(t)
		req.Messages = append(req.Messages, m)
		if len(results) > 0 {
			req.Messages = append(req.Messages, model.Results(rapid.Permutation(results).Draw(t, "order")...))
		}
		if len(results) == 0 || rapid.Bool().Draw(t, "steered") {
			req.Messages = append(req.Messages, drawUser(t))
		}
	}
	return req
}

func drawTurn(t *rapid.T) (model.Message, []model.Result) {
	m := model.Message{Role: model.RoleAssistant, From: drawWord.Draw(t, "from")}
	var results []model.Result
	for range rapid.IntRange(0, 4).Draw(t, "blocks") {
		b := model.Block{
			Kind: rapid.SampledFrom([]model.BlockKind{model.BlockText, model.BlockThinking, model.BlockCall}).Draw(t, "kind"),
			Text: drawWord.Draw(t, "text"), Signature: drawWord.Draw(t, "signature"),
		}
		if b.Kind == model.BlockCall {
			b.Call = &model.Call{ID: drawWord.Draw(t, "id"), Name: drawWord.Draw(t, "name"), Args: json.RawMessage(drawArgs.Draw(t, "args"))}
			results = append(results, b.Call.Answer(&toolrest.Result{
				Content: rapid.SliceOfN(drawContent, 0, 3).Draw(t, "content"), IsError: rapid.Bool().Draw(t, "error"),
			}))
		}
		m.Blocks = append(m.Blocks, b)
	}
	return m, results
}

func drawUser(t *rapid.T) model.Message {
	m := model.User(model.Text("x" + drawWord.Draw(t, "text")))
	if rapid.Bool().Draw(t, "image") {
		c := drawContent.Draw(t, "image")
		m.Blocks = append(m.Blocks, model.Image(c.Data, c.MIME))
	}
	return m
}
