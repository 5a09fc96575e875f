package dispatch

import (
	"context"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// TestOwnerIsLookedAtTwice switches the filter of the plan off: the look at
// dispatch still refuses, but in the dialect that has neither.
func TestOwnerIsLookedAtTwice(t *testing.T) {
	ran := 0
	cron := run("cron", func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
		ran++
		return &toolrest.Result{Content: []toolrest.Content{toolrest.Text("planned")}}, nil
	})
	r, err := registry.New(nil, registry.Source{Kind: registry.Core, Tools: []toolrest.Tool{cron}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		dialect policy.Dialect
		owner   bool
		code    toolrest.Code
		runs    int
	}{
		{"somebody else", policy.Default, false, toolrest.CodeDenied, 0},
		{"the owner", policy.Default, true, "", 1},
		{"OpenClaw has no such filter in runs", policy.OpenClaw, false, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			ran = 0
			unfiltered := policy.Compile(c.dialect, nil)
			d := New(Options{Plan: func(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
				return plan.Build(r.Snapshot(), unfiltered, plan.Context{Caller: who})
			}})
			call := &toolrest.Call{Tool: "cron", Caller: toolrest.Caller{Agent: "main", Owner: c.owner}}
			result := d.Dispatch(context.Background(), call)
			if code(result) != c.code || ran != c.runs {
				t.Errorf("got %q and %d runs, want %q and %d: %s", code(result), ran, c.code, c.runs, result.AllText())
			}
		})
	}
}

// TestTheOwnerWhoSeesMayCall holds both looks to one answer: whom the config
// takes for the owner can call what he sees, and an event in his name cannot.
func TestTheOwnerWhoSeesMayCall(t *testing.T) {
	cron := run("cron", func(context.Context, *toolrest.Call) (*toolrest.Result, error) { return &toolrest.Result{}, nil })
	r, err := registry.New(nil, registry.Source{Kind: registry.Core, Tools: []toolrest.Tool{cron}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := &policy.Config{Owners: policy.List{Set: true, Entries: []policy.Entry{{Text: "chatx:7"}}}}
	chat := func(sender string) toolrest.Caller {
		return toolrest.Caller{Agent: "main", Channel: "chatx", Sender: toolrest.Sender{ID: sender}}
	}
	event := chat("7")
	event.Owner = true
	for _, c := range []struct {
		name string
		who  toolrest.Caller
		run  policy.Run
		code toolrest.Code
	}{
		{"the owner of the config", chat("7"), policy.Run{}, ""},
		{"another sender", chat("8"), policy.Run{}, toolrest.CodeDenied},
		{"an event in his name", event, policy.Run{Driver: policy.DriverEvent}, toolrest.CodeDenied},
	} {
		t.Run(c.name, func(t *testing.T) {
			pipeline := policy.For(cfg, policy.Context{Caller: c.who, Run: c.run})
			made, err := plan.Build(r.Snapshot(), pipeline, plan.Context{Caller: c.who})
			if err != nil {
				t.Fatal(err)
			}
			d := New(Options{Plan: func(context.Context, toolrest.Caller) (*plan.Plan, error) { return made, nil }})
			result := d.Dispatch(context.Background(), &toolrest.Call{Tool: "cron", Caller: c.who})
			if visible := len(made.Names()) == 1; code(result) != c.code || visible != (c.code == "") {
				t.Errorf("visible %v, got %q, want %q: %s", visible, code(result), c.code, result.AllText())
			}
		})
	}
	// A plan that was made for the owner does not make its next user one.
	owners := policy.For(cfg, policy.Context{Caller: chat("7")})
	d := New(Options{Plan: func(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
		return plan.Build(r.Snapshot(), owners, plan.Context{Caller: who})
	}})
	if result := d.Dispatch(context.Background(), &toolrest.Call{Tool: "cron", Caller: chat("8")}); code(result) != toolrest.CodeDenied {
		t.Errorf("another sender with the owner's plan got %q", code(result))
	}
}
