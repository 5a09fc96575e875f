package gateway

import (
	"encoding/json"
	"net/http"
)

// The JSON-RPC codes of refusals.
const (
	codeInvalidRequest = -32600
	codeUnauthorised   = -32001
)

// refuse answers with an error and logs the reason, which therefore must hold
// nothing that the client chose.
func (g *Gateway) refuse(w http.ResponseWriter, r *http.Request, status int, reason string) {
	g.opts.Logger.Info("gateway: refused a request", "status", status, "reason", reason, "from", r.RemoteAddr)
	code := codeInvalidRequest
	if status == http.StatusUnauthorized {
		code = codeUnauthorised
	}
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": code, "message": reason},
	})
	if err != nil {
		panic("gateway: encode an error: " + err.Error()) // strings and numbers only
	}
	answer(w, status, body)
}

func answer(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client may be gone
}
