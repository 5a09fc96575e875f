package anthropic

import (
	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/toolrest/toolrest/model"
)

// turn reads the events of one answer.
type turn struct {
	names *model.Names
	draft model.Draft
	calls map[int64]*call // by index of the block

	stop     model.Stop
	detail   string
	usage    model.Usage
	complete bool
}

// call is one whose arguments are arriving. Some servers give them whole when
// the block starts; pieces that follow count instead.
type call struct {
	id    string
	whole string
}

func (t *turn) read(e sdk.MessageStreamEventUnion) []model.Event {
	switch e.Type {
	case "message_start":
		t.count(e.Message.Usage.InputTokens, e.Message.Usage.CacheReadInputTokens,
			e.Message.Usage.CacheCreationInputTokens, e.Message.Usage.OutputTokens)
	case "content_block_start":
		return t.start(e.Index, e.ContentBlock)
	case "content_block_delta":
		return t.delta(e.Index, e.Delta)
	case "content_block_stop":
		return t.end(e.Index)
	case "message_delta":
		t.count(e.Usage.InputTokens, e.Usage.CacheReadInputTokens, e.Usage.CacheCreationInputTokens, e.Usage.OutputTokens)
		if reason := string(e.Delta.StopReason); reason != "" {
			t.stop, t.detail = stopOf(reason), e.Delta.StopDetails.Explanation
		}
	case "message_stop":
		t.complete = true
	}
	return nil
}

func (t *turn) start(index int64, b sdk.ContentBlockStartEventContentBlockUnion) []model.Event {
	t.draft.Break()
	switch b.Type {
	case "text":
		if b.Text != "" {
			return []model.Event{t.draft.Text(b.Text)}
		}
	case "thinking":
		if b.Signature != "" {
			t.draft.Sign(b.Signature)
		}
		if b.Thinking != "" {
			return []model.Event{t.draft.Thinking(b.Thinking)}
		}
	case "redacted_thinking":
		t.draft.Redact(b.Data)
	case "tool_use":
		started := t.draft.Call(b.ID, t.names.Tool(b.Name))
		if t.calls == nil {
			t.calls = map[int64]*call{}
		}
		t.calls[index] = &call{id: started.ID}
		if raw := b.JSON.Input.Raw(); raw != "{}" && raw != "null" {
			t.calls[index].whole = raw
		}
		return []model.Event{started}
	}
	return nil
}

func (t *turn) delta(index int64, d sdk.MessageStreamEventUnionDelta) []model.Event {
	switch d.Type {
	case "text_delta":
		return []model.Event{t.draft.Text(d.Text)}
	case "thinking_delta":
		return []model.Event{t.draft.Thinking(d.Thinking)}
	case "signature_delta":
		t.draft.Sign(d.Signature)
	case "input_json_delta":
		if c := t.calls[index]; c != nil && d.PartialJSON != "" {
			c.whole = ""
			return []model.Event{t.draft.Args(c.id, d.PartialJSON)}
		}
	}
	return nil
}

func (t *turn) end(index int64) []model.Event {
	t.draft.Break()
	c := t.calls[index]
	delete(t.calls, index)
	if c == nil || c.whole == "" {
		return nil
	}
	return []model.Event{t.draft.Args(c.id, c.whole)}
}

// count keeps the largest numbers, for the last event may repeat only some of
// them. This API counts what the cache gave beside the input.
func (t *turn) count(input, read, write, output int64) {
	t.usage.CacheRead = max(t.usage.CacheRead, read)
	t.usage.CacheWrite = max(t.usage.CacheWrite, write)
	t.usage.Input = max(t.usage.Input, input+read+write)
	t.usage.Output = max(t.usage.Output, output)
}

func (t *turn) done() model.Done {
	m := t.draft.Message()
	if t.stop == "" {
		t.stop = model.StopEnd
	}
	m.Paused = t.stop == model.StopPause
	return model.Done{Message: m, Stop: t.stop.Settle(m), Detail: t.detail, Usage: t.usage}
}

func stopOf(reason string) model.Stop {
	switch reason {
	case "tool_use":
		return model.StopCalls
	case "max_tokens", "model_context_window_exceeded":
		return model.StopLength
	case "refusal":
		return model.StopRefused
	case "pause_turn":
		return model.StopPause
	}
	return model.StopEnd
}
