package main

import (
	"fmt"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// row is one line of the table: some work at one size, and what it may cost.
type row struct {
	work string
	size int
	run  func(*testing.B)
	// budget is the most that it may take, in nanoseconds, where it is that.
	budget float64
	// than names another work of the same size, of whose time it may take a
	// share.
	than  string
	share float64
	// grows names a smaller size of the same work, and times how much longer
	// this one may take.
	grows int
	times float64
	// peer is what OpenClaw calls the same work, and faster how many times as
	// long it should take.
	peer   string
	faster float64
	// still work must not allocate.
	still bool
}

const (
	micro = 1e3
	milli = 1e6
)

// table is everything that is measured.
func table() []row {
	var out []row
	for _, v := range []struct {
		name   string
		byGlob bool
		peer   string
		faster float64 // than the peer, with 1,000 tools
		decide func(*policy.Pipeline, []policy.Subject) int
	}{
		{"pipeline cold, reasons kept", false, "bundle", 400, reasons},
		{"pipeline cold, reasons kept, by glob", true, "glob", 40, reasons},
		{"pipeline cold, verdicts only", false, "", 0, verdicts},
		{"pipeline cold, whole traces", false, "", 0, traces},
	} {
		for _, n := range []int{35, 100, 1000, 10_000, 100_000} {
			r := row{work: v.name, size: n, run: cold(n, v.byGlob, v.decide), peer: v.peer}
			switch {
			case v.peer == "":
			case n == 35:
				r.budget, r.faster = 0.1*milli, 12
			case n == 1000:
				r.budget, r.faster = 3*milli, v.faster
			case n == 100_000:
				r.grows, r.times = 100, 2500
			}
			out = append(out, r)
		}
	}
	for _, n := range []int{1000, 100_000} {
		out = append(out,
			row{work: "plan, new snapshot", size: n, run: planNew(n)},
			row{work: "plan, another caller", size: n, run: planOther(n)},
			row{work: "plan, nothing changed", size: n, run: planSame(n), budget: micro, still: true},
			row{work: "plan, one tool changed", size: n, run: planChanged(n, false), than: "plan, new snapshot", share: limitOfChange(n)},
			row{work: "plan, one name asked for", size: n, run: planResolve(n), still: true},
			row{work: "plan, one tool added or gone", size: n, run: planChanged(n, true), than: "plan, new snapshot", share: limitOfChange(n)},
		)
	}
	for _, n := range []int{35, 100, 1000, 10_000} {
		known := row{work: "planner, rows known", size: n, run: planner(n, true), peer: "plan"}
		if n >= 1000 {
			known.faster = 4
		}
		out = append(out, row{work: "planner, new snapshot", size: n, run: planner(n, false), peer: "plan"}, known)
	}
	for _, n := range []int{10, 1000, 100_000} {
		out = append(out,
			row{work: "decision, so many rules", size: n, run: decision(rules(n)), budget: 200, still: true},
			row{work: "decision, so many middles", size: n, run: decision(middles(n))},
			row{work: "recompile, so many rules", size: n, run: recompile(rules(n))},
		)
	}
	return append(out, row{work: "recompile, nine layers", size: 9, run: recompile(layers(false))})
}

// limitOfChange is how much of a rebuild one change may cost.
func limitOfChange(n int) float64 {
	if n == 100_000 {
		return 0.01
	}
	return 0
}

// cold compiles the policy, prepares every tool and decides about it.
func cold(n int, byGlob bool, decide func(*policy.Pipeline, []policy.Subject) int) func(*testing.B) {
	return func(b *testing.B) {
		ls, ts := layers(byGlob), tools(n)
		b.ReportAllocs()
		for b.Loop() {
			p := policy.Compile(policy.OpenClaw, ls)
			subjects := make([]policy.Subject, len(ts))
			for i, t := range ts {
				subjects[i] = policy.Prepare(t)
			}
			sink = decide(p, subjects)
		}
	}
}

var sink int

func verdicts(p *policy.Pipeline, subjects []policy.Subject) (kept int) {
	for i := range subjects {
		if p.Judge(&subjects[i]).Kept() {
			kept++
		}
	}
	return kept
}

// reasons keeps the step for each tool that is removed.
func reasons(p *policy.Pipeline, subjects []policy.Subject) int {
	var removed []policy.Step
	for i := range subjects {
		if v := p.Judge(&subjects[i]); !v.Kept() {
			removed = append(removed, p.Reason(&subjects[i], v))
		}
	}
	return len(subjects) - len(removed)
}

func traces(p *policy.Pipeline, subjects []policy.Subject) (kept int) {
	for i := range subjects {
		if p.Trace(&subjects[i]).Kept {
			kept++
		}
	}
	return kept
}

var caller = toolrest.Caller{Agent: "main", Session: "agent:main:main", Surface: toolrest.SurfaceAgent, Provider: "openai", Model: "gpt-5.5"}

func contextOf(version uint64) plan.Context {
	return plan.Context{Caller: caller, FactsVersion: version, Facts: plan.Facts{
		AuthProviders: map[string]bool{"openai": true},
		Config:        map[string]any{"tools": map[string]any{"web": map[string]any{"enabled": true}}},
		Env:           func(string) string { return "" },
		Plugins:       map[string]bool{"p1": true},
		Values:        map[string]any{"channel": "slack"},
	}}
}

func planNew(n int) func(*testing.B) {
	return func(b *testing.B) {
		s, p := snapshot(n, false), policy.Compile(policy.OpenClaw, layers(false))
		b.ReportAllocs()
		for b.Loop() {
			must(plan.Build(s, p, contextOf(1)))
		}
	}
}

func planOther(n int) func(*testing.B) {
	return func(b *testing.B) {
		s, p := snapshot(n, false), policy.Compile(policy.OpenClaw, layers(false))
		last := must(plan.Build(s, p, contextOf(1)))
		b.ReportAllocs()
		for i := uint64(2); b.Loop(); i++ {
			last = must(plan.Rebuild(last, s, p, contextOf(i)))
		}
	}
}

func planSame(n int) func(*testing.B) {
	return func(b *testing.B) {
		s, p := snapshot(n, false), policy.Compile(policy.OpenClaw, layers(false))
		c, ctx := plan.NewCache(nil), contextOf(1)
		b.ReportAllocs()
		for b.Loop() {
			must(c.Plan(s, p, ctx))
		}
	}
}

func planResolve(n int) func(*testing.B) {
	return func(b *testing.B) {
		p := must(plan.Build(snapshot(n, false), policy.Compile(policy.OpenClaw, layers(false)), contextOf(1)))
		names := p.Names()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if p.Resolve(names[i*7919%len(names)]).Entry != nil {
				sink++
			}
		}
	}
}

// planChanged goes to and fro between two snapshots that differ in one row.
func planChanged(n int, count bool) func(*testing.B) {
	return func(b *testing.B) {
		p := policy.Compile(policy.OpenClaw, layers(false))
		one := snapshot(n, false)
		other := &registry.Snapshot{Version: 2, Rows: append([]*registry.Row(nil), one.Rows...)}
		if at := n / 3; count {
			other.Rows = append(other.Rows[:at], other.Rows[at+1:]...)
		} else {
			changed := *other.Rows[at]
			other.Rows[at] = &changed
		}
		c := plan.NewCache(nil)
		ctx := contextOf(1)
		must(c.Plan(one, p, ctx))
		b.ReportAllocs()
		for b.Loop() {
			one, other = other, one
			must(c.Plan(one, p, ctx))
		}
	}
}

func planner(n int, known bool) func(*testing.B) {
	return func(b *testing.B) {
		s, p := snapshot(n, true), policy.Compile(policy.OpenClaw, nil)
		last := must(plan.Build(s, p, contextOf(1)))
		b.ReportAllocs()
		for i := uint64(2); b.Loop(); i++ {
			if !known {
				last = nil
			}
			last = must(plan.Rebuild(last, s, p, contextOf(i)))
		}
	}
}

// decision asks about a tool that no rule matches, and every tenth time about
// one that a rule does.
func decision(ls []policy.Layer) func(*testing.B) {
	return func(b *testing.B) {
		p := policy.Compile(policy.OpenClaw, ls)
		var subjects []policy.Subject
		for i := range 50 {
			subjects = append(subjects, policy.Prepare(policy.Tool{Name: fmt.Sprintf("srv%d__get_item_%d", i, i)}))
		}
		deny := ls[0].Deny
		for i := range 6 {
			subjects = append(subjects, policy.Prepare(policy.Tool{Name: "other" + deny[i*len(deny)/6].Text}))
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if p.Judge(&subjects[i%len(subjects)]).Kept() {
				sink++
			}
		}
	}
}

// middles is the worst list: every glob begins and ends with a star.
func middles(n int) []policy.Layer {
	deny := make([]string, n)
	for i := range deny {
		deny[i] = fmt.Sprintf("*_thing_%d_*", i)
	}
	return []policy.Layer{layer(policy.PlaceTools, "tools.allow", nil, deny)}
}

func recompile(ls []policy.Layer) func(*testing.B) {
	return func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			policy.Compile(policy.OpenClaw, ls)
		}
	}
}

func must(p *plan.Plan, err error) *plan.Plan {
	if err != nil {
		panic(err)
	}
	return p
}
