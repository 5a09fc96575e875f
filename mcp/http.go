package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// The headers of the streamable HTTP transport.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// HTTPOptions refine an [Endpoint]. The zero value is good.
type HTTPOptions struct {
	// MaxSessions is how many sessions may be open at once; the next one gets
	// status 503. The default is 1000.
	MaxSessions int
	// IdleTimeout ends a session with which no HTTP request is open for so
	// long. An open stream of events counts as a request. The default is 30
	// minutes.
	IdleTimeout time.Duration
}

func (o *HTTPOptions) withDefaults() HTTPOptions {
	var out HTTPOptions
	if o != nil {
		out = *o
	}
	if out.MaxSessions <= 0 {
		out.MaxSessions = 1000
	}
	if out.IdleTimeout <= 0 {
		out.IdleTimeout = 30 * time.Minute
	}
	return out
}

// Endpoint serves MCP over streamable HTTP on whatever path it is mounted. It
// checks messages, not clients: who may reach it, from which origin and with
// which token, is for the handler in front of it.
//
// All that it refuses is answered with a JSON-RPC error: 400 for a message
// that is none or names no session, 404 for a session that is not there or is another caller's,
// 413 for one over the size limit, 503 over the limit of sessions and during
// the shutdown. An initialize request opens a new session whatever session it
// names. Requests of protocol version 2026-07-28 and later need no session.
type Endpoint struct {
	server     *Server
	sessions   *sessionTable
	ctx        context.Context // ends with Shutdown, and all sessions with it
	cancel     context.CancelCauseFunc
	withState  http.Handler
	stateless  http.Handler
	maxMessage int64
}

// HTTPHandler makes an endpoint for this server's tools. Its [Endpoint.Shutdown]
// must be called when it is no longer served.
func (s *Server) HTTPHandler(opts *HTTPOptions) *Endpoint {
	o := opts.withDefaults()
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &Endpoint{
		server: s, ctx: ctx, cancel: cancel,
		sessions:   newSessionTable(o.MaxSessions, o.IdleTimeout),
		maxMessage: int64(s.opts.MaxMessage),
	}
	get := func(*http.Request) *sdk.Server { return s.sdk }
	// -1: the body was read and measured before it comes to the SDK.
	e.withState = sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
		JSONResponse: true, MaxRequestBodyBytes: -1,
	})
	e.stateless = sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{
		JSONResponse: true, MaxRequestBodyBytes: -1,
		Stateless: true, PropagateRequestCancellation: true,
	})
	return e
}

// ServeHTTP answers one request. It may be called by several goroutines.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = &jsonErrors{ResponseWriter: w}
	who := e.server.caller(r.Context(), toolrest.SurfaceMCPHTTP)
	if r.Method != http.MethodPost {
		e.serveStream(w, r, who)
		return
	}
	msg, r, ok := e.receive(w, r)
	switch {
	case !ok:
	case msg == nil: // an answer to nothing
		w.WriteHeader(http.StatusAccepted)
	case isModern(r):
		e.serveOnce(w, r, who)
	case isInitialize(msg):
		e.open(w, r, who)
	default:
		e.within(w, r, who)
	}
}

// serveStream answers what is no message: GET is a stream of notifications,
// DELETE ends a session.
func (e *Endpoint) serveStream(w http.ResponseWriter, r *http.Request, who toolrest.Caller) {
	switch {
	case isModern(r): // knows neither
		e.stateless.ServeHTTP(w, r)
	case r.Method == http.MethodGet:
		e.within(w, r, who)
	case r.Method == http.MethodDelete:
		e.end(w, r, who)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		refuseHTTP(w, http.StatusMethodNotAllowed, &fault{code: jsonrpc.CodeInvalidRequest, text: "only GET, POST and DELETE are served here"})
	}
}

// receive reads the message of a POST. The request that it gives can be read
// once more.
func (e *Endpoint) receive(w http.ResponseWriter, r *http.Request) (jsonrpc.Message, *http.Request, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, e.maxMessage))
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		refuseHTTP(w, http.StatusRequestEntityTooLarge, tooLong("too long", tooBig.Limit))
		return nil, r, false
	case err != nil:
		refuseHTTP(w, http.StatusBadRequest, &fault{code: jsonrpc.CodeInvalidRequest, text: "the body ended early"})
		return nil, r, false
	}
	msg, f := parseFrame(body)
	if f != nil {
		e.server.opts.Logger.Warn("mcp: refused a message", "code", f.code, "reason", f.text)
		refuseHTTP(w, http.StatusBadRequest, f)
		return nil, r, false
	}
	r = r.WithContext(r.Context()) // a copy: the caller's request stays as it is
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return msg, r, true
}

// serveOnce answers a request that is its own session: it ends with the
// client's connection.
func (e *Endpoint) serveOnce(w http.ResponseWriter, r *http.Request, who toolrest.Caller) {
	if e.ctx.Err() != nil {
		refuseHTTP(w, http.StatusServiceUnavailable, &fault{code: codeBusy, text: "this server is shutting down"})
		return
	}
	sc := newScope(e.ctx, who)
	defer sc.cancel(errSessionEnded)
	e.stateless.ServeHTTP(w, r.WithContext(withScope(r.Context(), sc)))
}

// open makes a session.
func (e *Endpoint) open(w http.ResponseWriter, r *http.Request, who toolrest.Caller) {
	place, problem := e.sessions.reserve()
	if problem != "" {
		w.Header().Set("Retry-After", "60")
		refuseHTTP(w, http.StatusServiceUnavailable, &fault{code: codeBusy, text: problem})
		return
	}
	defer place.leave()
	sc := newScope(e.ctx, who)
	sc.opened = func(session *sdk.ServerSession) { place.take(sc, session) }
	r = r.WithContext(withScope(r.Context(), sc))
	r.Header = r.Header.Clone()
	r.Header.Del(sessionHeader)
	e.withState.ServeHTTP(w, r)
}

// within answers a request of a session that is open.
func (e *Endpoint) within(w http.ResponseWriter, r *http.Request, who toolrest.Caller) {
	leave, ok := e.sessions.enter(r.Header.Get(sessionHeader), who, r.Method == http.MethodGet)
	if !ok {
		refuseSession(w, r)
		return
	}
	defer leave()
	e.withState.ServeHTTP(w, r)
}

// end ends the session that the request names.
func (e *Endpoint) end(w http.ResponseWriter, r *http.Request, who toolrest.Caller) {
	if !e.sessions.end(r.Header.Get(sessionHeader), who) {
		refuseSession(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// Shutdown cancels all running calls, ends all sessions and with them their
// open streams, and waits until they have ended or ctx has. From its start on
// new sessions get status 503. It may be called more than once.
func (e *Endpoint) Shutdown(ctx context.Context) error {
	ended := e.sessions.shut()
	e.cancel(errSessionEnded)
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("end the mcp sessions: %w", ctx.Err())
	}
}

// isModern reports whether a request is of a protocol without sessions.
func isModern(r *http.Request) bool { return r.Header.Get(versionHeader) >= statelessVersion }

func isInitialize(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	return ok && req.IsCall() && req.Method == "initialize"
}

// refuseSession answers a request that names no session that is open.
func refuseSession(w http.ResponseWriter, r *http.Request) {
	f := &fault{code: jsonrpc.CodeInvalidRequest, text: "no open session has this id: send initialize to open one"}
	if r.Header.Get(sessionHeader) != "" {
		refuseHTTP(w, http.StatusNotFound, f)
		return
	}
	f.text = "no session: send initialize first, and then with each request the " + sessionHeader + " header of its response"
	refuseHTTP(w, http.StatusBadRequest, f)
}

// refuseHTTP answers with a fault that has no id: the client's library then
// takes the status for the answer, and 404 as the end of its session.
func refuseHTTP(w http.ResponseWriter, status int, f *fault) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(f.encode()) // the client may be gone
}

// jsonErrors turns the plain text of the SDK's refusals into JSON-RPC errors:
// clients show those to their user, and drop a text.
type jsonErrors struct {
	http.ResponseWriter
	status int
	plain  bool
}

// Unwrap lets [http.ResponseController] reach what is below.
func (w *jsonErrors) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *jsonErrors) WriteHeader(status int) {
	w.status = status
	h := w.Header()
	if status >= 400 && h.Get("Content-Type") == "text/plain; charset=utf-8" {
		w.plain = true
		h.Set("Content-Type", "application/json")
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *jsonErrors) Write(p []byte) (int, error) {
	if !w.plain {
		return w.ResponseWriter.Write(p)
	}
	f := &fault{code: jsonrpc.CodeInvalidRequest, text: string(bytes.TrimSpace(p))}
	if w.status >= 500 {
		f.code = jsonrpc.CodeInternalError
	}
	if _, err := w.ResponseWriter.Write(f.encode()); err != nil {
		return 0, err
	}
	return len(p), nil
}
