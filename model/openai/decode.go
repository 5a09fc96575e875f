package openai

import (
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"

	"github.com/toolrest/toolrest/model"
)

// turn reads the chunks of one answer.
type turn struct {
	names *model.Names
	draft model.Draft
	calls map[int64]call // the one that is being written, by index

	reason  string
	refused bool
	usage   model.Usage
}

type call struct {
	given string // the id as the server wrote it
	id    string
}

func (t *turn) read(c sdk.ChatCompletionChunk) []model.Event {
	if c.JSON.Usage.Valid() {
		t.usage = model.Usage{
			Input: c.Usage.PromptTokens, Output: c.Usage.CompletionTokens,
			CacheRead: c.Usage.PromptTokensDetails.CachedTokens,
		}
	}
	var out []model.Event
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		out = append(out, t.delta(choice.Delta)...)
		if choice.FinishReason != "" {
			t.reason = choice.FinishReason
		}
	}
	return out
}

func (t *turn) delta(d sdk.ChatCompletionChunkChoiceDelta) []model.Event {
	var out []model.Event
	if thought := thinking(d); thought != "" {
		out = append(out, t.draft.Thinking(thought))
	}
	if d.Content != "" {
		out = append(out, t.draft.Text(d.Content))
	}
	if d.Refusal != "" {
		t.refused = true
		out = append(out, t.draft.Text(d.Refusal))
	}
	for _, c := range d.ToolCalls {
		out = append(out, t.call(c)...)
	}
	return out
}

// thinking reads the two fields that servers have added for it.
func thinking(d sdk.ChatCompletionChunkChoiceDelta) string {
	for _, field := range []string{"reasoning_content", "reasoning"} {
		var s string
		if raw := d.JSON.ExtraFields[field].Raw(); raw != "" && json.Unmarshal([]byte(raw), &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// call begins a call where an index or an id is new: some servers give every
// call the index 0, and some repeat the id with every piece.
func (t *turn) call(d sdk.ChatCompletionChunkChoiceDeltaToolCall) []model.Event {
	var out []model.Event
	c, known := t.calls[d.Index]
	if !known || d.ID != "" && d.ID != c.given {
		started := t.draft.Call(d.ID, t.names.Tool(d.Function.Name))
		c = call{given: d.ID, id: started.ID}
		if t.calls == nil {
			t.calls = map[int64]call{}
		}
		t.calls[d.Index] = c
		out = append(out, started)
	}
	if d.Function.Arguments != "" {
		out = append(out, t.draft.Args(c.id, d.Function.Arguments))
	}
	return out
}

// complete reports whether the server said that the answer ends here.
func (t *turn) complete() bool { return t.reason != "" }

func (t *turn) done() model.Done {
	m := t.draft.Message()
	stop := model.StopEnd
	switch t.reason {
	case "length":
		stop = model.StopLength
	case "tool_calls", "function_call":
		stop = model.StopCalls
	case "content_filter":
		stop = model.StopRefused
	}
	if t.refused {
		stop = model.StopRefused
	}
	return model.Done{Message: m, Stop: stop.Settle(m), Usage: t.usage}
}
