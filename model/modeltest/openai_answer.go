package modeltest

import "strconv"

func (o *openai) finishReason(turn Turn) string {
	switch {
	case turn.Stop == "length":
		return "length"
	case turn.Stop == "refused":
		return "content_filter"
	case len(turn.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func openaiUsage() members {
	return members{
		"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
		"prompt_tokens_details": members{"cached_tokens": 30},
	}
}

func (o *openai) whole(turn Turn, n int, req *Request) []byte {
	message := members{"role": "assistant", "content": nil, "refusal": nil}
	if turn.Text != "" {
		message["content"] = turn.Text
	}
	if turn.Thinking != "" {
		message["reasoning_content"] = turn.Thinking
	}
	if len(turn.Calls) > 0 {
		var calls []members
		for _, c := range turn.Calls {
			calls = append(calls, members{"id": c.ID, "type": "function", "function": members{"name": c.Name, "arguments": c.Args}})
		}
		message["tool_calls"] = calls
	}
	return []byte(encode(members{
		"id": "chatcmpl-" + strconv.Itoa(n), "object": "chat.completion", "created": 1700000000, "model": req.Model,
		"choices": []members{{"index": 0, "message": message, "logprobs": nil, "finish_reason": o.finishReason(turn)}},
		"usage":   openaiUsage(),
	}))
}

// events streams as the vendor does: the role first, a call's id and name
// before its arguments, the usage in a chunk without choices, and [DONE].
func (o *openai) events(turn Turn, n int, req *Request) []event {
	var out []event
	send := func(choices []members, usage any) {
		out = append(out, event{"", encode(members{
			"id": "chatcmpl-" + strconv.Itoa(n), "object": "chat.completion.chunk", "created": 1700000000,
			"model": req.Model, "choices": choices, "usage": usage,
		})})
	}
	delta := func(d members) {
		send([]members{{"index": 0, "delta": d, "logprobs": nil, "finish_reason": nil}}, nil)
	}
	delta(members{"role": "assistant", "content": "", "refusal": nil})
	for _, p := range pieces(turn.Thinking, n) {
		delta(members{"reasoning_content": p})
	}
	for _, p := range pieces(turn.Text, n) {
		delta(members{"content": p})
	}
	for i, c := range turn.Calls {
		delta(members{"tool_calls": []members{{"index": i, "id": c.ID, "type": "function", "function": members{"name": c.Name, "arguments": ""}}}})
		for _, p := range pieces(c.Args, n+i) {
			delta(members{"tool_calls": []members{{"index": i, "function": members{"arguments": p}}}})
		}
	}
	send([]members{{"index": 0, "delta": members{}, "logprobs": nil, "finish_reason": o.finishReason(turn)}}, nil)
	send([]members{}, openaiUsage())
	return append(out, event{"", "[DONE]"})
}
