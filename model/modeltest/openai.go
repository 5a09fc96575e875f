package modeltest

import (
	"net/http"
	"strconv"
	"testing"
)

// NewOpenAI starts a server that speaks OpenAI's chat completions and plays
// these turns. Its last model is like the vendor's newer ones: it takes tools
// only when it is told not to reason, and knows no max_tokens.
func NewOpenAI(t testing.TB, turns ...Turn) *Server {
	t.Helper()
	w := &openai{style: &style{
		member: func(path, key string) string { return dotted(path, key) },
		index:  func(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" },
		message: func(path, text string) string {
			if path == "" {
				return text
			}
			return "Invalid '" + path + "': " + text
		},
	}}
	s := newServer(t, w, []string{"gpt-test-1", "gpt-test-2", "gpt-6-test"}, turns)
	s.URL += "/v1"
	return s
}

type openai struct{ style *style }

func (o *openai) path() string { return "/v1/chat/completions" }

func (o *openai) list(models []string) []byte {
	data := []members{}
	for _, m := range models {
		data = append(data, members{"id": m, "object": "model", "created": 1700000000, "owned_by": "test"})
	}
	return []byte(encode(members{"object": "list", "data": data}))
}

func (o *openai) problem(r *refusal) []byte {
	kind, text := r.kind, r.text
	switch {
	case kind != "":
	case r.status == http.StatusTooManyRequests:
		kind = "requests"
	case r.status >= 500:
		kind = "server_error"
	default:
		kind = "invalid_request_error"
	}
	if text == "" {
		text = http.StatusText(r.status)
	}
	body := members{"message": text, "type": kind, "param": nil, "code": nil}
	if r.param != "" {
		body["param"] = r.param
	}
	if r.code != "" {
		body["code"] = r.code
	}
	return []byte(encode(members{"error": body}))
}
