package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

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
			decide(p, subjects)
		}
	}
}

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
		must(c.Plan(s, p, ctx)) // a busy machine would measure this one alone
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
			p.Resolve(names[i*7919%len(names)])
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
			subjects = append(subjects, policy.Prepare(policy.Tool{Name: strings.ReplaceAll(deny[i*len(deny)/6].Text, "*", "x")}))
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			p.Judge(&subjects[i%len(subjects)])
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
