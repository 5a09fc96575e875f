package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

var openaiKeys = []string{
	"model", "messages", "tools", "tool_choice", "parallel_tool_calls", "stream", "stream_options",
	"max_tokens", "max_completion_tokens", "temperature", "top_p", "n", "stop", "seed", "user", "store",
	"metadata", "reasoning_effort", "verbosity", "response_format", "service_tier", "presence_penalty",
	"frequency_penalty", "logit_bias", "logprobs", "top_logprobs", "modalities", "audio", "prediction",
	"prompt_cache_key", "prompt_cache_retention", "safety_identifier", "web_search_options",
}

const maxTools = 128

func (o *openai) check(header http.Header, body []byte) *Request {
	root := node{raw: body, s: o.style}
	if !json.Valid(body) {
		root.refuse("We could not parse the JSON body of your request.")
	}
	for key, n := range root.anyObject() {
		if !slices.Contains(openaiKeys, key) {
			panic(&refusal{status: 400, param: n.path, code: "unknown_parameter", text: "Unknown parameter: '" + key + "'."})
		}
	}
	all := root.anyObject()
	req := &Request{Header: header, Body: body, Model: root.need(all, "model").str()}
	if n, ok := all["stream"]; ok {
		req.Stream = n.boolean()
	}
	if n, ok := all["stream_options"]; ok {
		if !req.Stream {
			n.refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.")
		}
		n.object("include_usage", "include_obfuscation")
	}
	if n, ok := all["tools"]; ok {
		req.Tools = openaiTools(n)
	}
	openaiLimits(root, all, req)
	openaiMessages(root.need(all, "messages"), req)
	return req
}

func openaiLimits(root node, all map[string]node, req *Request) {
	for _, key := range []string{"tool_choice", "parallel_tool_calls"} {
		if n, ok := all[key]; ok && len(req.Tools) == 0 {
			n.refuse("'%s' is only allowed when 'tools' are specified.", key)
		}
	}
	old, given := all["max_tokens"]
	if given {
		old.number()
	}
	if n, ok := all["max_completion_tokens"]; ok {
		n.number()
		if given {
			n.refuse("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
		}
	}
	if !strings.HasPrefix(req.Model, "gpt-6") {
		return
	}
	if given {
		panic(&refusal{status: 400, param: "max_tokens", code: "unsupported_parameter",
			text: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."})
	}
	if string(all["reasoning_effort"].raw) != `"none"` && len(req.Tools) > 0 {
		panic(&refusal{status: 400, param: "reasoning_effort",
			text: "Function tools with reasoning_effort are not supported for " + req.Model +
				" in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."})
	}
}

func openaiTools(n node) []Tool {
	var out []Tool
	for _, t := range n.some() {
		all := t.object("type", "function")
		t.need(all, "type").oneOf("function")
		f := t.need(all, "function")
		members := f.object("name", "description", "parameters", "strict")
		tool := Tool{Name: f.need(members, "name").match(toolName)}
		if slices.ContainsFunc(out, func(o Tool) bool { return o.Name == tool.Name }) {
			f.refuse("Duplicate function name: %s", tool.Name)
		}
		if d, ok := members["description"]; ok {
			tool.Description = d.str()
		}
		if p, ok := members["parameters"]; ok {
			p.schema()
			tool.Schema = p.raw
		}
		out = append(out, tool)
	}
	if len(out) > maxTools {
		n.refuse("array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxTools, len(out))
	}
	return out
}

// dialogue is where the messages stand.
type dialogue struct {
	req     *Request
	calls   []open // of the last assistant message
	seen    map[string]bool
	started bool // something other than the system has spoken
}

func openaiMessages(n node, req *Request) {
	d := &dialogue{req: req, seen: map[string]bool{}}
	for _, m := range n.some() {
		role := m.need(m.anyObject(), "role").oneOf("system", "developer", "user", "assistant", "tool")
		if role != "tool" {
			d.closed(m)
		}
		switch role {
		case "system", "developer":
			all := m.object("role", "content", "name")
			text, _ := openaiContent(m.need(all, "content"), false)
			req.System += text
			continue
		case "user":
			all := m.object("role", "content", "name")
			req.User, req.Images = openaiContent(m.need(all, "content"), true)
		case "assistant":
			if !d.started {
				m.refuse("the first message must be the user's")
			}
			d.assistant(m)
		case "tool":
			d.tool(m)
		}
		d.started = true
	}
	d.closed(n)
}

// closed wants every call answered before anything else is said.
func (d *dialogue) closed(at node) {
	if answered := len(d.req.Results); answered < len(d.calls) {
		at.refuse("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: %s", d.calls[answered].id)
	}
}

func (d *dialogue) assistant(m node) {
	all := m.object("role", "content", "tool_calls", "refusal", "name", "audio")
	d.calls, d.req.Results, d.req.User, d.req.Images = nil, nil, "", 0
	content := all["content"]
	if !content.isNull() {
		openaiContent(content, false)
	}
	list, ok := all["tool_calls"]
	if !ok {
		if content.isNull() {
			m.refuse("expected a string or tool calls, got null")
		}
		return
	}
	for _, c := range list.some() {
		call := c.object("id", "type", "function")
		c.need(call, "type").oneOf("function")
		f := c.need(call, "function")
		members := f.object("name", "arguments")
		args := f.need(members, "arguments")
		node{json.RawMessage(args.str()), args.path, args.s}.anyObject()
		id := c.need(call, "id")
		switch s := id.str(); {
		case s == "":
			id.refuse("string too short. Expected a string with minimum length 1.")
		case len(s) > 40:
			id.refuse("string too long. Expected a string with maximum length 40, but got a string with length %d instead.", len(s))
		case d.seen[s]:
			id.refuse("Duplicate value for 'tool_call_id' of %s", s)
		}
		d.seen[id.str()] = true
		d.calls = append(d.calls, open{id.str(), f.need(members, "name").match(toolName)})
	}
}

func (d *dialogue) tool(m node) {
	all := m.object("role", "content", "tool_call_id")
	id := m.need(all, "tool_call_id").str()
	at := slices.IndexFunc(d.calls, func(c open) bool { return c.id == id })
	switch n := len(d.req.Results); {
	case at < 0:
		m.refuse("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
	case at < n:
		m.refuse("Duplicate value for 'tool_call_id' of %s", id)
	case at > n:
		m.refuse("the results are not in the order of the calls: %s came before %s", id, d.calls[n].id)
	}
	content := m.need(all, "content")
	text := ""
	if content.isString() {
		text = content.str()
	} else {
		text, _ = openaiContent(content, false)
	}
	d.req.Results = append(d.req.Results, Result{ID: id, Name: d.calls[at].name, Text: text})
}

// openaiContent reads a text or a list of parts.
func openaiContent(n node, images bool) (string, int) {
	if n.isString() {
		return n.str(), 0
	}
	var texts []string
	count := 0
	for _, p := range n.some() {
		kind := p.need(p.anyObject(), "type").oneOf("text", "image_url")
		if kind == "text" {
			texts = append(texts, p.need(p.object("type", "text"), "text").visible())
			continue
		}
		if !images {
			p.refuse("Image URLs are only allowed for messages with role 'user'.")
		}
		url := p.need(p.object("type", "image_url"), "image_url")
		openaiImage(url.need(url.object("url", "detail"), "url"))
		count++
	}
	return strings.Join(texts, "\n"), count
}

func openaiImage(url node) {
	s := url.str()
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return
	}
	head, data, ok := strings.Cut(strings.TrimPrefix(s, "data:"), ";base64,")
	if !ok || !strings.HasPrefix(s, "data:") {
		url.refuse("Expected a valid URL or a base64-encoded data URL.")
	}
	url.image(head, data)
}
