package modeltest

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/model"
)

// Collect reads a stream to its end and checks its form: the pieces make up
// the message, one Done comes and comes last, an error ends it.
func Collect(t testing.TB, stream iter.Seq2[model.Event, error]) (*model.Done, error) {
	t.Helper()
	var done *model.Done
	var failed error
	var pieces model.Draft
	ids := map[string]bool{}
	for e, err := range stream {
		if done != nil || failed != nil {
			t.Errorf("the stream goes on after its end with %v, %v", e, err)
		}
		if (e == nil) == (err == nil) {
			t.Errorf("the stream yields %v with %v", e, err)
		}
		failed = err
		switch e := e.(type) {
		case model.TextDelta:
			pieces.Text(e.Text)
		case model.ThinkingDelta:
			pieces.Thinking(e.Text)
		case model.CallStarted:
			if pieces.Call(e.ID, e.Name).ID != e.ID {
				t.Errorf("a call begins with the id %q", e.ID)
			}
			ids[e.ID] = true
		case model.ArgsDelta:
			if !ids[e.ID] {
				t.Fatalf("arguments come for %q, which did not begin", e.ID)
			}
			pieces.Args(e.ID, e.Text)
		case model.Done:
			done = &e
		}
	}
	if done == nil && failed == nil {
		t.Error("the stream ends without an end")
	}
	if done != nil && outline(done.Message) != outline(pieces.Message()) {
		t.Errorf("the pieces were\n%s\nthe message is\n%s", outline(pieces.Message()), outline(done.Message))
	}
	return done, failed
}

// outline is what a message shows: opaque parts are left out.
func outline(m model.Message) string {
	var b, thinking strings.Builder
	for _, block := range m.Blocks {
		switch block.Kind {
		case model.BlockText:
			b.WriteString(block.Text)
		case model.BlockThinking:
			thinking.WriteString(block.Text)
		case model.BlockCall:
			fmt.Fprintf(&b, "\n%s %s %s", block.Call.ID, block.Call.Name, block.Call.Args)
		}
	}
	return thinking.String() + "\n" + b.String()
}
