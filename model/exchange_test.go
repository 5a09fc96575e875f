package model

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func endpoint(t *testing.T, a Access) *Endpoint {
	t.Helper()
	e, err := NewEndpoint(APIOpenAI, "m", a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func response(status int, kind, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body))}
}

// send passes one response through an exchange and reads what comes out.
func send(x *Exchange, resp *http.Response) (string, error) {
	got, err := x.Send(nil, func(*http.Request) (*http.Response, error) { return resp, nil })
	if err != nil {
		return "", err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return string(body), err
}

func TestExchangeAcceptsStreams(t *testing.T) {
	e := endpoint(t, Access{BaseURL: "http://h"})
	for _, test := range []struct{ kind, body string }{
		{"text/event-stream", "anything"},
		{"text/event-stream; charset=utf-8", ""},
		{"", "data: {}\n\n"},
		{"text/plain", "event: x\n"},
		{"application/octet-stream", ": hello\n"},
	} {
		x := e.Begin(t.Context())
		if got, err := send(x, response(200, test.kind, test.body)); err != nil || got != test.body {
			t.Errorf("%q %q: %q, %v", test.kind, test.body, got, err)
		}
		x.Close()
	}
}

func TestExchangeRefusesAnswers(t *testing.T) {
	const key = "sk-secret-value"
	e := endpoint(t, Access{BaseURL: "http://h", BaseURLFrom: "$U", APIKey: key, KeyFrom: "$K"})
	page := "<html><head><title>Sign in</title><script>x()</script></head><body>to \x1b[31m <b>go</b> on " + key + "</body></html>"
	for name, test := range map[string]struct {
		status     int
		kind, body string
		want       Kind
		retry      bool
		texts      []string
	}{
		"page":          {200, "text/html", page, KindNotAPI, false, []string{`of text/html that does not look like a model API's: "Sign in to [31m go on [the key]"`, "check the base URL: http://h/v1 (from $U)"}},
		"page, 502":     {502, "text/html", page, KindNotAPI, true, []string{"status 502", "a proxy may have answered"}},
		"page as data":  {200, "text/html", "data: {}\n\n", KindNotAPI, false, nil},
		"nothing":       {200, "", "", KindNotAPI, false, []string{"unknown type"}},
		"text":          {404, "text/plain", "404 page not found", KindNotAPI, false, []string{`"404 page not found"`, "status 404"}},
		"whole answer":  {200, "application/json", `{"choices":[]}`, KindNotAPI, false, []string{"one JSON value where a stream"}},
		"error in 200":  {200, "application/json", `{"error":{"type":"overloaded_error","message":"busy"}}`, KindServer, true, []string{"busy", "status 529 overloaded_error"}},
		"401":           {401, "application/json", `{"error":{"message":"bad key ` + key + `","type":"invalid_request_error","code":"invalid_api_key"}}`, KindAuth, false, []string{"bad key [the key]", "status 401 invalid_api_key", "the key came from $K"}},
		"403":           {403, "application/json", `{"type":"error","error":{"type":"permission_error","message":"no"}}`, KindAuth, false, []string{"permission_error"}},
		"402":           {402, "application/json", `{"type":"error","error":{"type":"billing_error","message":"pay"}}`, KindQuota, false, []string{"billing page"}},
		"quota":         {429, "application/json", `{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}`, KindQuota, false, nil},
		"429":           {429, "application/json", `{"error":{"message":"slow","type":"requests","code":null}}`, KindRate, true, []string{"slow", "try again later"}},
		"500":           {500, "application/json", `{"error":"boom"}`, KindServer, true, []string{"the server failed: boom"}},
		"529":           {529, "application/json", `{"error":{"type":"overloaded_error","message":"x"}}`, KindServer, true, nil},
		"408":           {408, "application/json", `{}`, KindServer, true, nil},
		"400":           {400, "application/json", `{"error":{"message":"tools.0: bad","type":"invalid_request_error"}}`, KindRequest, false, []string{"refuses the request: tools.0: bad"}},
		"detail":        {422, "application/json", `{"detail":[{"loc":["body"]}]}`, KindRequest, false, []string{`[{"loc":["body"]}]`}},
		"context":       {400, "application/json", `{"error":{"message":"x","code":"context_length_exceeded"}}`, KindContext, false, []string{"shorten the conversation"}},
		"context words": {400, "application/json", `{"error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}`, KindContext, false, nil},
		"list":          {400, "application/json", `[{"error":{"code":400,"message":"as a list","status":"X"}}]`, KindRequest, false, []string{"as a list"}},
		"redirect":      {307, "", "", KindNotAPI, false, []string{"redirects are not followed"}},
		"huge":          {500, "application/json", `{"error":"` + strings.Repeat("x", 1<<20), KindNotAPI, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			x := e.Begin(t.Context())
			defer x.Close()
			_, err := send(x, response(test.status, test.kind, test.body))
			partial := &Message{}
			got := x.Fail(err, partial)
			if got.Kind != test.want || got.Retryable != test.retry || got.Partial != partial {
				t.Errorf("%s, retry %t: %v", got.Kind, got.Retryable, got)
			}
			text := got.Error()
			for _, want := range test.texts {
				if !strings.Contains(text, want) {
					t.Errorf("%q lacks %q", text, want)
				}
			}
			if strings.Contains(text, key) || strings.Contains(text, "\x1b") || len(text) > 1000 {
				t.Errorf("not safe: %q", text)
			}
		})
	}
}

func TestExchangeSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := endpoint(t, Access{BaseURL: "http://h", IdleTimeout: time.Minute})
		x := e.Begin(t.Context())
		defer x.Close()
		r, w := io.Pipe()
		defer context.AfterFunc(x.Context(), func() { r.CloseWithError(x.Context().Err()) })()
		start := time.Now()
		time.Sleep(30 * time.Second) // a late head begins the minute anew
		go func() {
			for range 5 { // and so does each piece
				time.Sleep(59 * time.Second)
				w.Write([]byte("x"))
			}
		}()
		resp := response(200, "text/event-stream", "")
		resp.Body = r
		got, err := send(x, resp)
		fault := x.Fail(err, nil)
		if got != "xxxxx" || fault.Kind != KindIdle || !fault.Retryable || time.Since(start) != 30*time.Second+5*59*time.Second+time.Minute {
			t.Errorf("%q, %v after %s", got, fault, time.Since(start))
		}
		if !strings.Contains(fault.Error(), "nothing arrived for 1m0s") {
			t.Errorf("%q", fault)
		}
	})
}

func TestExchangeFlood(t *testing.T) {
	e := endpoint(t, Access{BaseURL: "http://h"})
	x := e.Begin(t.Context())
	defer x.Close()
	x.limit = 10
	_, err := send(x, response(200, "text/event-stream", "12345678901"))
	if fault := x.Fail(err, nil); fault.Kind != KindOversized || fault.Retryable {
		t.Errorf("%v", fault)
	}
	x.limit = 11
	if got, err := send(x, response(200, "text/event-stream", "12345678901")); err != nil || len(got) != 11 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestExchangeFailures(t *testing.T) {
	refused := &url.Error{Op: "Post", URL: "http://h", Err: &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}
	for name, test := range map[string]struct {
		provider string
		began    bool
		err      error
		kind     Kind
		retry    bool
		texts    []string
	}{
		"refused":       {"vllm", false, refused, KindConnect, true, []string{"nothing listens at http://h/v1", "start it with `vllm serve"}},
		"refused there": {"far", false, refused, KindConnect, true, []string{"check the network and the base URL http://h/v1"}},
		"unknown host":  {"far", false, &net.DNSError{Err: "no such host", Name: "h"}, KindConnect, true, []string{"the host of http://h/v1 is not known"}},
		"odd":           {"far", false, errors.New("tls:\x1b bad"), KindConnect, true, []string{"cannot reach the server: tls: bad"}},
		"no answer":     {"far", false, nil, KindConnect, true, []string{"no answer"}},
		"early end":     {"far", true, nil, KindDropped, true, []string{"broke off before the answer was complete"}},
		"cut":           {"far", true, io.ErrUnexpectedEOF, KindDropped, true, nil},
		"reset":         {"far", true, os.NewSyscallError("read", syscall.ECONNRESET), KindDropped, true, nil},
		"http2":         {"far", true, errors.New("stream error: stream ID 1; INTERNAL_ERROR"), KindDropped, true, nil},
		"nonsense":      {"far", true, errors.New("invalid character 'x'"), KindNotAPI, false, []string{"not what this wire sends: invalid character 'x'"}},
	} {
		t.Run(name, func(t *testing.T) {
			x := endpoint(t, Access{Provider: test.provider, BaseURL: "http://h"}).Begin(t.Context())
			defer x.Close()
			x.began = test.began
			got := x.Fail(test.err, nil)
			if got.Kind != test.kind || got.Retryable != test.retry {
				t.Errorf("%s, retry %t: %v", got.Kind, got.Retryable, got)
			}
			for _, want := range test.texts {
				if !strings.Contains(got.Error(), want) {
					t.Errorf("%q lacks %q", got, want)
				}
			}
		})
	}
}

func TestExchangeCancelled(t *testing.T) {
	e := endpoint(t, Access{BaseURL: "http://h"})
	ctx, cancel := context.WithCancel(t.Context())
	x := e.Begin(ctx)
	defer x.Close()
	cancel()
	if got := x.Fail(io.ErrUnexpectedEOF, nil); got.Kind != KindCancelled || got.Retryable || !errors.Is(got, context.Canceled) {
		t.Errorf("%v", got)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 0)
	defer cancel()
	x = e.Begin(ctx)
	defer x.Close()
	if got := x.Fail(nil, nil); got.Kind != KindCancelled || !errors.Is(got, context.DeadlineExceeded) || !strings.Contains(got.Error(), "out of time") {
		t.Errorf("%v", got)
	}
}

func TestExchangeInStream(t *testing.T) {
	for body, want := range map[string]Kind{
		`{"type":"error","error":{"type":"overloaded_error","message":"x"}}`:      KindServer,
		`{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`:      KindRate,
		`{"type":"error","error":{"type":"invalid_request_error","message":"x"}}`: KindRequest,
		`{"type":"error","error":{"type":"authentication_error","message":"x"}}`:  KindAuth,
		`{"type":"error","error":{"type":"permission_error","message":"x"}}`:      KindAuth,
		`{"type":"error","error":{"type":"billing_error","message":"x"}}`:         KindQuota,
		`{"type":"error","error":{"type":"not_found_error","message":"x"}}`:       KindNotFound,
		`{"type":"error","error":{"type":"timeout_error","message":"x"}}`:         KindServer,
		`{"type":"error","error":{"type":"request_too_large","message":"x"}}`:     KindRequest,
		`{"error":"x"}`: KindServer,
		`x`:             KindServer,
	} {
		x := endpoint(t, Access{BaseURL: "http://h"}).Begin(t.Context())
		x.began = true
		x.Reported([]byte(body))
		if got := x.Fail(errors.New("whatever"), nil); got.Kind != want || !strings.Contains(got.Message, "x") {
			t.Errorf("%s: %v", body, got)
		}
		x.Close()
	}
}

func TestHintWithoutKey(t *testing.T) {
	for provider, want := range map[string]string{
		"openai": "no key was sent: set $OPENAI_API_KEY",
		"mine":   "no key was sent: set models.providers.mine.apiKey in the config",
	} {
		e := endpoint(t, Access{Provider: provider, BaseURL: "http://h"})
		if got := e.judge(401, words{Message: "no"}).Hint; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for in, want := range map[string]time.Duration{
		"":                              0,
		"30":                            30 * time.Second,
		"0.5":                           500 * time.Millisecond,
		"-3":                            0,
		"NaN":                           0,
		"1e300":                         24 * time.Hour,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute,
		"Fri, 02 Jan 2026 03:00:05 GMT": 0,
		"Fri, 02 Jan 2099 03:00:05 GMT": 24 * time.Hour,
		"soon":                          0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {in}}, now); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"250"}}, now); got != 250*time.Millisecond {
		t.Errorf("milliseconds: %s", got)
	}
}

// FuzzRefused sends anything as an answer: the error must be safe to print.
func FuzzRefused(f *testing.F) {
	f.Add(400, "application/json", `{"error":{"message":"a\u001b[0m\u202eb","type":7,"code":[1]}}`)
	f.Add(200, "text/html", "<script>never closed")
	f.Add(301, "x/y", "<<<<")
	f.Add(500, "", "[{\"error\":null}]")
	f.Fuzz(func(t *testing.T, status int, kind, body string) {
		e, err := NewEndpoint(APIOpenAI, "m", Access{BaseURL: "http://h", APIKey: "sk-secret-value"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := e.Begin(t.Context())
		defer x.Close()
		for _, got := range []*Error{e.refused(response(status, kind, ""), kind, []byte(body)), e.inStream([]byte(body))} {
			text := got.Error()
			if len(text) > 4000 || strings.Contains(text, "sk-secret-value") {
				t.Errorf("%q", text)
			}
			for _, r := range strings.ReplaceAll(text, "\n", " ") {
				if r != ' ' && unprintable(r) {
					t.Errorf("%q holds %q", text, r)
				}
			}
		}
	})
}
