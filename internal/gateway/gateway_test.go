package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret = "owner-0123456789abcdef"
	bearer = "Bearer " + secret
	// patience is how long a test waits for what must come.
	patience = 20 * time.Second
)

// echo is an endpoint that answers with what it got and is strict about what
// must not reach it.
type echo struct {
	t        testing.TB
	mu       sync.Mutex // guards the fields below
	requests int
	shut     int
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	e.requests++
	e.mu.Unlock()
	if !IsOwner(r.Context()) || r.URL.Path != "/mcp" {
		e.t.Errorf("%s came through as owner %v", r.URL.Path, IsOwner(r.Context()))
	}
	if r.Header.Get("Authorization") != "" {
		e.t.Error("the token reached the endpoint")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || int64(len(body)) != r.ContentLength {
		e.t.Errorf("body of %d bytes, length %d: %v", len(body), r.ContentLength, err)
	}
	_, _ = w.Write(append([]byte("echo "), body...))
}

func (e *echo) Shutdown(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.shut++
	return nil
}

// message is the error of a refusal.
func message(t testing.TB, body string) string {
	t.Helper()
	var got struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Version != "2.0" || string(got.ID) != "null" || got.Error.Code == 0 {
		t.Fatalf("no JSON-RPC error: %q (%v)", body, err)
	}
	return got.Error.Message
}

// ask serves one request without a network; headers are "Name: value", where
// Host is the request's host.
func ask(g *Gateway, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "127.0.0.1:7331"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w
}

func TestAuthorisation(t *testing.T) {
	const auth = "Authorization: "
	tests := map[string]struct {
		target  string
		headers []string
		text    string // of the refusal; empty when the request is let in
	}{
		"the token":                {"/mcp", []string{auth + bearer}, ""},
		"scheme in small letters":  {"/mcp", []string{auth + "bearer " + secret}, ""},
		"spaces around":            {"/mcp", []string{auth + " BEARER   " + secret + " "}, ""},
		"none":                     {"/mcp", nil, "no token"},
		"empty":                    {"/mcp", []string{auth + ""}, "not one of the scheme"},
		"no scheme":                {"/mcp", []string{auth + secret}, "not one of the scheme"},
		"scheme alone":             {"/mcp", []string{auth + "Bearer"}, "not the right one"},
		"scheme and space":         {"/mcp", []string{auth + "Bearer "}, "not the right one"},
		"basic":                    {"/mcp", []string{auth + "Basic " + secret}, "not one of the scheme"},
		"wrong":                    {"/mcp", []string{auth + "Bearer wrong"}, "not the right one"},
		"prefix":                   {"/mcp", []string{auth + bearer[:len(bearer)-1]}, "not the right one"},
		"longer":                   {"/mcp", []string{auth + bearer + "x"}, "not the right one"},
		"other case":               {"/mcp", []string{auth + strings.ToUpper(bearer)}, "not the right one"},
		"two words":                {"/mcp", []string{auth + bearer + " " + secret}, "not the right one"},
		"two headers":              {"/mcp", []string{auth + bearer, auth + bearer}, "more than one"},
		"wrong first":              {"/mcp", []string{auth + "Bearer wrong", auth + bearer}, "more than one"},
		"another header":           {"/mcp", []string{"X-Token: " + secret}, "no token"},
		"cookie":                   {"/mcp", []string{"Cookie: token=" + secret}, "no token"},
		"query":                    {"/mcp?token=" + secret, nil, "a token in the address"},
		"query as well":            {"/mcp?access_token=" + secret, []string{auth + bearer}, "a token in the address"},
		"query in capitals":        {"/mcp?Access-Token=x", []string{auth + bearer}, "a token in the address"},
		"query that is broken":     {"/mcp?%zz&api_key=x", []string{auth + bearer}, "a token in the address"},
		"query with semicolons":    {"/mcp?a=b;c&key=x", []string{auth + bearer}, "a token in the address"},
		"query of no concern":      {"/mcp?x=1", []string{auth + bearer}, ""},
		"password in the address":  {"http://token:" + secret + "@127.0.0.1/mcp", nil, "no token"},
		"nothing but the fragment": {"/mcp?", nil, "no token"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			mcp := &echo{t: t}
			g := New(mcp, secret, &Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
			w := ask(g, http.MethodPost, test.target, "hello", test.headers...)
			if test.text == "" {
				if w.Code != http.StatusOK || w.Body.String() != "echo hello" {
					t.Errorf("%d %s", w.Code, w.Body)
				}
				return
			}
			if w.Code != http.StatusUnauthorized || mcp.requests != 0 {
				t.Errorf("status %d, %d requests came through", w.Code, mcp.requests)
			}
			got := message(t, w.Body.String())
			if !strings.Contains(got, test.text) || !strings.Contains(got, "file `token` of the state folder") {
				t.Errorf("message %q", got)
			}
			if !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer") || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("headers %v", w.Header())
			}
			for _, text := range []string{w.Body.String(), log.String(), w.Header().Get("WWW-Authenticate")} {
				if strings.Contains(strings.ToLower(text), "0123456789") || strings.Contains(text, "wrong") {
					t.Errorf("repeats what came: %s", text)
				}
			}
			if log.Len() == 0 {
				t.Error("the refusal is not in the log")
			}
		})
	}
}

func TestHostsAndOrigins(t *testing.T) {
	tests := map[string]struct {
		headers []string
		ok      bool
	}{
		"IPv4":                      {[]string{"Host: 127.0.0.1:7331"}, true},
		"IPv4 without a port":       {[]string{"Host: 127.0.0.1"}, true},
		"another loopback address":  {[]string{"Host: 127.8.9.1:80"}, true},
		"IPv6":                      {[]string{"Host: [::1]:7331"}, true},
		"IPv6 without a port":       {[]string{"Host: [::1]"}, true},
		"IPv4 in IPv6":              {[]string{"Host: [::ffff:127.0.0.1]:1"}, true},
		"name":                      {[]string{"Host: localhost:7331"}, true},
		"name in capitals":          {[]string{"Host: LOCALHOST"}, true},
		"none":                      {[]string{"Host: "}, false},
		"port alone":                {[]string{"Host: :7331"}, false},
		"rebound name":              {[]string{"Host: evil.example:7331"}, false},
		"name that ends well":       {[]string{"Host: evil-localhost"}, false},
		"name that begins well":     {[]string{"Host: localhost.evil.example"}, false},
		"address that begins well":  {[]string{"Host: 127.0.0.1.evil.example"}, false},
		"any address":               {[]string{"Host: 0.0.0.0:7331"}, false},
		"any address of IPv6":       {[]string{"Host: [::]:7331"}, false},
		"private address":           {[]string{"Host: 192.168.1.2"}, false},
		"address as a number":       {[]string{"Host: 2130706433"}, false},
		"address in octal":          {[]string{"Host: 0177.0.0.1"}, false},
		"short address":             {[]string{"Host: 127.1"}, false},
		"open bracket":              {[]string{"Host: [::1"}, false},
		"user in front":             {[]string{"Host: localhost@evil.example"}, false},
		"origin":                    {[]string{"Origin: http://localhost:6274"}, true},
		"origin of an address":      {[]string{"Origin: https://127.0.0.1"}, true},
		"origin of IPv6":            {[]string{"Origin: http://[::1]:99"}, true},
		"foreign origin":            {[]string{"Origin: https://evil.example"}, false},
		"origin null":               {[]string{"Origin: null"}, false},
		"origin empty":              {[]string{"Origin: "}, false},
		"origin of a file":          {[]string{"Origin: file://"}, false},
		"origin of an extension":    {[]string{"Origin: chrome-extension://localhost"}, false},
		"origin with a user":        {[]string{"Origin: http://localhost@evil.example"}, false},
		"origin with another user":  {[]string{"Origin: http://evil@localhost"}, false},
		"origin that is no address": {[]string{"Origin: %zz"}, false},
		"one of two origins":        {[]string{"Origin: http://localhost", "Origin: https://evil.example"}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/mcp", "/healthz", "/readyz", "/nosuch"} {
				mcp := &echo{t: t}
				w := ask(New(mcp, secret, nil), http.MethodGet, path, "", append(test.headers, "Authorization: "+bearer)...)
				if refused := w.Code == http.StatusForbidden; refused == test.ok {
					t.Errorf("%s: status %d", path, w.Code)
				}
				if w.Code != http.StatusForbidden {
					continue
				}
				if got := message(t, w.Body.String()); strings.Contains(got, "evil") || mcp.requests != 0 {
					t.Errorf("%s: %d requests came through; message %q", path, mcp.requests, got)
				}
			}
		})
	}
}

func TestRoutes(t *testing.T) {
	ready := errors.New("no config at /secret/place")
	broken := &Options{Ready: func(context.Context) error { return ready }}
	tests := map[string]struct {
		opts         *Options
		method, path string
		status       int
		body         string
	}{
		"health":               {nil, "GET", "/healthz", 200, `{"status":"ok"}`},
		"health, head":         {nil, "HEAD", "/healthz", 200, ""},
		"health, post":         {nil, "POST", "/healthz", 405, "a health check is a GET"},
		"health of the broken": {broken, "GET", "/healthz", 200, `{"status":"ok"}`},
		"ready":                {nil, "GET", "/readyz", 200, `{"status":"ok"}`},
		"not ready":            {broken, "GET", "/readyz", 503, `{"status":"not ready"}`},
		"root":                 {nil, "GET", "/", 404, "MCP is at /mcp"},
		"unknown":              {nil, "GET", "/admin", 404, "MCP is at /mcp"},
		"slash behind":         {nil, "POST", "/mcp/", 404, "MCP is at /mcp"},
		"way around":           {nil, "POST", "/x/../mcp", 404, "MCP is at /mcp"},
		"encoded":              {nil, "POST", "/%2fmcp", 404, "MCP is at /mcp"},
		"options":              {nil, "OPTIONS", "/mcp", 401, "no token"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := ask(New(&echo{t: t}, secret, test.opts), test.method, test.path, "")
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
			}
			if strings.Contains(w.Body.String(), "secret") || !json.Valid(w.Body.Bytes()) {
				t.Errorf("body %q", w.Body)
			}
		})
	}
}

func TestIsOwner(t *testing.T) {
	if IsOwner(t.Context()) || !IsOwner(asOwner(t.Context())) {
		t.Error("the owner is not who came with the token")
	}
}

func TestNewPanics(t *testing.T) {
	for name, build := range map[string]func(){
		"no endpoint": func() { New(nil, secret, nil) },
		"no token":    func() { New(&echo{t: t}, "", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			build()
		})
	}
}
