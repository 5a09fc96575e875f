package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

type agentKey struct{}

// callerFromHeader makes each agent of the header a caller of its own.
func callerFromHeader(ctx context.Context, _ toolrest.Surface) toolrest.Caller {
	agent, _ := ctx.Value(agentKey{}).(string)
	return toolrest.Caller{Agent: "agent" + agent}
}

// web is an endpoint behind a server on loopback.
type web struct {
	t        testing.TB
	endpoint *Endpoint
	server   *httptest.Server
}

func startWeb(t testing.TB, door Door, so *ServerOptions, ho *HTTPOptions) *web {
	if so == nil {
		so = &ServerOptions{}
	}
	so.Caller = callerFromHeader
	w := &web{t: t, endpoint: NewServer(door, so).HTTPHandler(ho)}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.endpoint.ServeHTTP(rw, r.WithContext(context.WithValue(r.Context(), agentKey{}, r.Header.Get("Agent"))))
	}))
	t.Cleanup(func() {
		if err := w.endpoint.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		w.server.Close()
	})
	return w
}

// do sends a request; headers are "Name: value".
func (w *web) do(ctx context.Context, method, body string, headers ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.server.URL, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	return w.server.Client().Do(req)
}

// ask sends a request and reads the whole answer.
func (w *web) ask(method, body string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := w.do(ctx, method, body, headers...)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res, string(text)
}

// open gives the header that names a new session.
func (w *web) open(headers ...string) string {
	w.t.Helper()
	res, text := w.ask(http.MethodPost, initialize, headers...)
	id := res.Header.Get(sessionHeader)
	if res.StatusCode != http.StatusOK || id == "" {
		w.t.Fatalf("initialize: %s %s", res.Status, text)
	}
	session := sessionHeader + ": " + id
	if res, text := w.ask(http.MethodPost, initialized, append(headers, session)...); res.StatusCode != http.StatusAccepted {
		w.t.Fatalf("initialized: %s %s", res.Status, text)
	}
	return session
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func callTool(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

// connectWeb gives a session of the SDK's own client.
func (w *web) connect(version string, opts *sdk.ClientOptions) *sdk.ClientSession {
	w.t.Helper()
	transport := &http.Transport{}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{
		Endpoint: w.server.URL, HTTPClient: &http.Client{Transport: transport}, MaxRetries: -1,
	}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		w.t.Fatalf("connect: %v", err)
	}
	w.t.Cleanup(func() {
		session.Close()
		transport.CloseIdleConnections()
	})
	return session
}

func TestHTTPClient(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			door := newDoor(t)
			w := startWeb(t, door, nil, nil)
			session := w.connect(version, nil)
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("negotiated %s", got)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 2 || list.Tools[0].Name != "zeta" {
				t.Fatalf("list: %+v, %v", list, err)
			}
			res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "alpha", Arguments: map[string]any{"n": 1}})
			if err != nil || textOf(t, res) != `alpha got {"n":1}` {
				t.Errorf("call: %+v, %v", res, err)
			}
			who := door.last().Caller
			if who.Surface != toolrest.SurfaceMCPHTTP || who.Owner || who.Session != session.ID() || (who.Session == "") != (version >= statelessVersion) {
				t.Errorf("caller %+v of session %q", who, session.ID())
			}
			refused, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "exec"})
			if err != nil || !refused.IsError || refused.Meta[RefusalKey] == nil {
				t.Errorf("forged call: %+v, %v", refused, err)
			}
		})
	}
}

func TestHTTPChanged(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			w := startWeb(t, newDoor(t), nil, nil)
			heard := make(chan struct{}, 8)
			session := w.connect(version, &sdk.ClientOptions{
				ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { heard <- struct{}{} },
			})
			// The client opens its stream of notifications on its own time, so
			// the change is told until it is heard.
			tick := time.NewTicker(50 * time.Millisecond)
			defer tick.Stop()
			end := time.After(patience)
			for {
				select {
				case <-heard:
					if _, err := session.ListTools(t.Context(), nil); err != nil {
						t.Error(err)
					}
					return
				case <-tick.C:
					w.endpoint.server.Changed()
				case <-end:
					t.Fatal("no notification")
				}
			}
		})
	}
}

func TestHTTPBadFrames(t *testing.T) {
	w := startWeb(t, newDoor(t), nil, nil)
	session := w.open()
	for _, test := range badFrames {
		t.Run(test.name, func(t *testing.T) {
			for _, headers := range [][]string{{session}, nil} {
				res, text := w.ask(http.MethodPost, test.frame, headers...)
				if test.code == 0 {
					if res.StatusCode != http.StatusAccepted {
						t.Errorf("%s %s", res.Status, text)
					}
					continue
				}
				if res.StatusCode != http.StatusBadRequest || res.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%s %v", res.Status, res.Header)
				}
				checkFault(t, []byte(text), test.code, test.id, test.text)
			}
		})
	}
	if res, text := w.ask(http.MethodPost, listTools, session); res.StatusCode != http.StatusOK || !strings.Contains(text, `"zeta"`) {
		t.Errorf("the session does not work any more: %s %s", res.Status, text)
	}
}

func TestHTTPRefusals(t *testing.T) {
	w := startWeb(t, newDoor(t), &ServerOptions{MaxMessage: 1000}, nil)
	session := w.open()
	large := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 2000) + `"}}`
	tests := map[string]struct {
		method, body string
		headers      []string
		status       int
		text         string
	}{
		"no session":              {"POST", listTools, nil, 400, "send initialize first"},
		"unknown session":         {"POST", listTools, []string{sessionHeader + ": nosuch"}, 404, "no open session has this id"},
		"stream of no session":    {"GET", "", nil, 400, "send initialize first"},
		"stream of unknown":       {"GET", "", []string{sessionHeader + ": nosuch"}, 404, "no open session"},
		"end of no session":       {"DELETE", "", nil, 400, "send initialize first"},
		"end of unknown session":  {"DELETE", "", []string{sessionHeader + ": nosuch"}, 404, "no open session"},
		"session of another":      {"POST", listTools, []string{session, "Agent: other"}, 404, "no open session"},
		"stream of another":       {"GET", "", []string{session, "Agent: other"}, 404, "no open session"},
		"end of another":          {"DELETE", "", []string{session, "Agent: other"}, 404, "no open session"},
		"other method":            {"PUT", listTools, []string{session}, 405, "only GET, POST and DELETE"},
		"too large":               {"POST", large, []string{session}, 413, "limit of 1000 bytes"},
		"empty":                   {"POST", "", []string{session}, 400, "not JSON"},
		"content type":            {"POST", listTools, []string{session, "Content-Type: text/plain"}, 415, "application/json"},
		"accept":                  {"POST", listTools, []string{session, "Accept: text/html"}, 400, "Accept"},
		"unknown version":         {"POST", listTools, []string{session, versionHeader + ": 1999-01-01"}, 400, "Unsupported protocol version"},
		"resumption":              {"GET", "", []string{session, "Last-Event-ID: x_1", "Accept: text/event-stream"}, 400, "replay"},
		"stream of the newest":    {"GET", "", []string{versionHeader + ": " + statelessVersion}, 405, "Method Not Allowed"},
		"newest without its meta": {"POST", listTools, []string{versionHeader + ": " + statelessVersion, "Mcp-Method: tools/list"}, 400, "protocolVersion"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res, text := w.ask(test.method, test.body, test.headers...)
			var got frame
			if err := json.Unmarshal([]byte(text), &got); err != nil || got.Error == nil || got.Error.Code == 0 {
				t.Fatalf("no JSON-RPC error: %s %q", res.Status, text)
			}
			if res.StatusCode != test.status || !strings.Contains(got.Error.Message, test.text) {
				t.Errorf("got %s %q, want %d with %q", res.Status, got.Error.Message, test.status, test.text)
			}
		})
	}
	if res, text := w.ask(http.MethodPost, listTools, session); res.StatusCode != http.StatusOK {
		t.Errorf("the session does not work any more: %s %s", res.Status, text)
	}
}

// Initialize opens a new session, whatever it names.
func TestInitializeWithASession(t *testing.T) {
	w := startWeb(t, newDoor(t), nil, nil)
	first := w.open()
	for _, named := range []string{sessionHeader + ": nosuch", first} {
		second := w.open(named)
		if second == first || second == named {
			t.Errorf("no new session: %s", second)
		}
	}
	if res, _ := w.ask(http.MethodPost, listTools, first); res.StatusCode != http.StatusOK {
		t.Errorf("the first session is gone: %s", res.Status)
	}
}

func TestFailedInitializeLeavesNoSession(t *testing.T) {
	w := startWeb(t, newDoor(t), nil, &HTTPOptions{MaxSessions: 1})
	for range 3 {
		res, text := w.ask(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`)
		if !strings.Contains(text, `"error"`) {
			t.Errorf("%s %s", res.Status, text)
		}
	}
	w.open()
}

func TestMaxSessions(t *testing.T) {
	w := startWeb(t, newDoor(t), nil, &HTTPOptions{MaxSessions: 2})
	first := w.open()
	w.open()
	res, text := w.ask(http.MethodPost, initialize)
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "2 sessions are open") || res.Header.Get("Retry-After") == "" {
		t.Errorf("%s %s", res.Status, text)
	}
	if res, text := w.ask(http.MethodDelete, "", first); res.StatusCode != http.StatusNoContent {
		t.Errorf("%s %s", res.Status, text)
	}
	if res, text := w.ask(http.MethodPost, listTools, first); res.StatusCode != http.StatusNotFound {
		t.Errorf("the ended session: %s %s", res.Status, text)
	}
	w.open()
}

// blocking makes calls of zeta wait for the end of their context, which is
// sent to the channel.
func blocking(door *fakeDoor) (started chan struct{}, ended chan error) {
	started, ended = make(chan struct{}, 8), make(chan error, 8)
	door.handle = func(ctx context.Context, call *toolrest.Call) *toolrest.Result {
		if call.Tool != "zeta" {
			return toolrest.TextResult("quick")
		}
		started <- struct{}{}
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return toolrest.TextResult("cancelled")
	}
	return started, ended
}

func await[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain: %s", what)
	}
	panic("unreachable")
}

func TestHTTPCancellation(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			door := newDoor(t)
			started, ended := blocking(door)
			session := startWeb(t, door, nil, nil).connect(version, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-started
				cancel()
			}()
			if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "zeta"}); !errors.Is(err, context.Canceled) {
				t.Errorf("the client got %v", err)
			}
			await(t, ended, "the end of the call")
			if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "alpha"}); err != nil {
				t.Errorf("the session does not go on: %v", err)
			}
		})
	}
}

// A lost connection is no cancellation where there are sessions; the
// notification, which comes by another request, is.
func TestLostConnectionOfASession(t *testing.T) {
	door := newDoor(t)
	started, ended := blocking(door)
	w := startWeb(t, door, nil, nil)
	session := w.open()
	ctx, cancel := context.WithCancel(t.Context())
	lost := make(chan error, 1)
	go func() {
		_, err := w.do(ctx, http.MethodPost, callTool(5, "zeta"), session)
		lost <- err
	}()
	await(t, started, "the start of the call")
	cancel()
	if err := await(t, lost, "the end of the request"); err == nil {
		t.Error("the request was not cut")
	}
	if _, text := w.ask(http.MethodPost, callTool(6, "alpha"), session); !strings.Contains(text, "quick") {
		t.Errorf("the session does not go on: %s", text)
	}
	select {
	case err := <-ended:
		t.Fatalf("the call was cancelled by the lost connection: %v", err)
	default:
	}
	res, text := w.ask(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, session)
	if res.StatusCode != http.StatusAccepted {
		t.Errorf("%s %s", res.Status, text)
	}
	await(t, ended, "the end of the call")
}

// Without sessions the request is all there is, and its end is the call's.
func TestLostConnectionWithoutASession(t *testing.T) {
	door := newDoor(t)
	started, ended := blocking(door)
	w := startWeb(t, door, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	lost := make(chan error, 1)
	go func() {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"zeta","_meta":{"io.modelcontextprotocol/protocolVersion":"` +
			statelessVersion + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
		_, err := w.do(ctx, http.MethodPost, body, versionHeader+": "+statelessVersion, "Mcp-Method: tools/call", "Mcp-Name: zeta")
		lost <- err
	}()
	await(t, started, "the start of the call")
	cancel()
	await(t, lost, "the end of the request")
	await(t, ended, "the end of the call")
}

func TestDeleteCancelsTheCalls(t *testing.T) {
	door := newDoor(t)
	started, ended := blocking(door)
	w := startWeb(t, door, nil, nil)
	session, other := w.open(), w.open()
	answers := make(chan string, 2)
	for _, s := range []string{session, other} {
		go func() {
			_, text := w.ask(http.MethodPost, callTool(1, "zeta"), s)
			answers <- text
		}()
		await(t, started, "the start of the call")
	}
	if res, text := w.ask(http.MethodDelete, "", session); res.StatusCode != http.StatusNoContent {
		t.Errorf("%s %s", res.Status, text)
	}
	if cause := await(t, ended, "the end of the call"); cause != errSessionEnded {
		t.Errorf("cause %v", cause)
	}
	if text := await(t, answers, "the answer"); !strings.Contains(text, "cancelled") {
		t.Errorf("answer %q", text)
	}
	select {
	case <-ended:
		t.Error("the other session's call ended too")
	default:
	}
	if res, text := w.ask(http.MethodDelete, "", other); res.StatusCode != http.StatusNoContent {
		t.Errorf("%s %s", res.Status, text)
	}
	await(t, answers, "the other answer")
}

// serve answers a request without a network, for tests with a false clock.
func (e *Endpoint) serve(ctx context.Context, method, body, session string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set(sessionHeader, session)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// A session ends when no request was open for half an hour. One with a call
// that runs, or with an open stream, is not idle.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newDoor(t)
		blocking(door)
		e := NewServer(door, nil).HTTPHandler(nil)
		ctx, stop := context.WithCancel(t.Context())
		ids := map[string]string{}
		for _, name := range []string{"idle", "calling", "listening", "used"} {
			ids[name] = e.serve(ctx, http.MethodPost, initialize, "").Header().Get(sessionHeader)
		}
		go e.serve(ctx, http.MethodPost, callTool(9, "zeta"), ids["calling"])
		go e.serve(ctx, http.MethodGet, "", ids["listening"])
		wantStatus := func(when, name string, want int) {
			t.Helper()
			if got := e.serve(ctx, http.MethodPost, listTools, ids[name]).Code; got != want {
				t.Errorf("%s, %s: status %d, want %d", when, name, got, want)
			}
		}
		time.Sleep(20 * time.Minute)
		wantStatus("after 20 minutes", "used", http.StatusOK)
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		wantStatus("after 40 minutes", "idle", http.StatusNotFound)
		wantStatus("after 40 minutes", "used", http.StatusOK)
		wantStatus("after 40 minutes", "calling", http.StatusOK)
		wantStatus("after 40 minutes", "listening", http.StatusOK)
		stop() // the clients of the call and of the stream go away
		time.Sleep(31 * time.Minute)
		synctest.Wait()
		ctx = t.Context()
		for name := range ids {
			wantStatus("in the end", name, http.StatusNotFound)
		}
		if err := e.Shutdown(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestShutdown(t *testing.T) {
	door := newDoor(t)
	started, ended := blocking(door)
	w := startWeb(t, door, nil, nil)
	session := w.open()
	stream, err := w.do(t.Context(), http.MethodGet, "", session)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	answer := make(chan string, 1)
	go func() {
		_, text := w.ask(http.MethodPost, callTool(1, "zeta"), session)
		answer <- text
	}()
	await(t, started, "the start of the call")
	for range 2 {
		if err := w.endpoint.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
	await(t, ended, "the end of the call")
	if text := await(t, answer, "the answer"); !strings.Contains(text, "cancelled") {
		t.Errorf("answer %q", text)
	}
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream was cut and not ended: %v", err)
	}
	for _, headers := range [][]string{nil, {versionHeader + ": " + statelessVersion}} {
		if res, text := w.ask(http.MethodPost, initialize, headers...); res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "shutting down") {
			t.Errorf("%s %s", res.Status, text)
		}
	}
}

func TestShutdownDoesNotWaitForever(t *testing.T) {
	door := newDoor(t)
	started, release := make(chan struct{}), make(chan struct{})
	door.handle = func(context.Context, *toolrest.Call) *toolrest.Result {
		close(started)
		<-release
		return toolrest.TextResult("at last")
	}
	w := startWeb(t, door, nil, nil)
	session := w.open()
	answer := make(chan string, 1)
	go func() {
		_, text := w.ask(http.MethodPost, callTool(1, "zeta"), session)
		answer <- text
	}()
	await(t, started, "the start of the call")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.endpoint.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown: %v", err)
	}
	close(release)
	if text := await(t, answer, "the answer"); !strings.Contains(text, "at last") {
		t.Errorf("answer %q", text)
	}
}

// Many clients at once, each with its own session and calls.
func TestHTTPParallel(t *testing.T) {
	door := newDoor(t)
	w := startWeb(t, door, nil, nil)
	var wg sync.WaitGroup
	for c := range 8 {
		wg.Go(func() {
			session := w.open()
			var calls sync.WaitGroup
			for i := range 8 {
				calls.Go(func() {
					want := fmt.Sprintf("c%d-%d", c, i)
					_, text := w.ask(http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"alpha","arguments":{"x":%q}}}`, i, want), session)
					if !strings.Contains(text, want) || !strings.Contains(text, fmt.Sprintf(`"id":%d`, i)) {
						t.Errorf("want %s in %s", want, text)
					}
				})
			}
			calls.Wait()
			w.ask(http.MethodDelete, "", session)
		})
	}
	wg.Wait()
	sessions := map[string]bool{}
	for _, call := range door.calls {
		sessions[call.Caller.Session] = true
	}
	if len(door.calls) != 64 || len(sessions) != 8 {
		t.Errorf("%d calls in %d sessions", len(door.calls), len(sessions))
	}
}

func TestChunkedBody(t *testing.T) {
	w := startWeb(t, newDoor(t), &ServerOptions{MaxMessage: 1000}, nil)
	session := w.open()
	for size, status := range map[int]int{10: http.StatusOK, 5000: http.StatusRequestEntityTooLarge} {
		body := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", size) + `"}}`
		// A reader of no known length is sent in chunks.
		req, err := http.NewRequest(http.MethodPost, w.server.URL, io.MultiReader(bytes.NewReader([]byte(body))))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set(sessionHeader, strings.TrimPrefix(session, sessionHeader+": "))
		res, err := w.server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != status {
			t.Errorf("%d bytes: %s", size, res.Status)
		}
	}
}
