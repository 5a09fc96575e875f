package modeltest

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// NewAnthropic starts a server that speaks Anthropic's messages API and plays
// these turns.
func NewAnthropic(t testing.TB, turns ...Turn) *Server {
	t.Helper()
	w := &anthropic{issued: map[string]string{}, style: &style{
		member: func(path, key string) string { return dotted(path, key) },
		index:  func(path string, i int) string { return dotted(path, strconv.Itoa(i)) },
		message: func(path, text string) string {
			if path == "" {
				return text
			}
			return path + ": " + text
		},
	}}
	return newServer(t, w, []string{"claude-test-1", "claude-test-2"}, turns)
}

func dotted(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

type anthropic struct {
	style *style

	mu     sync.Mutex        // guards the fields below
	issued map[string]string // signature → the thinking that it vouches for
	paused bool              // the last answer was
}

func (a *anthropic) path() string { return "/v1/messages" }

func (a *anthropic) list(models []string) []byte {
	data := []members{}
	for _, m := range models {
		data = append(data, members{"type": "model", "id": m, "display_name": m, "created_at": "2026-01-01T00:00:00Z"})
	}
	return []byte(encode(members{"data": data, "has_more": false, "first_id": nil, "last_id": nil}))
}

func (a *anthropic) problem(r *refusal) []byte {
	kind, text := r.kind, r.text
	if kind == "" {
		kind = anthropicTypes[r.status]
	}
	if kind == "" {
		kind = "api_error"
	}
	if text == "" {
		text = http.StatusText(r.status)
	}
	if text == "" {
		text = "Overloaded"
	}
	return []byte(encode(members{
		"type": "error", "request_id": "req_test",
		"error": members{"type": kind, "message": text},
	}))
}

var anthropicTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 402: "billing_error",
	403: "permission_error", 404: "not_found_error", 405: "invalid_request_error",
	413: "request_too_large", 429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error",
}

// sign vouches for thinking, and vouched reports whether it did.
func (a *anthropic) sign(thinking string, n int) string {
	signature := "sig-" + strconv.Itoa(n) + "-" + strconv.Itoa(len(thinking)) + "=="
	a.mu.Lock()
	defer a.mu.Unlock()
	a.issued[signature] = thinking
	return signature
}

func (a *anthropic) vouched(signature, thinking string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	was, ok := a.issued[signature]
	return ok && was == thinking
}

// pause notes whether the answer pauses, and wasPaused whether the last one did:
// then the conversation may come back as it is.
func (a *anthropic) pause(turn Turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = turn.Stop == "pause"
}

func (a *anthropic) wasPaused() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.paused
}
