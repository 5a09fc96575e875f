package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/mcp"
)

// serving is a gateway on a real listener.
type serving struct {
	t    testing.TB
	addr string
	stop context.CancelFunc
	done chan error
}

func serve(t testing.TB, endpoint Endpoint, opts *Options) *serving {
	t.Helper()
	ln, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &serving{t: t, addr: ln.Addr().String(), stop: stop, done: make(chan error, 1)}
	go func() { s.done <- New(endpoint, secret, opts).Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

// end stops the gateway and gives what Serve returned.
func (s *serving) end() error {
	s.t.Helper()
	s.stop()
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		s.t.Fatal("Serve does not return")
	}
	return nil
}

// raw sends bytes and reads until the server closes the connection.
func (s *serving) raw(text string) string {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		s.t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") {
		s.t.Fatalf("the server keeps the connection: %v after %q", err, got)
	}
	return string(got)
}

func request(headers ...string) string {
	return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + bearer + "\r\nConnection: close\r\n" + strings.Join(headers, "")
}

func TestRawRequests(t *testing.T) {
	const limit = 1000
	s := serve(t, &echo{t: t}, &Options{MaxBody: limit, HeaderTimeout: 100 * time.Millisecond, BodyTimeout: 100 * time.Millisecond})
	chunked := func(size int) string {
		return request("Transfer-Encoding: chunked\r\n\r\n") + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", size, strings.Repeat("x", size))
	}
	tests := map[string]struct{ send, want string }{
		"fine":              {request("Content-Length: 2\r\n\r\nhi"), "echo hi"},
		"at the limit":      {request("Content-Length: 1000\r\n\r\n" + strings.Repeat("x", limit)), "HTTP/1.1 200 OK"},
		"over the limit":    {request("Content-Length: 1001\r\n\r\n" + strings.Repeat("x", limit+1)), "HTTP/1.1 413 "},
		"names the limit":   {request("Content-Length: 99999999999\r\n\r\n"), "limit of 1000 bytes"},
		"chunks":            {chunked(limit), "HTTP/1.1 200 OK"},
		"too many chunks":   {chunked(limit + 1), "HTTP/1.1 413 "},
		"broken chunks":     {request("Transfer-Encoding: chunked\r\n\r\nzz\r\n"), "HTTP/1.1 400 "},
		"slow header":       {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", ""},
		"no header at all":  {"", ""},
		"slow body":         {request("Content-Length: 10\r\n\r\nhi"), "HTTP/1.1 408 "},
		"slow chunk":        {request("Transfer-Encoding: chunked\r\n\r\n5\r\nhi"), "did not come within 100ms"},
		"large header":      {request("X-Large: " + strings.Repeat("x", 128<<10) + "\r\n\r\n"), "HTTP/1.1 431 "},
		"no host":           {"GET /healthz HTTP/1.0\r\n\r\n", "403 Forbidden"},
		"two hosts":         {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 "},
		"absolute address":  {"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "403 Forbidden"},
		"length twice":      {request("Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi"), "HTTP/1.1 400 "},
		"another protocol":  {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "HTTP/1.1 400 "},
		"tunnel":            {"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nConnection: close\r\n\r\n", "403 Forbidden"},
		"no token, no body": {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", "HTTP/1.1 401 "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s.t = t
			got := s.raw(test.send)
			if !strings.Contains(got, test.want) || test.want == "" && strings.Contains(got, "200 OK") {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	s.t = t
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// long is an endpoint with a call that takes three times the time of a body.
type long struct{ body time.Duration }

func (l long) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(3 * l.body):
		_, _ = io.WriteString(w, "done")
	case <-r.Context().Done():
		_, _ = io.WriteString(w, "cut")
	}
}

func (long) Shutdown(context.Context) error { return nil }

// The time for a body ends with the body, and does not cut what follows.
func TestBodyTimeoutIsForTheBody(t *testing.T) {
	const timeout = 100 * time.Millisecond
	s := serve(t, long{timeout}, &Options{BodyTimeout: timeout})
	for _, body := range []string{"Content-Length: 2\r\n\r\nhi", "Content-Length: 0\r\n\r\n"} {
		if got := s.raw(request(body)); !strings.HasSuffix(got, "done") {
			t.Errorf("%q: got %q", body, got)
		}
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

func TestServeReportsABrokenListener(t *testing.T) {
	ln, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	endpoint := &echo{t: t}
	if err := New(endpoint, secret, nil).Serve(t.Context(), ln); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v", err)
	}
	if endpoint.shut != 1 {
		t.Errorf("the endpoint was shut down %d times", endpoint.shut)
	}
}

// stubborn ends nothing.
type stubborn struct{ started, release chan struct{} }

func (s *stubborn) ServeHTTP(http.ResponseWriter, *http.Request) {
	close(s.started)
	<-s.release
}

func (s *stubborn) Shutdown(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestServeCutsWhatDoesNotEnd(t *testing.T) {
	endpoint := &stubborn{started: make(chan struct{}), release: make(chan struct{})}
	s := serve(t, endpoint, &Options{Grace: 50 * time.Millisecond})
	cut := make(chan string, 1)
	go func() { cut <- s.raw(request("Content-Length: 0\r\n\r\n")) }()
	<-endpoint.started
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if got := <-cut; got != "" {
		t.Errorf("the client got %q", got)
	}
	close(endpoint.release)
}

// Connections that clients open in advance do not delay the end.
func TestServeDoesNotWaitForUnusedConnections(t *testing.T) {
	s := serve(t, &echo{t: t}, &Options{HeaderTimeout: time.Hour})
	for range 3 {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	s.raw(request("Content-Length: 2\r\n\r\nhi")) // the others were accepted before
	begin := time.Now()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestNotReadyWhileStopping(t *testing.T) {
	g := New(&echo{t: t}, secret, nil)
	g.stopping.Store(true)
	if w := ask(g, http.MethodGet, "/readyz", ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// tools is a door with a quick tool and one that waits to be cancelled.
type tools struct{ started, ended chan struct{} }

func (tools) List(context.Context, toolrest.Caller) ([]toolrest.Descriptor, error) {
	return []toolrest.Descriptor{{Name: "quick"}, {Name: "slow"}}, nil
}

func (d tools) Dispatch(ctx context.Context, call *toolrest.Call) *toolrest.Result {
	if call.Tool == "slow" {
		d.started <- struct{}{}
		<-ctx.Done()
		d.ended <- struct{}{}
		return toolrest.TextResult("cancelled")
	}
	return toolrest.TextResult(fmt.Sprintf("%s %v %s", call.Caller.Agent, call.Caller.Owner, call.Args))
}

func serveMCP(t testing.TB, opts *Options) (*serving, tools) {
	door := tools{started: make(chan struct{}, 8), ended: make(chan struct{}, 8)}
	server := mcp.NewServer(door, &mcp.ServerOptions{Caller: func(ctx context.Context, _ toolrest.Surface) toolrest.Caller {
		return toolrest.Caller{Agent: "main", Owner: IsOwner(ctx)}
	}})
	return serve(t, server.HTTPHandler(nil), opts), door
}

// withToken adds the token to each request.
type withToken struct {
	http.RoundTripper
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.RoundTripper.RoundTrip(r)
}

func (s *serving) connect(token, version string) (*sdk.ClientSession, error) {
	transport := &http.Transport{}
	s.t.Cleanup(transport.CloseIdleConnections)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	return client.Connect(context.Background(), &sdk.StreamableClientTransport{
		Endpoint: "http://" + s.addr + "/mcp", MaxRetries: -1,
		HTTPClient: &http.Client{Transport: withToken{transport, token}},
	}, &sdk.ClientSessionOptions{ProtocolVersion: version})
}

func TestClientThroughTheGateway(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			s, _ := serveMCP(t, nil)
			session, err := s.connect(secret, version)
			if err != nil {
				t.Fatal(err)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 2 {
				t.Fatalf("list %+v, %v", list, err)
			}
			var calls sync.WaitGroup
			for i := range 16 {
				calls.Go(func() {
					res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "quick", Arguments: map[string]any{"i": i}})
					if err != nil {
						t.Error(err)
						return
					}
					if got, want := res.Content[0].(*sdk.TextContent).Text, fmt.Sprintf(`main true {"i":%d}`, i); got != want {
						t.Errorf("got %q, want %q", got, want)
					}
				})
			}
			calls.Wait()
			if _, err := s.connect("wrong", version); err == nil {
				t.Error("the wrong token was let in")
			}
			session.Close()
			if err := s.end(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCancelThroughTheGateway(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			s, door := serveMCP(t, nil)
			session, err := s.connect(secret, version)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-door.started
				cancel()
			}()
			if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "slow"}); !errors.Is(err, context.Canceled) {
				t.Errorf("the client got %v", err)
			}
			select {
			case <-door.ended:
			case <-time.After(patience):
				t.Fatal("the call was not cancelled")
			}
			session.Close()
			if err := s.end(); err != nil {
				t.Error(err)
			}
		})
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// post sends a message of MCP and gives the response.
func (s *serving) post(method, body, session string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequest(method, "http://"+s.addr+"/mcp", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", bearer)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { res.Body.Close() })
	return res
}

func TestMessagesThroughTheGateway(t *testing.T) {
	s, _ := serveMCP(t, nil)
	large := bytes.Repeat([]byte("x"), 4<<20+1)
	tests := map[string]struct {
		body, session string
		status        int
		text          string
	}{
		"malformed":                     {`{"jsonrpc":`, "", 400, `"code":-32700`},
		"too large":                     {string(large), "", 413, "limit of 4194304 bytes"},
		"unknown session":               {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "nosuch", 404, "no open session"},
		"initialize in unknown session": {initialize, "nosuch", 200, `"protocolVersion":"2025-06-18"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s.t = t
			res := s.post(http.MethodPost, test.body, test.session)
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != test.status || !strings.Contains(string(body), test.text) || !json.Valid(body) {
				t.Errorf("%s %s %v", res.Status, body, err)
			}
			if test.status == http.StatusOK && res.Header.Get("Mcp-Session-Id") == "" {
				t.Error("no session")
			}
		})
	}
	s.t = t
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// The end of the context ends running calls, which are answered, and open
// streams.
func TestServeEndsWithStreamsAndCalls(t *testing.T) {
	s, door := serveMCP(t, nil)
	session := s.post(http.MethodPost, initialize, "").Header.Get("Mcp-Session-Id")
	stream := s.post(http.MethodGet, "", session)
	answer := make(chan string, 1)
	go func() {
		body, err := io.ReadAll(s.post(http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`, session).Body)
		if err != nil {
			t.Error(err)
		}
		answer <- string(body)
	}()
	<-door.started
	begin := time.Now()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("took %s", took)
	}
	<-door.ended
	if got := <-answer; !strings.Contains(got, "cancelled") {
		t.Errorf("the call was answered with %q", got)
	}
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream was cut and not ended: %v", err)
	}
	if conn, err := net.Dial("tcp", s.addr); err == nil {
		conn.Close()
		t.Error("it still accepts")
	}
}
