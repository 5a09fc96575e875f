package model

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
)

// TestMessagesAreStored keeps what a broken stream left: arguments that are
// cut off must survive a transcript byte for byte.
func TestMessagesAreStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.OneOf(
			rapid.SampledFrom([]string{``, `{"a": 1 }`, `{"path": "a\u00e9`, `{}{}`, "\t<b>&\x00", `not json`}),
			rapid.String(),
		).Draw(t, "args")
		m := Message{Role: RoleAssistant, From: "p/m", Blocks: []Block{
			{Kind: BlockThinking, Text: "t", Signature: "s"}, {Kind: BlockThinking, Redacted: "r"},
			Text("x"), {Kind: BlockCall, Call: &Call{ID: "1", Name: "n", Args: json.RawMessage(args)}},
		}}
		if args == "" {
			m.Blocks[3].Call.Args = nil
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Message
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m, back) {
			t.Fatalf("%s\nbecame %+v", raw, back)
		}
	})
}

func TestMessageParts(t *testing.T) {
	call := Call{ID: "1", Name: "read"}
	m := Message{Role: RoleAssistant, Blocks: []Block{Text("a"), {Kind: BlockCall, Call: &call}, Text("b")}}
	if m.Text() != "ab" || len(m.Calls()) != 1 || m.Calls()[0].Name != "read" {
		t.Errorf("%q, %v", m.Text(), m.Calls())
	}
	r := call.Answer(&toolrest.Result{Content: []toolrest.Content{toolrest.Text("x")}, IsError: true})
	if r.CallID != "1" || r.Name != "read" || !r.IsError || r.Content[0].Text != "x" {
		t.Errorf("%+v", r)
	}
	if r := call.Answer(nil); !r.IsError || r.CallID != "1" {
		t.Errorf("%+v", r)
	}
	two := Results(Result{CallID: "1"}, Result{CallID: "2"})
	if two.Role != RoleResults || two.Blocks[0].Result.CallID != "1" || two.Blocks[1].Result.CallID != "2" {
		t.Errorf("%+v", two)
	}
	if err := json.Unmarshal([]byte(`{"id":1}`), &call); err == nil {
		t.Error("a call with a number as id was read")
	}
}

func TestDraft(t *testing.T) {
	d := Draft{From: "p/m", Taken: map[string]bool{"old": true}}
	if !d.Empty() || d.Partial() != nil {
		t.Error("a new draft is not empty")
	}
	d.Thinking("let ")
	d.Thinking("me")
	d.Sign("s1")
	d.Sign("s2")
	d.Redact("opaque")
	d.Text("a")
	d.Text("b")
	d.Break()
	d.Text("c")
	first := d.Call("x", "read")
	twice := d.Call("x", "read")
	old := d.Call("old", "read")
	none := d.Call("", "read")
	d.Args(first.ID, `{"a`)
	d.Args(none.ID, `{}`)
	d.Args(first.ID, `":1}`)
	m := *d.Partial()
	want := []Block{
		{Kind: BlockThinking, Text: "let me", Signature: "s1s2"}, {Kind: BlockThinking, Redacted: "opaque"},
		Text("ab"), Text("c"),
	}
	if m.From != "p/m" || m.Role != RoleAssistant || !reflect.DeepEqual(m.Blocks[:4], want) {
		t.Errorf("%+v", m)
	}
	seen := map[string]bool{"old": true}
	for _, c := range m.Calls() {
		if c.ID == "" || seen[c.ID] {
			t.Errorf("id %q is not its own", c.ID)
		}
		seen[c.ID] = true
	}
	if first.ID != "x" || twice.ID == "x" || old.ID == "old" {
		t.Errorf("ids: %v %v %v", first, twice, old)
	}
	if calls := m.Calls(); string(calls[0].Args) != `{"a":1}` || calls[1].Args != nil || string(calls[3].Args) != "{}" {
		t.Errorf("%+v", calls)
	}
	defer func() {
		if recover() == nil {
			t.Error("arguments of an unknown call were taken")
		}
	}()
	d.Args("nobody", "x")
}

func TestStopFits(t *testing.T) {
	with := Message{Blocks: []Block{{Kind: BlockCall, Call: &Call{}}}}
	for _, test := range []struct {
		s    Stop
		m    Message
		want Stop
	}{
		{StopEnd, with, StopCalls}, {StopCalls, Message{}, StopEnd}, {StopCalls, with, StopCalls},
		{StopLength, with, StopLength}, {StopRefused, with, StopRefused},
	} {
		if got := test.s.Settle(test.m); got != test.want {
			t.Errorf("%s became %s, want %s", test.s, got, test.want)
		}
	}
}

func TestErrorText(t *testing.T) {
	cause := errors.New("cause")
	e := &Error{Provider: "p", Model: "m", Status: 429, Type: "rate", Message: "too fast", Hint: "wait", RetryAfter: 1500e6, Err: cause}
	if got, want := e.Error(), "p/m: too fast (status 429 rate)\ntry again in 1.5s\nwait"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !errors.Is(e, cause) {
		t.Error("the cause is lost")
	}
	if got, want := (&Error{Provider: Replay, Model: "f.jsonl", Message: "x"}).Error(), "replay:f.jsonl: x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
