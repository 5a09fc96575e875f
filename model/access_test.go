package model

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestBaseURL(t *testing.T) {
	for _, test := range []struct {
		api      API
		in, want string
	}{
		{APIOpenAI, "http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"},
		{APIOpenAI, "http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1"},
		{APIOpenAI, "http://h/v1/", "http://h/v1"},
		{APIOpenAI, "https://h/api/v3/chat/completions", "https://h/api/v3"},
		{APIOpenAI, "https://h/chat/completions", "https://h/v1"},
		{APIAnthropic, "https://h", "https://h"},
		{APIAnthropic, "https://h/v1", "https://h"},
		{APIAnthropic, " https://h/x/v1/messages/ ", "https://h/x"},
		{APIAnthropic, "https://h/a%2Fb", "https://h/a%2Fb"},
	} {
		if got, err := baseURL(test.api, test.in); err != nil || got != test.want {
			t.Errorf("%s %q: %q, %v, want %q", test.api, test.in, got, err, test.want)
		}
	}
	for in, want := range map[string]string{
		"":                    "no http or https URL",
		"h/v1":                "no http or https URL",
		"ftp://h":             "no http or https URL",
		"http://":             "no http or https URL",
		"http://h?key=x":      "a query or a fragment",
		"http://h#x":          "a query or a fragment",
		"http://me:secret@h":  "a user or password",
		"http://secret\x7f@h": "it is no URL",
	} {
		if _, err := baseURL(APIOpenAI, in); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

func TestEndpoint(t *testing.T) {
	e, err := NewEndpoint(APIOpenAI, "m", Access{Provider: "ollama"}, nil)
	if err != nil || e.String() != "ollama/m at http://127.0.0.1:11434/v1" || e.Key() != "" {
		t.Errorf("%v, %v", e, err)
	}
	e, err = NewEndpoint(APIAnthropic, "m", Access{}, nil)
	if err != nil || e.Ref().String() != "anthropic/m" || e.BaseURL() != "https://api.anthropic.com" {
		t.Errorf("%v, %v", e, err)
	}
	e, err = NewEndpoint(APIOpenAI, "m", Access{Provider: "unheard-of"}, nil)
	if err != nil || e.BaseURL() != "https://api.openai.com/v1" {
		t.Errorf("%v, %v", e, err)
	}
	for want, a := range map[string]Access{
		"base URL of x (from f:1:2): it has a query":           {Provider: "x", BaseURL: "http://h?a", BaseURLFrom: "f:1:2"},
		"the key of openai (from $K) holds characters that no": {APIKey: "sk-\nsecret", KeyFrom: "$K"},
	} {
		if _, err := NewEndpoint(APIOpenAI, "m", a, nil); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an endpoint without a model was made")
		}
	}()
	_, _ = NewEndpoint(APIOpenAI, " ", Access{}, nil)
}

func TestKeysAreNotPrinted(t *testing.T) {
	a := Access{Provider: "p", BaseURL: "http://h", APIKey: " sk-secret-1 ", KeyFrom: "$K"}
	e, err := NewEndpoint(APIOpenAI, "m", a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Key() != "sk-secret-1" {
		t.Errorf("key %q", e.Key())
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(format+" "+format, a, e); strings.Contains(text, "secret") {
			t.Errorf("%s prints %s", format, text)
		}
	}
	if text := fmt.Sprint(a); text != "p at http://h with a key from $K" {
		t.Errorf("%q", text)
	}
}

func TestModels(t *testing.T) {
	var status int
	var kind, body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("asked %s with %q", r.URL, r.Header.Get("Authorization"))
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	defer server.Close()
	probe := HTTPProbe(server.Client())
	for name, test := range map[string]struct {
		status     int
		kind, body string
		want       []string
		err        string
	}{
		"fine":         {200, "application/json", `{"data":[{"id":"b"},{"id":"a"}]}`, []string{"b", "a"}, ""},
		"empty":        {200, "application/json; charset=utf-8", `{"data":[]}`, nil, ""},
		"odd names":    {200, "application/json", `{"data":[{"id":"\u001b[31m"},{"id":""},{"id":"a b"},{"id":"ok"},{"id":"` + strings.Repeat("x", 300) + `"}]}`, []string{"ok"}, ""},
		"status":       {403, "application/json", `{"data":[{"id":"b"}]}`, nil, "status 403"},
		"page":         {200, "text/html", "<html>", nil, "no JSON"},
		"another JSON": {200, "application/json", `{"ok":true}`, nil, "no list of models"},
		"broken":       {200, "application/json", `{"data":[`, nil, "no list of models"},
		"endless":      {200, "application/json", `{"data":["` + strings.Repeat("x", 2<<20), nil, "no list of models"},
	} {
		status, kind, body = test.status, test.kind, test.body
		got, err := probe(t.Context(), server.URL, "k")
		if !slices.Equal(got, test.want) || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := probe(t.Context(), "http://a:b@h", ""); err == nil {
		t.Error("a URL with a password was asked")
	}
}

func FuzzReadList(f *testing.F) {
	f.Add(`{"data":[{"id":"a"}]}`)
	f.Add(`{"data":null}`)
	f.Add(`{"data":[{"id":"\ud800"}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		found, _ := readList(strings.NewReader(body))
		for _, m := range found {
			if m == "" || len(m) > maxName || strings.ContainsFunc(m, unprintable) {
				t.Errorf("model %q", m)
			}
		}
	})
}
