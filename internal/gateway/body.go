package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// readBody reads the body of a request whole and puts what it read in its
// place. It answers the request itself and reports false when the body is too
// long or too slow.
func (g *Gateway) readBody(w http.ResponseWriter, r *http.Request) bool {
	if r.ContentLength > g.opts.MaxBody {
		g.refuseBody(w, r, http.StatusRequestEntityTooLarge, g.tooLarge())
		return false
	}
	control := http.NewResponseController(w)
	// A writer without a connection has no deadlines, and no slow clients.
	_ = control.SetReadDeadline(time.Now().Add(g.opts.BodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, g.opts.MaxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		g.refuseBody(w, r, http.StatusRequestEntityTooLarge, g.tooLarge())
		return false
	case errors.Is(err, os.ErrDeadlineExceeded):
		g.refuseBody(w, r, http.StatusRequestTimeout, fmt.Sprintf("the body did not come within %s", g.opts.BodyTimeout))
		return false
	case err != nil:
		g.refuseBody(w, r, http.StatusBadRequest, "the body ended early, or its chunks are not well formed")
		return false
	}
	// The server reads on, to see the client go; that must not time out.
	_ = control.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return true
}

func (g *Gateway) tooLarge() string {
	return fmt.Sprintf("the body is over the limit of %d bytes (%.4g MiB): send less in one request", g.opts.MaxBody, float64(g.opts.MaxBody)/(1<<20))
}

// drainLimit is how much of a refused body is read and thrown away, in bytes:
// a client that is still sending would see its connection reset, and not the
// answer.
const drainLimit = 64 << 20

// refuseBody ends the connection too: the rest of the body may still be in it.
func (g *Gateway) refuseBody(w http.ResponseWriter, r *http.Request, status int, reason string) {
	w.Header().Set("Connection", "close")
	if status == http.StatusRequestEntityTooLarge {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(g.opts.BodyTimeout))
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, drainLimit))
	}
	g.refuse(w, r, status, reason)
}
