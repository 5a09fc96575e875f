package plan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
)

func built(t *testing.T, env string, deny []string, tools ...toolrest.Tool) *Plan {
	t.Helper()
	p, err := Build(snapshot(t, tools...), pipeline(deny...), Context{Facts: Facts{Env: func(string) string { return env }}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDiff(t *testing.T) {
	keyed := tool("speak", toolrest.When(toolrest.Signal{Kind: toolrest.SignalEnv, Name: "KEY"}))
	visible, absent := Standing{State: StateVisible}, Standing{State: StateGone, Reason: "no source brings it"}
	denied := func(rule string) Standing {
		return Standing{State: StateHidden, Reason: "denied by tools.deny, rule " + rule}
	}
	unset := Standing{State: StateHidden, Reason: "the environment variable KEY is not set"}
	old := built(t, "", []string{"exec"}, tool("read", nil), tool("exec", nil), tool("edit", nil), keyed)
	for _, c := range []struct {
		name     string
		old, new *Plan
		want     []Change
	}{
		{"the same", old, old, nil},
		{"nothing", nil, nil, nil},
		{"a start", nil, built(t, "", []string{"exec"}, tool("read", nil), tool("exec", nil)), []Change{
			{"read", absent, visible, "why"}, {"exec", absent, denied("'exec'"), "why"},
		}},
		{"an end", built(t, "", []string{"exec"}, tool("read", nil), tool("exec", nil)), nil, []Change{
			{"read", visible, absent, "why"}, {"exec", denied("'exec'"), absent, "why"},
		}},
		{"each way", old, built(t, "x", []string{"ex*", "edit"}, tool("exec", nil), tool("edit", nil), tool("write", nil), keyed), []Change{
			{"speak", unset, visible, "why"}, {"write", absent, visible, "why"},
			{"edit", visible, denied("'edit'"), "why"}, {"exec", denied("'exec'"), denied("'ex*' (glob)"), "why"},
			{"read", visible, absent, "why"},
		}},
		{"another place of a rule", old, built(t, "", []string{"nobody", "exec"}, tool("read", nil), tool("exec", nil), tool("edit", nil), keyed), nil},
	} {
		if diff := cmp.Diff(c.want, Diff(c.old, c.new, "why")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestDiffLeadsFromOldToNew applies the changes to the old states and gets
// the new ones.
func TestDiffLeadsFromOldToNew(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(label string) *Plan {
			var tools []toolrest.Tool
			for _, n := range rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID).Draw(rt, label) {
				tools = append(tools, tool(n, nil))
			}
			return built(t, "", rapid.SliceOf(rapid.SampledFrom(append([]string{"*"}, names...))).Draw(rt, label+" denies"), tools...)
		}
		old, new := draw("old"), draw("new")
		states := standings(old)
		for _, c := range Diff(old, new, "") {
			if c.Old == c.New {
				rt.Fatalf("%s did not change: %+v", c.Tool, c)
			}
			if was, ok := states[c.Tool]; ok && was != c.Old || !ok && c.Old.State != StateGone {
				rt.Fatalf("%s was %+v, not %+v", c.Tool, was, c.Old)
			}
			if states[c.Tool] = c.New; c.New.State == StateGone {
				delete(states, c.Tool)
			}
		}
		if diff := cmp.Diff(standings(new), states); diff != "" {
			rt.Fatal(diff)
		}
		if back := Diff(new, old, ""); len(back) != len(Diff(old, new, "")) || slices.ContainsFunc(back, func(c Change) bool { return c.Cause != "" }) {
			rt.Fatalf("the way back has %d changes", len(back))
		}
	})
}
