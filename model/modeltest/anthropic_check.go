package modeltest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// The keys that a request may have. The sampling parameters went away with
// version 2026-10-21.
var (
	anthropicKeys = []string{
		"model", "max_tokens", "messages", "system", "tools", "tool_choice", "stream", "stop_sequences",
		"thinking", "metadata", "service_tier", "cache_control", "output_config", "container", "inference_geo",
		"speed", "diagnostics",
	}
	samplingKeys      = []string{"temperature", "top_p", "top_k"}
	anthropicVersions = []string{"2023-06-01", "2026-10-21"}
	callID            = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
)

func (a *anthropic) check(header http.Header, body []byte) *Request {
	root := node{raw: body, s: a.style}
	version := header.Get("Anthropic-Version")
	if !slices.Contains(anthropicVersions, version) {
		root.refuse("anthropic-version: %q is not a valid version", version)
	}
	if !json.Valid(body) {
		root.refuse("The request body is not valid JSON")
	}
	keys := anthropicKeys
	if version == anthropicVersions[0] {
		keys = slices.Concat(keys, samplingKeys)
	}
	all := root.object(keys...)
	req := &Request{Header: header, Body: body, Model: root.need(all, "model").str()}
	root.need(all, "max_tokens").number()
	if n, ok := all["stream"]; ok {
		req.Stream = n.boolean()
	}
	if n, ok := all["system"]; ok {
		req.System = systemText(n)
	}
	if n, ok := all["tools"]; ok {
		req.Tools = anthropicTools(n)
	}
	if n, ok := all["tool_choice"]; ok {
		choice := n.object("type", "name", "disable_parallel_tool_use")
		n.need(choice, "type").oneOf("auto", "any", "tool", "none")
	}
	a.messages(root.need(all, "messages"), req)
	return req
}

func systemText(n node) string {
	if n.isString() {
		return n.str()
	}
	var texts []string
	for _, b := range n.list() {
		all := b.object("type", "text", "cache_control")
		b.need(all, "type").oneOf("text")
		texts = append(texts, b.need(all, "text").visible())
	}
	return strings.Join(texts, "\n")
}

func anthropicTools(n node) []Tool {
	var out []Tool
	for _, t := range n.list() {
		all := t.object("name", "description", "input_schema", "type", "cache_control", "strict",
			"eager_input_streaming", "defer_loading", "allowed_callers", "input_examples")
		tool := Tool{Name: t.need(all, "name").match(toolName), Schema: t.need(all, "input_schema").raw}
		if slices.ContainsFunc(out, func(o Tool) bool { return o.Name == tool.Name }) {
			n.refuse("Tool names must be unique.")
		}
		if kind, ok := all["type"]; ok {
			kind.oneOf("custom")
		}
		if d, ok := all["description"]; ok {
			tool.Description = d.str()
		}
		all["input_schema"].schema()
		out = append(out, tool)
	}
	return out
}

// open are the calls of the assistant message before.
type open struct{ id, name string }

func (a *anthropic) messages(n node, req *Request) {
	var calls []open
	seen := map[string]bool{} // ids of all calls
	role := "assistant"       // of the message before
	for i, m := range n.some() {
		all := m.object("role", "content")
		was := role
		role = m.need(all, "role").oneOf("user", "assistant")
		switch {
		case i == 0 && role != "user":
			m.refuse("first message must use the \"user\" role")
		case role == was:
			n.refuse("roles must alternate between \"user\" and \"assistant\", but found multiple \"%s\" roles in a row", role)
		case role == "assistant":
			calls = a.assistant(m.need(all, "content"), seen)
		default:
			a.user(m.need(all, "content"), calls, req)
			calls = nil
		}
	}
	if role == "assistant" {
		if len(calls) > 0 {
			n.refuse("`tool_use` ids were found without `tool_result` blocks immediately after: %s", calls[0].id)
		}
		if a.wasPaused() {
			return
		}
		n.refuse("This model does not support assistant message prefill. The conversation must end with a user message.")
	}
}

// assistant checks what a model is said to have said, and gives its calls.
func (a *anthropic) assistant(content node, seen map[string]bool) []open {
	if content.isString() {
		content.visible()
		return nil
	}
	var calls []open
	for _, b := range content.some() {
		any := b.anyObject()
		switch b.need(any, "type").oneOf("text", "thinking", "redacted_thinking", "tool_use") {
		case "text":
			b.need(b.object("type", "text", "cache_control", "citations"), "text").visible()
		case "thinking":
			all := b.object("type", "thinking", "signature")
			if !a.vouched(b.need(all, "signature").str(), b.need(all, "thinking").str()) {
				b.refuse("Invalid `signature` in `thinking` block")
			}
		case "redacted_thinking":
			data := b.need(b.object("type", "data"), "data")
			if !a.vouched(data.str(), "") {
				b.refuse("Invalid `data` in `redacted_thinking` block")
			}
		case "tool_use":
			all := b.object("type", "id", "name", "input", "cache_control")
			call := open{b.need(all, "id").match(callID), b.need(all, "name").match(toolName)}
			b.need(all, "input").anyObject()
			if seen[call.id] {
				b.refuse("`tool_use` ids must be unique")
			}
			seen[call.id] = true
			calls = append(calls, call)
		}
	}
	return calls
}

// user checks what follows an assistant message: first the results of its
// calls, then anything else.
func (a *anthropic) user(content node, calls []open, req *Request) {
	req.User, req.Results, req.Images = "", nil, 0
	if content.isString() {
		req.User = content.visible()
		if len(calls) > 0 {
			content.refuse("`tool_use` ids were found without `tool_result` blocks immediately after: %s", calls[0].id)
		}
		return
	}
	over := false // the results are
	for _, b := range content.some() {
		any := b.anyObject()
		kind := b.need(any, "type").oneOf("text", "image", "tool_result")
		if kind == "tool_result" {
			if over {
				b.refuse("tool_result blocks must come before all other content")
			}
			a.result(b, calls, req)
			continue
		}
		over = true
		text, images := anthropicContent(b, kind)
		req.User += text
		req.Images += images
	}
	if answered := len(req.Results); answered < len(calls) {
		content.refuse("`tool_use` ids were found without `tool_result` blocks immediately after: %s", calls[answered].id)
	}
}

func (a *anthropic) result(b node, calls []open, req *Request) {
	all := b.object("type", "tool_use_id", "content", "is_error", "cache_control")
	id := b.need(all, "tool_use_id").str()
	at := slices.IndexFunc(calls, func(c open) bool { return c.id == id })
	switch n := len(req.Results); {
	case at < 0:
		b.refuse("unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", id)
	case at < n:
		b.refuse("each tool_use must have a single result. Found multiple `tool_result` blocks with id: %s", id)
	case at > n:
		b.refuse("the results are not in the order of the calls: %s came before %s", id, calls[n].id)
	}
	r := Result{ID: id, Name: calls[at].name}
	if e, ok := all["is_error"]; ok {
		r.IsError = e.boolean()
	}
	if c, ok := all["content"]; ok {
		var images int
		r.Text, images = resultContent(c)
		req.Images += images
	}
	req.Results = append(req.Results, r)
}

func resultContent(n node) (text string, images int) {
	if n.isString() {
		return n.str(), 0
	}
	var texts []string
	for _, b := range n.list() {
		any := b.anyObject()
		t, i := anthropicContent(b, b.need(any, "type").oneOf("text", "image"))
		if i == 0 {
			texts = append(texts, t)
		}
		images += i
	}
	return strings.Join(texts, "\n"), images
}

func anthropicContent(b node, kind string) (text string, images int) {
	if kind == "text" {
		return b.need(b.object("type", "text", "cache_control"), "text").visible(), 0
	}
	source := b.need(b.object("type", "source", "cache_control"), "source")
	all := source.object("type", "media_type", "data", "url")
	if source.need(all, "type").oneOf("base64", "url") == "url" {
		source.need(all, "url").str()
		return "", 1
	}
	source.image(source.need(all, "media_type").str(), source.need(all, "data").str())
	return "", 1
}
