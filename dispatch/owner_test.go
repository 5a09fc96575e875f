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
