package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/approve"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type addIn struct {
	A int `json:"a"`
	B int `json:"b"`
}

func add() toolrest.Tool {
	return toolrest.Typed("add", "adds two numbers", func(_ context.Context, in addIn) (string, error) {
		return fmt.Sprint(in.A + in.B), nil
	}, nil)
}

func run(name string, h toolrest.Handler) toolrest.Tool {
	return toolrest.Tool{Descriptor: toolrest.Descriptor{Name: name}, Executor: h}
}

// planner plans the tools with the given deny list, afresh for every call.
func planner(t testing.TB, deny []string, tools ...toolrest.Tool) func(context.Context, toolrest.Caller) (*plan.Plan, error) {
	t.Helper()
	r, err := registry.New(&registry.Options{Check: plan.Check}, registry.Source{Kind: registry.SDK, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	s := policy.Section{Path: "tools", Deny: policy.List{Set: true}}
	for _, d := range deny {
		s.Deny.Entries = append(s.Deny.Entries, policy.Entry{Text: d, Pos: toolrest.Pos{File: "c.json5", Line: 1, Col: 2}})
	}
	pipe := policy.Compile(policy.Default, policy.Resolve(&policy.Config{Tools: policy.Scope{Section: s}}, policy.Context{}).Layers)
	return func(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
		return plan.Build(r.Snapshot(), pipe, plan.Context{Caller: who})
	}
}

func dispatch(d *Dispatcher, tool, args string) *toolrest.Result {
	return d.Dispatch(context.Background(), &toolrest.Call{Tool: tool, Args: []byte(args)})
}

func code(r *toolrest.Result) toolrest.Code {
	if r.Refusal == nil {
		return ""
	}
	return r.Refusal.Code
}

func TestOutcomes(t *testing.T) {
	boom := run("boom", func(context.Context, *toolrest.Call) (*toolrest.Result, error) { panic("at the disco") })
	fails := run("fails", func(context.Context, *toolrest.Call) (*toolrest.Result, error) { return nil, errors.New("disk full") })
	nothing := run("nothing", func(context.Context, *toolrest.Call) (*toolrest.Result, error) { return nil, nil })
	empty := run("empty", func(context.Context, *toolrest.Call) (*toolrest.Result, error) { return &toolrest.Result{}, nil })
	refuses := run("refuses", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
		return nil, &toolrest.Refusal{Code: toolrest.CodeDenied, Tool: "refuses", Reason: "path leaves the workspace"}
	})
	broken := run("broken", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
		t.Error("a tool with a broken schema ran")
		return nil, nil
	})
	broken.InputSchema = []byte(`{"type":"moon"}`)
	secret := run("secret", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
		t.Error("a denied tool ran")
		return nil, nil
	})
	d := New(Options{Plan: planner(t, []string{"secret"}, add(), boom, fails, nothing, empty, refuses, broken, secret)})
	for _, c := range []struct {
		tool, args string
		code       toolrest.Code
		text       string
	}{
		{"add", `{"a":1,"b":2}`, "", "3"},
		{"ADD", `{"a":1,"b":2}`, "", "3"},
		{"add", `{"a":1}`, toolrest.CodeArguments, "b: required, but missing"},
		{"add", `{"a":"one","b":2,"c":3}`, toolrest.CodeArguments, "a: got string, want integer\n- c: no such argument (there are: a, b)"},
		{"add", `{"a":"1","b":2}`, "", "3"},
		{"functions.add:0", `{"a":1,"b":2}`, "", "3"},
		{"add", ``, toolrest.CodeArguments, "b: required"},
		{"add", `{"a":1,"b":`, toolrest.CodeArguments, "incomplete"},
		{"add", `{"a":1,"b":2} and more`, "", "3"},
		{"add", `{"a":1,"b":2} {"a":3,"b":4}`, toolrest.CodeArguments, "something follows the value at byte 13; nothing was run"},
		{"add", `[1,2]`, toolrest.CodeArguments, "want object"},
		{"nothing", `"text"`, toolrest.CodeArguments, "want object"},
		{"boom", `{}`, toolrest.CodeFailed, "the tool crashed"},
		{"fails", `{}`, toolrest.CodeFailed, "disk full"},
		{"nothing", ``, toolrest.CodeFailed, "no result"},
		{"empty", `null`, "", "(no output)"},
		{"add", `null`, toolrest.CodeArguments, "want object"},
		{"empty", `{}`, "", "(no output)"},
		{"refuses", `{}`, toolrest.CodeDenied, "path leaves the workspace"},
		{"broken", `{}`, toolrest.CodeFailed, "schema is broken"},
		{"secret", `{}`, toolrest.CodeDenied, "denied by tools.deny, rule 'secret' (c.json5:1:2)"},
		{"ad", `{}`, toolrest.CodeUnknown, "did you mean: add?"},
		{"", `{}`, toolrest.CodeUnknown, "no tool has this name"},
		{"exec", `{}`, toolrest.CodeHidden, "not in this build"},
	} {
		r := dispatch(d, c.tool, c.args)
		if code(r) != c.code || !strings.Contains(r.AllText(), c.text) {
			t.Errorf("%s %s: %s %q\nwant %s %q", c.tool, c.args, code(r), r.AllText(), c.code, c.text)
		}
		if r.IsError != (r.Refusal != nil) {
			t.Errorf("%s %s: isError %v with refusal %v", c.tool, c.args, r.IsError, r.Refusal)
		}
	}
}

func TestPanicStaysOutOfTheModelsSight(t *testing.T) {
	d := New(Options{Plan: planner(t, nil, run("boom", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
		panic("token=sk-123")
	}))})
	r := dispatch(d, "boom", "{}")
	if strings.Contains(r.AllText(), "sk-123") {
		t.Errorf("the model reads the panic: %s", r.AllText())
	}
	if p, ok := r.Details.(Panicked); !ok || p.Value != "token=sk-123" || !strings.Contains(p.Stack, "dispatch_test") {
		t.Errorf("details = %+v", r.Details)
	}
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(Options{Plan: planner(t, nil, run("wait", func(ctx context.Context, _ *toolrest.Call) (*toolrest.Result, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("wait: %w", ctx.Err())
		}))})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		r := d.Dispatch(ctx, &toolrest.Call{Tool: "wait"})
		if code(r) != toolrest.CodeAborted || !strings.Contains(r.AllText(), "cancelled") {
			t.Errorf("%s: %s", code(r), r.AllText())
		}
		r = d.Dispatch(ctx, &toolrest.Call{Tool: "wait"})
		if code(r) != toolrest.CodeAborted {
			t.Errorf("a call after the cancel: %s", code(r))
		}
		within, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if r := d.Dispatch(within, &toolrest.Call{Tool: "wait"}); !strings.Contains(r.AllText(), "ran out of time") {
			t.Errorf("deadline: %s", r.AllText())
		}
	})
}

type approver func(context.Context, approve.Request) (approve.Verdict, error)

func (a approver) Ask(ctx context.Context, r approve.Request) (approve.Verdict, error) {
	return a(ctx, r)
}

func TestApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran int
		tool := run("exec", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
			ran++
			return toolrest.TextResult("done"), nil
		})
		asks := func(*toolrest.Call, *plan.Entry) (Asked, bool) {
			return Asked{Why: "exec asks", Fix: "set tools.exec.ask to 'off'"}, true
		}
		answer := func(v approve.Verdict, err error) approve.Approver {
			return approver(func(context.Context, approve.Request) (approve.Verdict, error) { return v, err })
		}
		silent := approver(func(ctx context.Context, _ approve.Request) (approve.Verdict, error) {
			<-ctx.Done()
			return approve.Verdict{Allowed: true}, ctx.Err()
		})
		for _, c := range []struct {
			name     string
			approver approve.Approver
			code     toolrest.Code
			text     string
		}{
			{"yes", answer(approve.Verdict{Allowed: true}, nil), "", "done"},
			{"no", answer(approve.Verdict{Reason: "not now"}, nil), toolrest.CodeDeclined, "not approved: not now"},
			{"yes with an error is no", answer(approve.Verdict{Allowed: true}, errors.New("torn")), toolrest.CodeApproval, "asking went wrong: torn"},
			{"nobody", nil, toolrest.CodeApproval, "nobody can be asked here\nto change it: set tools.exec.ask to 'off'"},
			{"silence", silent, toolrest.CodeApproval, "nobody answered within 2m0s"},
		} {
			ran = 0
			d := New(Options{Plan: planner(t, nil, tool), Asks: asks, Approver: c.approver})
			r := dispatch(d, "exec", "{}")
			if code(r) != c.code || !strings.Contains(r.AllText(), c.text) {
				t.Errorf("%s: %s %q", c.name, code(r), r.AllText())
			}
			if (ran == 1) != (c.code == "") {
				t.Errorf("%s: ran %d times", c.name, ran)
			}
		}
	})
}

func TestNothingIsAskedForArgumentsThatDoNotFit(t *testing.T) {
	d := New(Options{
		Plan:     planner(t, nil, add()),
		Asks:     func(*toolrest.Call, *plan.Entry) (Asked, bool) { t.Error("asked"); return Asked{}, true },
		Approver: approve.Nobody{},
	})
	if r := dispatch(d, "add", `{}`); code(r) != toolrest.CodeArguments {
		t.Errorf("%s", code(r))
	}
}

func TestBound(t *testing.T) {
	long := strings.Repeat("ä", 1000) + "THE END"
	tool := run("big", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
		return &toolrest.Result{
			Content:    []toolrest.Content{toolrest.Text("first"), toolrest.Text(long), toolrest.Image(make([]byte, 300), "image/png")},
			Structured: []byte(`{"all":"` + long + `"}`),
		}, nil
	})
	d := New(Options{Plan: planner(t, nil, tool), MaxText: 100, MaxData: 200})
	r := dispatch(d, "big", "{}")
	text := r.Content[1].Text
	if !strings.HasSuffix(text, "THE END") || !strings.Contains(text, "of 2007 bytes left out") || !utf8.ValidString(text) {
		t.Errorf("cut to %q", text)
	}
	if r.Content[0].Text != "first" || r.Structured != nil || !strings.Contains(r.Content[2].Text, "image left out") {
		t.Errorf("%+v", r)
	}
}

func TestRefusalsAreBounded(t *testing.T) {
	d := New(Options{Plan: planner(t, slices.Repeat([]string{"add"}, 10_000), add())})
	for name, call := range map[string]*toolrest.Call{
		"a long name":  {Tool: strings.Repeat("n", 4<<20)},
		"many denials": {Tool: "add"},
	} {
		r := d.Dispatch(context.Background(), call)
		f := r.Refusal
		if n := len(f.Tool) + len(f.Reason) + len(f.Rule) + len(f.Fix) + len(r.AllText()); n > 300<<10 {
			t.Errorf("%s: the refusal has %d bytes", name, n)
		}
	}
}

func TestMiddleOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		budget := rapid.IntRange(0, 50).Draw(t, "budget")
		cut := middleOut(s, budget)
		if !utf8.ValidString(cut) {
			t.Fatalf("%q", cut)
		}
		if len(s) <= budget && cut != s {
			t.Fatal("cut what fits")
		}
		if len(cut) > budget+len(s) && len(cut) > budget+80 {
			t.Fatalf("%d bytes for a budget of %d", len(cut), budget)
		}
	})
}

func TestMiddlewareOrderAndObserver(t *testing.T) {
	var path []string
	named := func(name string) toolrest.Middleware {
		return func(next toolrest.Handler) toolrest.Handler {
			return func(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
				path = append(path, name)
				return next(ctx, call)
			}
		}
	}
	var records []Record
	d := New(Options{
		Plan:       planner(t, nil, add()),
		Middleware: []toolrest.Middleware{named("outer"), named("inner")},
		Observe:    func(_ context.Context, r Record) { records = append(records, r) },
	})
	dispatch(d, "add", `{"a":1,"b":1}`)
	dispatch(d, "nope", `{}`)
	if !slices.Equal(path, []string{"outer", "inner"}) {
		t.Errorf("path %v", path)
	}
	if len(records) != 2 || records[0].Tool != "add" || records[0].IsError || records[1].Code != toolrest.CodeUnknown || records[1].Call.ID == "" {
		t.Errorf("records %+v", records)
	}
}

func BenchmarkDispatch(b *testing.B) {
	p, err := planner(b, nil, add())(context.Background(), toolrest.Caller{})
	if err != nil {
		b.Fatal(err)
	}
	d := New(Options{Plan: func(context.Context, toolrest.Caller) (*plan.Plan, error) { return p, nil }})
	args := []byte(`{"a":1,"b":2}`)
	b.ReportAllocs()
	for b.Loop() {
		if r := d.Dispatch(context.Background(), &toolrest.Call{ID: "1", Tool: "add", Args: args}); r.IsError {
			b.Fatal(r.AllText())
		}
	}
}
