package openai

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

var update = flag.Bool("update", false, "write the golden files anew")

const png = "\x89PNG\r\n\x1a\n"

func open(t *testing.T, name string, opts *Options) *Client {
	t.Helper()
	c, err := New(name, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRequest sends the results of two calls, one with an image, which come
// back in the wrong order: the image follows all results and shares a message
// with what the user says next.
func TestRequest(t *testing.T) {
	calls := []*model.Call{{ID: "functions.read:0", Name: "read", Args: []byte(`{"path": "x"}`)}, {ID: strings.Repeat("b", 50), Name: "a.b"}}
	req := &model.Request{
		System: "be brief",
		Tools:  []model.Tool{{Name: "read", Description: "reads", Schema: []byte(`{"type":"object"}`)}, {Name: "a.b"}},
		Messages: []model.Message{
			model.User(model.Text("look")), model.User(model.Image([]byte(png), "image/png")),
			{Role: model.RoleAssistant, From: "openai/gpt-test-1", Blocks: []model.Block{
				{Kind: model.BlockThinking, Text: "never sent back"},
				model.Text("Reading."), {Kind: model.BlockThinking, Text: "hm"}, model.Text("Twice."),
				{Kind: model.BlockCall, Call: calls[0]}, {Kind: model.BlockCall, Call: calls[1]},
			}},
			model.Results(calls[1].Answer(&toolrest.Result{})),
			model.Results(calls[0].Answer(&toolrest.Result{
				Content: []toolrest.Content{toolrest.Text("x"), toolrest.Image([]byte(png), "image/png")}, IsError: true,
			})),
			model.User(model.Text("and now")),
			{Role: model.RoleAssistant, Blocks: []model.Block{{Kind: model.BlockThinking, Text: "thinking alone"}}},
			model.User(model.Text("well?")),
			{Role: model.RoleAssistant, Blocks: []model.Block{{Kind: model.BlockCall, Call: &model.Call{ID: "c", Name: "gone"}}}},
			model.Results(model.Result{CallID: "c", IsError: true, Content: []toolrest.Content{toolrest.Text("no such tool")}}),
		},
	}
	body, _, err := open(t, "gpt-test-1", nil).encode(req)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/request.json", append(got.Bytes(), '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/request.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(string(want)), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNewerModel runs against a server that refuses what the vendor's newer
// models refuse.
func TestNewerModel(t *testing.T) {
	s := modeltest.NewOpenAI(t, modeltest.Turn{Text: "a"}, modeltest.Turn{Text: "b"})
	c := open(t, "gpt-6-test", &Options{Access: model.Access{BaseURL: s.URL, APIKey: modeltest.Key, HTTPClient: s.Client()}, MaxTokens: 9})
	for _, tools := range [][]model.Tool{nil, {{Name: "t"}}} {
		req := &model.Request{Messages: []model.Message{model.User(model.Text("go"))}, Tools: tools}
		if _, err := modeltest.Collect(t, c.Stream(t.Context(), req)); err != nil {
			t.Error(err)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name, provider string
		max, asked     int
		want, not      string
	}{
		{"gpt-5.4", "openai", 0, 0, `"model"`, `max_`},
		{"gpt-5.4", "openai", 7, 0, `"max_completion_tokens":7`, `reasoning_effort`},
		{"gpt-5.6-luna", "openai", 7, 9, `"max_completion_tokens":9`, `"max_tokens"`},
		{"gpt-5.6-luna", "openai", 0, 0, `"reasoning_effort":"none"`, `max_`},
		{"gpt-5.6-luna", "ollama", 7, 0, `"max_tokens":7`, `reasoning_effort`},
	} {
		c := open(t, test.name, &Options{Access: model.Access{Provider: test.provider}, MaxTokens: test.max})
		body, _, err := c.encode(&model.Request{Messages: []model.Message{model.User(model.Text("x"))}, Tools: []model.Tool{{Name: "t"}}, MaxTokens: test.asked})
		if err != nil || !bytes.Contains(body, []byte(test.want)) || bytes.Contains(body, []byte(test.not)) {
			t.Errorf("%s of %s: %s, %v", test.name, test.provider, body, err)
		}
	}
}

func TestWantsNoEffort(t *testing.T) {
	for name, want := range map[string]bool{
		"gpt-4o": false, "gpt-4.1": false, "gpt-5": false, "gpt-5-mini": false, "gpt-5.5": false, "gpt-5.4-mini": false,
		"gpt-5.6": true, "gpt-5.6-terra": true, "gpt-5.10": true, "gpt-6-luna": true, "gpt-6.1-terra": true, "gpt-10": true,
		"o3": false, "qwen3": false, "my-gpt-6": false, "gpt-6x": false,
	} {
		if got := wantsNoEffort(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestNew(t *testing.T) {
	if _, err := New("m", &Options{Access: model.Access{BaseURL: "nowhere"}}); err == nil {
		t.Error("a base URL that is none was taken")
	}
	c := open(t, "m", &Options{Access: model.Access{APIKey: "sk-secret"}})
	if text := fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(text, "secret") || !strings.HasPrefix(text, "openai/m at https://api.openai.com/v1 ") {
		t.Errorf("%s", text)
	}
	s := modeltest.NewOpenAI(t)
	c = open(t, "m", &Options{Access: model.Access{BaseURL: s.URL, APIKey: modeltest.Key, HTTPClient: s.Client()}})
	if found, err := c.Models(t.Context()); err != nil || len(found) != 3 || found[0] != s.Models[0] {
		t.Errorf("%v, %v", found, err)
	}
}
