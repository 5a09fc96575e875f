package main

import (
	"strconv"
	"testing"
	"time"

	"github.com/toolrest/toolrest/policy"
)

// BenchmarkTable is the table for tools that compare runs:
//
//	go test -run '^$' -bench 'Table/plan' -benchmem -count 10 ./bench
func BenchmarkTable(b *testing.B) {
	for _, r := range table() {
		b.Run(r.work+"/"+strconv.Itoa(r.size), r.run)
	}
}

func TestJudge(t *testing.T) {
	figure := func(ns, allocs int) testing.BenchmarkResult {
		return testing.BenchmarkResult{N: 1, T: time.Duration(ns), MemAllocs: uint64(allocs)}
	}
	m := measured{
		ours: map[key]testing.BenchmarkResult{
			{"small", 10}: figure(100, 0), {"small", 1000}: figure(5000, 2), {"whole", 1000}: figure(100_000, 9),
		},
		peer: map[key]float64{{"theirs", 1000}: 50_000},
	}
	for _, c := range []struct {
		r               row
		budget, verdict string
	}{
		{row{work: "small", size: 10}, "", ""},
		{row{work: "small", size: 10, budget: 100, still: true}, "≤ 100 ns, 0 allocs", "kept"},
		{row{work: "small", size: 1000, budget: 5 * micro, still: true}, "≤ 5 µs, 0 allocs", "MISSED"},
		{row{work: "small", size: 1000, budget: 4999}, "≤ 5 µs", "MISSED"},
		{row{work: "small", size: 1000, than: "whole", share: 0.05}, "≤ 1/20 of whole", "kept"},
		{row{work: "small", size: 1000, than: "whole", share: 0.04}, "≤ 1/25 of whole", "MISSED"},
		{row{work: "small", size: 1000, than: "not measured", share: 0.04}, "", ""},
		{row{work: "small", size: 1000, grows: 10, times: 50}, "≤ 50 × that of 10", "kept"},
		{row{work: "small", size: 1000, grows: 10, times: 49}, "≤ 49 × that of 10", "MISSED"},
		{row{work: "small", size: 1000, peer: "theirs", faster: 10}, "≥ 10 × faster", "kept"},
		{row{work: "small", size: 1000, peer: "theirs", faster: 11}, "≥ 11 × faster", "MISSED"},
	} {
		if budget, verdict := m.judge(c.r); budget != c.budget || verdict != c.verdict {
			t.Errorf("%+v: %q %q, want %q %q", c.r.key(), budget, verdict, c.budget, c.verdict)
		}
	}
}

// The scene has what its comments say, so that figures mean something.
func TestScene(t *testing.T) {
	for _, byGlob := range []bool{false, true} {
		p := policy.Compile(policy.OpenClaw, layers(byGlob))
		for n, want := range map[int]int{35: 11, 100: 62, 1000: 742, 10_000: 7942} {
			kept := 0
			for _, tool := range tools(n) {
				if p.Decide(tool).Kept {
					kept++
				}
			}
			if kept != want {
				t.Errorf("%d of %d tools are kept, want %d", kept, n, want)
			}
		}
	}
}

func TestReadFigures(t *testing.T) {
	got, err := readFigures([]byte("noise\n" + `{"work":"plan","size":35,"ns":12.5}` + "\n"))
	if err != nil || got[key{"plan", 35}] != 12.5 || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := readFigures([]byte("noise\n")); err == nil {
		t.Error("no figures are no error")
	}
}
