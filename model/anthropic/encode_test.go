package anthropic

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

func open(t *testing.T, opts *Options) *Client {
	t.Helper()
	c, err := New("claude-test-1", opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// conversation has everything that can be sent: the results of two calls, one
// with an image, come back in the wrong order and in two messages, and the
// user goes on at once.
func conversation() []model.Message {
	calls := []*model.Call{{ID: "a", Name: "read", Args: []byte(`{"path": "x"}`)}, {ID: "b", Name: "read"}}
	return []model.Message{
		model.User(model.Text("look"), model.Image([]byte(png), "image/png")),
		{Role: model.RoleAssistant, From: "anthropic/claude-test-1", Blocks: []model.Block{
			{Kind: model.BlockThinking, Text: "hm", Signature: "sig"},
			{Kind: model.BlockThinking, Signature: "hidden"},
			{Kind: model.BlockThinking, Redacted: "opaque"},
			{Kind: model.BlockThinking, Text: "broken off, so nobody signed it"},
			model.Text("Reading."), model.Text(" "),
			{Kind: model.BlockCall, Call: calls[0]}, {Kind: model.BlockCall, Call: calls[1]},
		}},
		model.Results(calls[1].Answer(toolrest.TextResult("y"))),
		model.Results(calls[0].Answer(&toolrest.Result{
			Content: []toolrest.Content{toolrest.Text("x"), toolrest.Image([]byte(png), "image/png")}, IsError: true,
		})),
		model.User(model.Text("and now")),
		{Role: model.RoleAssistant, From: "anthropic/claude-other", Blocks: []model.Block{
			{Kind: model.BlockThinking, Text: "of another model", Signature: "sig"},
		}},
		model.User(model.Text("well?")),
	}
}

func TestRequest(t *testing.T) {
	tools := []model.Tool{{Name: "read", Description: "reads", Schema: []byte(`{"type":"object"}`)}, {Name: "a.b"}}
	body, _, err := open(t, nil).encode(&model.Request{System: "be brief", Messages: conversation(), Tools: tools})
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

// TestResultsComeFirst is the rule that other agents have broken: all results
// contiguous at the head of one user message, images inside.
func TestResultsComeFirst(t *testing.T) {
	calls := []model.Call{{ID: "a", Name: "t"}, {ID: "b", Name: "t"}}
	s := modeltest.NewAnthropic(t, modeltest.Turn{Text: "ok", Expect: func(t testing.TB, r *modeltest.Request) {
		if len(r.Results) != 2 || r.Results[0].ID != "a" || r.Images != 1 {
			t.Errorf("%+v", r)
		}
	}})
	c := open(t, &Options{Access: model.Access{BaseURL: s.URL, APIKey: modeltest.Key, HTTPClient: s.Client()}})
	req := &model.Request{Messages: []model.Message{
		model.User(model.Text("go")),
		{Role: model.RoleAssistant, Blocks: []model.Block{{Kind: model.BlockCall, Call: &calls[0]}, {Kind: model.BlockCall, Call: &calls[1]}}},
		model.Results(
			calls[0].Answer(&toolrest.Result{Content: []toolrest.Content{toolrest.Text("x"), toolrest.Image([]byte(png), "image/png")}}),
			calls[1].Answer(toolrest.TextResult("y"))),
	}}
	if _, err := modeltest.Collect(t, c.Stream(t.Context(), req)); err != nil {
		t.Error(err)
	}
}

// TestThinkingGoesBack runs against a server that knows what it signed.
func TestThinkingGoesBack(t *testing.T) {
	s := modeltest.NewAnthropic(t,
		modeltest.Turn{Thinking: "first", Redacted: "b3BhcXVl", Calls: []modeltest.Call{{ID: "a", Name: "t", Args: "{}"}}},
		modeltest.Turn{Text: "ok", Expect: func(t testing.TB, r *modeltest.Request) {
			for _, want := range []string{`"thinking":"first","signature":"sig-`, `{"type":"redacted_thinking","data":"b3BhcXVl"}`} {
				if !bytes.Contains(r.Body, []byte(want)) {
					t.Errorf("%s lacks %s", r.Body, want)
				}
			}
		}})
	c := open(t, &Options{Access: model.Access{BaseURL: s.URL, APIKey: modeltest.Key, HTTPClient: s.Client()}})
	req := &model.Request{Messages: []model.Message{model.User(model.Text("go"))}}
	done, err := modeltest.Collect(t, c.Stream(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages, done.Message, model.Results(done.Message.Calls()[0].Answer(toolrest.TextResult("x"))))
	if _, err := modeltest.Collect(t, c.Stream(t.Context(), req)); err != nil {
		t.Error(err)
	}
}

// TestPauses sends a paused turn back as it is, and the rest makes it whole.
func TestPauses(t *testing.T) {
	s := modeltest.NewAnthropic(t, modeltest.Turn{Text: "half", Stop: "pause"}, modeltest.Turn{Text: "whole"}, modeltest.Turn{Text: "more"})
	c := open(t, &Options{Access: model.Access{BaseURL: s.URL, APIKey: modeltest.Key, HTTPClient: s.Client()}})
	req := &model.Request{Messages: []model.Message{model.User(model.Text("go"))}}
	for _, want := range []model.Stop{model.StopPause, model.StopEnd} {
		done, err := modeltest.Collect(t, c.Stream(t.Context(), req))
		if err != nil || done.Stop != want {
			t.Fatalf("%+v, %v, want %s", done, err, want)
		}
		req.Messages = append(req.Messages, done.Message)
	}
	req.Messages = append(req.Messages, model.User(model.Text("on")))
	if _, err := modeltest.Collect(t, c.Stream(t.Context(), req)); err != nil {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		opts *Options
		req  int
		want string
	}{
		{nil, 0, `"max_tokens":32000`}, {&Options{MaxTokens: 7}, 0, `"max_tokens":7`}, {&Options{MaxTokens: 7}, 9, `"max_tokens":9`},
	} {
		body, _, err := open(t, test.opts).encode(&model.Request{Messages: conversation(), MaxTokens: test.req})
		if err != nil || !bytes.Contains(body, []byte(test.want)) {
			t.Errorf("%s, %v, want %s", body, err, test.want)
		}
	}
}

func TestNew(t *testing.T) {
	if _, err := New("m", &Options{Access: model.Access{BaseURL: "nowhere"}}); err == nil {
		t.Error("a base URL that is none was taken")
	}
	c := open(t, &Options{Access: model.Access{APIKey: "sk-secret"}})
	if text := fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(text, "secret") || !strings.HasPrefix(text, "anthropic/claude-test-1 at https://api.anthropic.com ") {
		t.Errorf("%s", text)
	}
	s := modeltest.NewAnthropic(t)
	c = open(t, &Options{Access: model.Access{BaseURL: s.URL, APIKey: modeltest.Key, HTTPClient: s.Client()}})
	if found, err := c.Models(t.Context()); err != nil || len(found) != 2 || found[0] != s.Models[0] {
		t.Errorf("%v, %v", found, err)
	}
}
