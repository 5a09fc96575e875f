package main

import (
	"slices"
	"testing"

	"github.com/toolrest/toolrest/policy"
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
	return slices.Concat(pipelineRows(), planRows(), plannerRows(), ruleRows())
}

func pipelineRows() (out []row) {
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
	return out
}

func planRows() (out []row) {
	const whole = "plan, new snapshot"
	for _, n := range []int{1000, 100_000} {
		share := 0.0
		if n == 100_000 {
			share = 0.01
		}
		out = append(out,
			row{work: whole, size: n, run: planNew(n)},
			row{work: "plan, another caller", size: n, run: planOther(n)},
			row{work: "plan, nothing changed", size: n, run: planSame(n), budget: micro, still: true},
			row{work: "plan, one name asked for", size: n, run: planResolve(n), still: true},
			row{work: "plan, one tool changed", size: n, run: planChanged(n, false), than: whole, share: share},
			row{work: "plan, one tool added or gone", size: n, run: planChanged(n, true), than: whole, share: share},
		)
	}
	return out
}

func plannerRows() (out []row) {
	for _, n := range []int{35, 100, 1000, 10_000} {
		fresh := row{work: "planner, new snapshot", size: n, run: planner(n, false), peer: "plan"}
		known := row{work: "planner, rows known", size: n, run: planner(n, true), peer: "plan"}
		if n >= 1000 {
			fresh.faster, known.faster = 4, 4
		}
		out = append(out, fresh, known)
	}
	return out
}

func ruleRows() (out []row) {
	for _, n := range []int{10, 1000, 100_000} {
		out = append(out,
			row{work: "decision, so many rules", size: n, run: decision(rules(n)), budget: 200, still: true},
			row{work: "decision, so many middles", size: n, run: decision(middles(n))},
			row{work: "recompile, so many rules", size: n, run: recompile(rules(n))},
		)
	}
	return append(out, row{work: "recompile, nine layers", size: 9, run: recompile(layers(false))})
}
