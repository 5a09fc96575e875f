package agent

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a model that plays its turns in order.
type script struct {
	turns []turn
	seen  []*model.Request
}

type turn struct {
	message model.Message
	stop    model.Stop
	err     error // instead of an end; the message has arrived in part
}

func (s *script) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		s.seen = append(s.seen, req)
		t := s.turns[0]
		s.turns = s.turns[1:]
		if text := t.message.Text(); text != "" && !yield(model.TextDelta{Text: text}, nil) {
			return
		}
		if t.err != nil {
			yield(nil, &model.Error{Kind: model.KindDropped, Partial: &t.message, Err: t.err})
			return
		}
		yield(model.Done{Message: t.message, Stop: t.stop}, nil)
	}
}

func says(text string, calls ...model.Call) model.Message {
	m := model.Message{Role: model.RoleAssistant}
	if text != "" {
		m.Blocks = append(m.Blocks, model.Text(text))
	}
	for _, c := range calls {
		m.Blocks = append(m.Blocks, model.Block{Kind: model.BlockCall, Call: &c})
	}
	return m
}

func call(id, name string) model.Call {
	return model.Call{ID: id, Name: name, Args: json.RawMessage(`{}`)}
}

// door answers with the name of the tool, or as run says.
type door struct {
	run   func(context.Context, *toolrest.Call) *toolrest.Result
	calls atomic.Int32
}

func (d *door) List(context.Context, toolrest.Caller) ([]toolrest.Descriptor, error) {
	return []toolrest.Descriptor{{Name: "a", Description: "about a", InputSchema: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (d *door) Dispatch(ctx context.Context, c *toolrest.Call) *toolrest.Result {
	d.calls.Add(1)
	if d.run != nil {
		return d.run(ctx, c)
	}
	return toolrest.TextResult("did " + c.Tool)
}

func collect(seq iter.Seq2[Event, error]) (events []Event, err error) {
	for e, problem := range seq {
		if problem != nil {
			return events, problem
		}
		events = append(events, e)
	}
	return events, nil
}

// paired fails unless every call of the transcript has exactly one result, in
// the message behind it and in its order.
func paired(t interface{ Fatalf(string, ...any) }, transcript []model.Message) {
	for i, m := range transcript {
		calls := m.Calls()
		if m.Role != model.RoleAssistant || len(calls) == 0 {
			continue
		}
		if i+1 == len(transcript) || transcript[i+1].Role != model.RoleResults {
			t.Fatalf("message %d has calls and no results behind it", i)
		}
		results := transcript[i+1].Blocks
		if len(results) != len(calls) {
			t.Fatalf("%d calls, %d results", len(calls), len(results))
		}
		for j, c := range calls {
			if results[j].Result.CallID != c.ID {
				t.Fatalf("result %d answers %q, not %q", j, results[j].Result.CallID, c.ID)
			}
		}
	}
}

func TestLoopsUntilTheModelStops(t *testing.T) {
	m := &script{turns: []turn{
		{message: says("first", call("1", "a"), call("2", "b")), stop: model.StopCalls},
		{message: says("", call("1", "a")), stop: model.StopCalls},
		{message: says("done"), stop: model.StopEnd},
	}}
	var kept int
	d := &door{}
	s := New(Options{Model: m, Door: d, System: "be brief", Keep: func(model.Message) error { kept++; return nil }})
	events, err := collect(s.Run(t.Context(), "go"))
	if err != nil {
		t.Fatal(err)
	}
	if last := events[len(events)-1]; last != (Ended{Stop: model.StopEnd}) {
		t.Errorf("last event %#v", last)
	}
	transcript := s.Transcript()
	paired(t, transcript)
	if len(transcript) != 6 || kept != 6 || d.calls.Load() != 3 {
		t.Errorf("%d messages, %d kept, %d calls", len(transcript), kept, d.calls.Load())
	}
	if got := transcript[2].Blocks[1].Result.Content[0].Text; got != "did b" {
		t.Errorf("second result %q", got)
	}
	if req := m.seen[0]; req.System != "be brief" || len(req.Tools) != 1 || req.Tools[0].Description != "about a" {
		t.Errorf("request %+v", req)
	}
}

func TestCallsOfOneMessageRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		both := make(chan struct{}, 2)
		ready := make(chan struct{})
		d := &door{run: func(context.Context, *toolrest.Call) *toolrest.Result {
			both <- struct{}{}
			if len(both) == 2 {
				close(ready)
			}
			<-ready
			return toolrest.TextResult("ok")
		}}
		m := &script{turns: []turn{{message: says("", call("1", "a"), call("2", "a"))}, {message: says("x")}}}
		if _, err := collect(New(Options{Model: m, Door: d}).Run(t.Context(), "go")); err != nil {
			t.Fatal(err)
		}
	})
}

func TestCancelInTheMiddleOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		d := &door{run: func(ctx context.Context, c *toolrest.Call) *toolrest.Result {
			if c.Tool == "a" {
				return toolrest.TextResult("quick")
			}
			cancel()
			<-ctx.Done()
			return (&toolrest.Refusal{Code: toolrest.CodeAborted, Tool: c.Tool, Reason: "cancelled"}).Result()
		}}
		m := &script{turns: []turn{{message: says("", call("1", "a"), call("2", "slow"))}}}
		s := New(Options{Model: m, Door: d})
		_, err := collect(s.Run(ctx, "go"))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
		paired(t, s.Transcript())
		if len(s.Transcript()) != 3 {
			t.Errorf("%d messages", len(s.Transcript()))
		}
	})
}

func TestABrokenStreamKeepsWhatArrived(t *testing.T) {
	m := &script{turns: []turn{{message: says("half a sen", call("1", "a")), err: errors.New("reset")}}}
	d := &door{}
	s := New(Options{Model: m, Door: d})
	_, err := collect(s.Run(t.Context(), "go"))
	if err == nil || d.calls.Load() != 0 {
		t.Fatalf("err = %v, %d calls ran", err, d.calls.Load())
	}
	transcript := s.Transcript()
	paired(t, transcript)
	if transcript[1].Text() != "half a sen" || !strings.Contains(transcript[2].Blocks[0].Result.Content[0].Text, "did not run") {
		t.Errorf("transcript %+v", transcript)
	}
}

func TestTurnsAreBounded(t *testing.T) {
	m := &script{}
	for range 3 {
		m.turns = append(m.turns, turn{message: says("", call("1", "a"))})
	}
	s := New(Options{Model: m, Door: &door{}, MaxTurns: 3})
	if _, err := collect(s.Run(t.Context(), "go")); !errors.Is(err, ErrTurns) {
		t.Errorf("err = %v", err)
	}
	paired(t, s.Transcript())
}

func TestATranscriptThatCannotBeKeptEndsTheRun(t *testing.T) {
	full := errors.New("disk full")
	m := &script{turns: []turn{{message: says("", call("1", "a"))}}}
	d := &door{}
	s := New(Options{Model: m, Door: d, Keep: func(m model.Message) error {
		if m.Role == model.RoleAssistant {
			return full
		}
		return nil
	}})
	if _, err := collect(s.Run(t.Context(), "go")); !errors.Is(err, full) || d.calls.Load() != 0 {
		t.Errorf("err = %v, %d calls ran", err, d.calls.Load())
	}
}

// Wherever a reader leaves and wherever a stream breaks, the transcript pairs.
func TestTranscriptsAlwaysPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &script{}
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			var calls []model.Call
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				calls = append(calls, call(rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "id"), "a"))
			}
			one := turn{message: says("text", calls...)}
			if rapid.IntRange(0, 5).Draw(t, "break") == 0 {
				one.err = errors.New("reset")
			}
			m.turns = append(m.turns, one)
		}
		m.turns = append(m.turns, turn{message: says("end")})
		s := New(Options{Model: m, Door: &door{}})
		leave := rapid.IntRange(0, 20).Draw(t, "leave after")
		for range s.Run(context.Background(), "go") {
			if leave--; leave < 0 {
				break
			}
		}
		paired(t, s.Transcript())
	})
}
