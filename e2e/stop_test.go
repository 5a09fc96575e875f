package e2e

import (
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

// interrupt sends a signal and waits for the end.
func (a *asking) interrupt(signal syscall.Signal) (code int) {
	a.talk.t.Helper()
	if err := syscall.Kill(a.pid, signal); err != nil {
		a.talk.t.Fatal(err)
	}
	return a.wait()
}

// sleeping is a turn with a call that ends and one that does not.
func sleeping(seconds string) modeltest.Turn {
	return modeltest.Turn{Text: "I wait.", Calls: []modeltest.Call{
		{ID: "c1", Name: "exec", Args: `{"command":"echo quick $((40+2))"}`},
		{ID: "c2", Name: "exec", Args: `{"command":"sleep ` + seconds + ` & setsid sleep ` + seconds + `"}`},
	}}
}

// TestStoppedInACommand: Ctrl-C in the middle of a command, beside a call that
// is done: both have their result, and no process is left.
func TestStoppedInACommand(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			eachWire(t, func(t *testing.T, open func(string, ...modeltest.Turn) *talk) {
				seconds := marker()
				k := open(askOff, sleeping(seconds))
				a := k.ask("wait")
				awaitSleepers(t, seconds, 2)
				if a.stderr.await(regexp.MustCompile(`← exec\s+quick 42`)) == "" {
					t.Errorf("the quick call is not shown as done: %s", a.stderr)
				}
				if code := a.interrupt(signal); code != 1 {
					t.Errorf("exit code %d", code)
				}
				awaitSleepers(t, seconds, 0)
				contains(t, a.stderr.String(), "stopped; the conversation until here is in "+k.state)
				results := answers(k.conversation()...)
				if len(results) != 2 {
					t.Fatalf("%d results", len(results))
				}
				if results[0].IsError || !strings.Contains(said(results[0]), "quick 42") {
					t.Errorf("the call that was done has the result %+v", results[0])
				}
				if !results[1].IsError || !strings.Contains(said(results[1]), "cancelled") {
					t.Errorf("the call that was stopped has the result %+v", results[1])
				}
			})
		})
	}
}

// TestKilledInACommand: nothing can be written any more, but nothing goes on
// running either, and what was kept before is whole.
func TestKilledInACommand(t *testing.T) {
	seconds := marker()
	k := wires["openai"](t, askOff, sleeping(seconds))
	a := k.ask("wait")
	awaitSleepers(t, seconds, 2)
	a.interrupt(syscall.SIGKILL)
	awaitSleepers(t, seconds, 0)
	contains(t, k.transcriptText(), `"text":"wait"`, `"id":"c2"`)
}

// TestStoppedWhileTheModelWrites: what had arrived is kept, and a call that
// broke off has a result too.
func TestStoppedWhileTheModelWrites(t *testing.T) {
	const text = "a longer text in some pieces"
	for name, after := range map[string]int{"before its first word": 0, "in its text": 6} {
		t.Run(name, func(t *testing.T) {
			eachWire(t, func(t *testing.T, open func(string, ...modeltest.Turn) *talk) {
				asked := make(chan struct{})
				k := open(askOff, modeltest.Turn{
					Text: text, Fault: &modeltest.Fault{Kind: modeltest.FaultHang, After: after},
					Expect: func(testing.TB, *modeltest.Request) { close(asked) },
				})
				a := k.ask("write")
				<-asked
				if after > 0 && a.stdout.await(regexp.MustCompile("^a")) == "" {
					t.Errorf("the answer is not shown while it arrives: %s", a.stderr)
				}
				if code := a.interrupt(syscall.SIGINT); code != 1 {
					t.Errorf("exit code %d", code)
				}
				kept := k.conversation()
				if kept[0].Text() != "write" {
					t.Errorf("the prompt was kept as %+v", kept[0])
				}
				if after == 0 {
					if len(kept) != 1 {
						t.Errorf("kept: %+v", kept)
					}
					return
				}
				if len(kept) != 2 || kept[1].Text() == "" || kept[1].Text() != strings.TrimSuffix(a.stdout.String(), "\n") {
					t.Errorf("%q was shown, and kept was %+v", a.stdout, kept[1:])
				}
			})
		})
	}
}

// TestBrokenOffInACall: the arguments of a call are half there.
func TestBrokenOffInACall(t *testing.T) {
	eachWire(t, func(t *testing.T, open func(string, ...modeltest.Turn) *talk) {
		k := open(askOff, modeltest.Turn{
			Calls: []modeltest.Call{{ID: "c1", Name: "exec", Args: `{"command":"touch this-must-not-be-made-by-anybody"}`}},
			Fault: &modeltest.Fault{Kind: modeltest.FaultDrop, After: 5},
		})
		a := k.ask("go")
		if code := a.wait(); code != 1 {
			t.Errorf("exit code %d", code)
		}
		kept := k.conversation()
		if len(kept) != 3 || kept[2].Role != model.RoleResults {
			t.Fatalf("kept: %+v", kept)
		}
		if r := answers(kept...)[0]; !r.IsError || !strings.Contains(said(r), "broke off") {
			t.Errorf("the result is %+v", r)
		}
		contains(t, a.stderr.String(), "the conversation until here is in "+k.state)
	})
}
