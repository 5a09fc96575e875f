package modeltest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/model/modeltest"
)

// TestStrict sends raw requests: each rule of the servers must bite.
func TestStrict(t *testing.T) {
	const (
		anthropicC = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{}},{"type":"tool_use","id":"b","name":"t","input":{}}]}`
		openaiC    = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"t","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"t","arguments":"{}"}}]}`
		user       = `{"role":"user","content":"hi"}`
	)
	for wire, w := range map[string]struct {
		start   func(testing.TB, ...modeltest.Turn) *modeltest.Server
		path    string
		replace *strings.Replacer
		problem func(body []byte) (kind, message string)
	}{
		"anthropic": {
			modeltest.NewAnthropic, "/v1/messages",
			strings.NewReplacer("HEAD", `"model":"claude-test-1","max_tokens":10`, "[U", "["+user, ",U", ","+user, ",C", ","+anthropicC),
			func(body []byte) (string, string) {
				var p struct {
					Type  string
					Error struct{ Type, Message string }
				}
				if json.Unmarshal(body, &p) != nil || p.Type != "error" {
					return "", ""
				}
				return p.Error.Type, p.Error.Message
			},
		},
		"openai": {
			modeltest.NewOpenAI, "/chat/completions",
			strings.NewReplacer("HEAD", `"model":"gpt-test-1"`, "[U", "["+user, ",U", ","+user, ",C", ","+openaiC),
			func(body []byte) (string, string) {
				var p struct {
					Error struct {
						Type, Message string
						Param, Code   *string
					}
				}
				if json.Unmarshal(body, &p) != nil || !bytes.Contains(body, []byte(`"param":`)) || !bytes.Contains(body, []byte(`"code":`)) {
					return "", ""
				}
				return p.Error.Type, p.Error.Message
			},
		},
	} {
		archive, err := txtar.ParseFile("testdata/" + wire + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			t.Run(wire+"/"+f.Name, func(t *testing.T) {
				head, body, _ := strings.Cut(string(f.Data), "\n")
				var status int
				fmt.Sscan(head, &status)
				_, want, _ := strings.Cut(head, " ")
				var turns []modeltest.Turn
				if status == http.StatusOK {
					turns = []modeltest.Turn{{Text: "ok"}}
				}
				s := w.start(t, turns...)
				s.AllowRefusals()
				got, answer := post(t, s, s.URL+w.path, w.replace.Replace(body), goodHeader())
				if got != status {
					t.Fatalf("status %d, want %d: %s", got, status, answer)
				}
				if status == http.StatusOK {
					return
				}
				kind, message := w.problem(answer)
				if !strings.HasSuffix(kind, "_error") || !strings.Contains(message, want) {
					t.Errorf("type %q, message %q, want %q", kind, message, want)
				}
				if len(s.Refusals()) != 1 || len(s.Requests()) != 0 {
					t.Errorf("recorded: %v, %v", s.Refusals(), s.Requests())
				}
			})
		}
	}
}

func goodHeader() http.Header {
	return http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + modeltest.Key}, "Anthropic-Version": {"2026-10-21"}}
}

func post(t *testing.T, s *modeltest.Server, url, body string, header http.Header) (int, []byte) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

func TestStrictHeaders(t *testing.T) {
	good := `{"model":"claude-test-1","max_tokens":10,"messages":[{"role":"user","content":"hi"}]}`
	for name, test := range map[string]struct {
		change func(h http.Header)
		path   string
		body   string
		status int
		want   string
	}{
		"no key":       {func(h http.Header) { h.Del("Authorization") }, "/v1/messages", good, 401, "authentication_error"},
		"wrong key":    {func(h http.Header) { h.Set("Authorization", "Bearer x") }, "/v1/messages", good, 401, "authentication_error"},
		"no version":   {func(h http.Header) { h.Del("Anthropic-Version") }, "/v1/messages", good, 400, "not a valid version"},
		"odd version":  {func(h http.Header) { h.Set("Anthropic-Version", "2020-01-01") }, "/v1/messages", good, 400, "not a valid version"},
		"content type": {func(h http.Header) { h.Set("Content-Type", "text/plain") }, "/v1/messages", good, 400, "content type"},
		"path":         {func(http.Header) {}, "/v1/message", good, 404, "not_found_error"},
		"too large":    {func(http.Header) {}, "/v1/messages", strings.Repeat(" ", 33<<20), 413, "request_too_large"},
		"list, no key": {func(h http.Header) { h.Del("Authorization") }, "/v1/models", "", 404, "not_found_error"},
	} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.NewAnthropic(t)
			s.AllowRefusals()
			header := goodHeader()
			test.change(header)
			status, body := post(t, s, s.URL+test.path, test.body, header)
			if status != test.status || !bytes.Contains(body, []byte(test.want)) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	t.Run("fine", func(t *testing.T) {
		s := modeltest.NewAnthropic(t, modeltest.Turn{Text: "a"}, modeltest.Turn{Text: "b"})
		header := goodHeader()
		header.Del("Authorization")
		header.Set("X-Api-Key", modeltest.Key)
		header.Set("Anthropic-Version", "2023-06-01")
		for _, body := range []string{good, strings.Replace(good, "{", `{"temperature":1,`, 1)} {
			if status, answer := post(t, s, s.URL+"/v1/messages", body, header); status != 200 {
				t.Errorf("%d %s", status, answer)
			}
		}
	})
	t.Run("method", func(t *testing.T) {
		s := modeltest.NewAnthropic(t)
		s.AllowRefusals()
		resp, err := s.Client().Get(s.URL + "/v1/messages")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("status %d", resp.StatusCode)
		}
	})
}

func TestStrictNumberOfTools(t *testing.T) {
	s := modeltest.NewOpenAI(t, modeltest.Turn{Text: "ok"})
	s.AllowRefusals()
	for count, want := range map[int]int{128: 200, 129: 400} {
		var tools []string
		for i := range count {
			tools = append(tools, fmt.Sprintf(`{"type":"function","function":{"name":"t%d"}}`, i))
		}
		body := `{"model":"gpt-test-1","messages":[{"role":"user","content":"hi"}],"tools":[` + strings.Join(tools, ",") + `]}`
		if got, answer := post(t, s, s.URL+"/chat/completions", body, goodHeader()); got != want {
			t.Errorf("%d tools: status %d: %s", count, got, answer)
		}
	}
}

// spy is a test that does not fail but remembers.
type spy struct {
	testing.TB
	mu       sync.Mutex
	errors   []string
	cleanups []func()
}

func (s *spy) Errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = append(s.errors, fmt.Sprintf(format, args...))
}

func (s *spy) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

// end runs the cleanups and gives the errors.
func (s *spy) end() string {
	for _, f := range s.cleanups {
		f()
	}
	return strings.Join(s.errors, "\n")
}

// TestServersFailTests checks that a wrong client cannot go unseen.
func TestServersFailTests(t *testing.T) {
	const good = `{"model":"gpt-test-1","messages":[{"role":"user","content":"hi"}]}`
	for name, test := range map[string]struct {
		turns  []modeltest.Turn
		bodies []string
		want   string
	}{
		"fine":           {[]modeltest.Turn{{Text: "a"}}, []string{good}, ""},
		"a turn is left": {[]modeltest.Turn{{Text: "a"}, {Text: "b"}}, []string{good}, "has 2 turns, 1 were played"},
		"one too many":   {[]modeltest.Turn{{Text: "a"}}, []string{good, good}, "the script is over"},
		"refused":        {nil, []string{"{}"}, "refused with status 400: Invalid 'model': Field required"},
		"fault too late": {[]modeltest.Turn{{Text: "a", Fault: &modeltest.Fault{Kind: modeltest.FaultEnd, After: 99}}}, []string{good}, "a fault after 99 events"},
		"expectation": {[]modeltest.Turn{{Text: "a", Expect: func(t testing.TB, r *modeltest.Request) {
			t.Errorf("the user said %q", r.User)
		}}}, []string{good}, `the user said "hi"`},
	} {
		t.Run(name, func(t *testing.T) {
			inner := &spy{TB: t}
			s := modeltest.NewOpenAI(inner, test.turns...)
			for _, body := range test.bodies {
				post(t, s, s.URL+"/chat/completions", body, goodHeader())
			}
			got := inner.end()
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("errors %q, want %q", got, test.want)
			}
		})
	}
}
