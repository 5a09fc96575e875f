package modeltest

import (
	"encoding/json"
	"strconv"
)

func (a *anthropic) stopReason(turn Turn) string {
	switch {
	case turn.Stop == "length":
		return "max_tokens"
	case turn.Stop == "refused":
		return "refusal"
	case turn.Stop == "pause":
		return "pause_turn"
	case len(turn.Calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

func (a *anthropic) stopDetails(turn Turn) any {
	if turn.Stop != "refused" {
		return nil
	}
	return members{"type": "refusal", "category": nil, "explanation": "It is against the rules."}
}

func anthropicUsage(output int) members {
	return members{
		"input_tokens": 60, "output_tokens": output, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 10,
	}
}

func (a *anthropic) shell(n int, req *Request) members {
	return members{
		"id": "msg_" + strconv.Itoa(n), "type": "message", "role": "assistant", "model": req.Model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "stop_details": nil, "usage": anthropicUsage(1),
	}
}

func (a *anthropic) whole(turn Turn, n int, req *Request) []byte {
	a.pause(turn)
	content := []any{}
	if turn.Thinking != "" {
		content = append(content, members{"type": "thinking", "thinking": turn.Thinking, "signature": a.sign(turn.Thinking, n)})
	}
	if turn.Redacted != "" {
		content = append(content, members{"type": "redacted_thinking", "data": a.redact(turn.Redacted)})
	}
	if turn.Text != "" {
		content = append(content, members{"type": "text", "text": turn.Text, "citations": nil})
	}
	for _, c := range turn.Calls {
		content = append(content, members{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Args)})
	}
	m := a.shell(n, req)
	m["content"], m["stop_reason"], m["stop_details"], m["usage"] = content, a.stopReason(turn), a.stopDetails(turn), anthropicUsage(20)
	return []byte(encode(m))
}

// redact remembers opaque data under itself.
func (a *anthropic) redact(data string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.issued[data] = ""
	return data
}

func (a *anthropic) events(turn Turn, n int, req *Request) []event {
	a.pause(turn)
	s := &anthropicStream{seed: n}
	s.send("message_start", members{"message": a.shell(n, req)})
	s.send("ping", members{})
	if turn.Thinking != "" {
		signature := a.sign(turn.Thinking, n)
		s.block(members{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", turn.Thinking,
			members{"type": "signature_delta", "signature": signature})
	}
	if turn.Redacted != "" {
		s.block(members{"type": "redacted_thinking", "data": a.redact(turn.Redacted)}, "", "", "")
	}
	if turn.Text != "" {
		s.block(members{"type": "text", "text": ""}, "text_delta", "text", turn.Text)
	}
	for _, c := range turn.Calls {
		s.block(members{"type": "tool_use", "id": c.ID, "name": c.Name, "input": members{}}, "input_json_delta", "partial_json", c.Args)
	}
	s.send("message_delta", members{
		"delta": members{"stop_reason": a.stopReason(turn), "stop_sequence": nil, "stop_details": a.stopDetails(turn)},
		"usage": members{"output_tokens": 20},
	})
	s.send("message_stop", members{})
	return s.events
}

type anthropicStream struct {
	events []event
	seed   int
	blocks int
}

func (s *anthropicStream) send(name string, body members) {
	body["type"] = name
	s.events = append(s.events, event{name, encode(body)})
}

// block sends a content block whose text comes in deltas of one type, and
// whose last deltas are given whole.
func (s *anthropicStream) block(start members, typ, field, text string, last ...members) {
	index := s.blocks
	s.blocks++
	s.send("content_block_start", members{"index": index, "content_block": start})
	for _, p := range pieces(text, s.seed+index) {
		s.send("content_block_delta", members{"index": index, "delta": members{"type": typ, field: p}})
	}
	for _, d := range last {
		s.send("content_block_delta", members{"index": index, "delta": d})
	}
	s.send("content_block_stop", members{"index": index})
}
