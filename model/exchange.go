package model

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Limits of what a server may send.
const (
	maxErrorBody = 64 << 10
	maxAnswer    = 64 << 20
)

var (
	errIdle      = errors.New("nothing arrived for too long")
	errOversized = fmt.Errorf("more than %d MiB arrived", maxAnswer>>20)
)

// Exchange is one turn over HTTP. It watches what the server sends: answers
// that are no stream of events, silence, and floods. It is for one goroutine,
// and Close ends it.
type Exchange struct {
	end    *Endpoint
	parent context.Context
	ctx    context.Context
	cancel context.CancelCauseFunc
	silent *time.Timer
	limit  int64
	began  bool // an answer's head was accepted

	mu    sync.Mutex // guards fault: a client may send on a goroutine of its own
	fault *Error
}

// Begin starts an exchange.
func (e *Endpoint) Begin(ctx context.Context) *Exchange {
	x := &Exchange{end: e, parent: ctx, limit: maxAnswer}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	x.silent = time.AfterFunc(e.idle, func() { x.cancel(errIdle) })
	return x
}

// Context is for the request: it ends with the caller's, after silence, and
// with Close.
func (x *Exchange) Context() context.Context { return x.ctx }

// Close ends the exchange.
func (x *Exchange) Close() {
	x.silent.Stop()
	x.cancel(context.Canceled)
}

// Send passes a request on and looks at the answer. It has the form of the
// vendors' middleware. What is not a stream of events becomes an error.
func (x *Exchange) Send(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	resp, err := next(req)
	if err != nil {
		return nil, err
	}
	x.silent.Reset(x.end.idle)
	if fault := x.look(resp); fault != nil {
		resp.Body.Close()
		x.report(fault)
		return nil, fault
	}
	x.began = true
	return resp, nil
}

// look accepts a stream of events and watches it from then on.
func (x *Exchange) look(resp *http.Response) *Error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	body := bufio.NewReader(resp.Body)
	if resp.StatusCode/100 == 2 && (kind == "text/event-stream" || kind != "text/html" && looksLikeEvents(body)) {
		resp.Body = &watched{Reader: io.LimitReader(body, x.limit+1), Closer: resp.Body, x: x}
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(body, maxErrorBody)) // what came is enough to say what is wrong
	fault := x.end.refused(resp, kind, text)
	if fault.Kind == KindNotFound {
		fault.Hint = x.end.hintNotFound(x.ctx)
	}
	return fault
}

// looksLikeEvents is for servers that forget to say what they send.
func looksLikeEvents(r *bufio.Reader) bool {
	head, _ := r.Peek(6)
	for _, field := range []string{"data:", "event:", "id:", ":", "retry:"} {
		if bytes.HasPrefix(head, []byte(field)) {
			return true
		}
	}
	return false
}

// watched is a body that counts what arrives and when.
type watched struct {
	io.Reader
	io.Closer
	x *Exchange
	n int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.x.silent.Reset(w.x.end.idle)
	}
	if w.n += int64(n); w.n > w.x.limit {
		return 0, errOversized
	}
	return n, err
}

func (x *Exchange) report(fault *Error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fault == nil {
		x.fault = fault
	}
}

func (x *Exchange) reported() *Error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.fault
}

// Reported notes an error that the server sent inside the stream, in the form
// of its error bodies.
func (x *Exchange) Reported(body []byte) { x.report(x.end.inStream(body)) }

// Fail says why the exchange ended early. The error of the client may be nil:
// then the stream ended before the answer did. Partial is what had arrived.
func (x *Exchange) Fail(err error, partial *Message) *Error {
	fault := x.why(err)
	fault.Partial = partial
	return fault
}

func (x *Exchange) why(err error) *Error {
	if cause := x.parent.Err(); cause != nil {
		text := "cancelled"
		if errors.Is(cause, context.DeadlineExceeded) {
			text = "out of time"
		}
		return x.end.fault(KindCancelled, text, "", cause)
	}
	if fault := x.reported(); fault != nil {
		return fault
	}
	switch {
	case errors.Is(context.Cause(x.ctx), errIdle):
		return x.end.retryable(KindIdle, fmt.Sprintf("nothing arrived for %s", x.end.idle),
			"the server may be loading the model or be stuck: try again, or look at its log", errIdle)
	case errors.Is(err, errOversized):
		return x.end.fault(KindOversized, errOversized.Error(), "no answer is that long: is "+x.end.base+" a model API?", err)
	case !x.began:
		return x.end.unreachable(err)
	case err == nil, isDrop(err):
		return x.end.retryable(KindDropped, "the stream broke off before the answer was complete",
			"this happens when a server or the network fails: try again", err)
	}
	return x.end.fault(KindNotAPI, "the stream is not what this wire sends: "+x.end.safe(err.Error(), 200),
		"check that "+x.end.base+x.end.baseFrom()+" speaks this API", err)
}

// isDrop knows the errors of HTTP/2 by their text: net/http does not export
// their types.
func isDrop(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || isNetwork(err) ||
		strings.HasPrefix(err.Error(), "stream error: ") || strings.HasPrefix(err.Error(), "http2: ")
}
