package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"text/tabwriter"
)

// key names a figure.
type key struct {
	work string
	size int
}

func (r row) key() key { return key{r.work, r.size} }

// measured are the figures of one run.
type measured struct {
	ours map[key]testing.BenchmarkResult
	peer map[key]float64 // nanoseconds; nil when the peer was not there
}

func (m measured) print(rows []row) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	head := "WORK\tSIZE\tFIGURE\tALLOCS\tBUDGET\tVERDICT"
	if m.peer != nil {
		head += "\tOPENCLAW\tTIMES"
	}
	fmt.Fprintln(w, head)
	for _, r := range rows {
		res := m.ours[r.key()]
		budget, verdict := m.judge(r)
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%s\t%s", r.work, r.size, duration(perOp(res)), res.AllocsPerOp(), budget, verdict)
		if theirs, ok := m.peer[key{r.peer, r.size}]; ok {
			fmt.Fprintf(w, "\t%s\t%.0f×", duration(theirs), theirs/perOp(res))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// judge gives the budget in words, and whether it is kept; a budget whose other
// figure is missing is not judged.
func (m measured) judge(r row) (budget, verdict string) {
	ours := perOp(m.ours[r.key()])
	kept, judged := true, false
	var said []string
	check := func(ok bool, format string, args ...any) {
		kept, judged = kept && ok, true
		said = append(said, fmt.Sprintf(format, args...))
	}
	if r.budget > 0 {
		check(ours <= r.budget, "≤ %s", duration(r.budget))
	}
	if r.still {
		check(m.ours[r.key()].AllocsPerOp() == 0, "0 allocs")
	}
	if whole, ok := m.ours[key{r.than, r.size}]; ok && r.share > 0 {
		check(ours <= r.share*perOp(whole), "≤ 1/%.0f of %s", 1/r.share, r.than)
	}
	if small, ok := m.ours[key{r.work, r.grows}]; ok && r.times > 0 {
		check(ours <= r.times*perOp(small), "≤ %.0f × that of %d", r.times, r.grows)
	}
	if theirs, ok := m.peer[key{r.peer, r.size}]; ok && r.faster > 0 {
		check(theirs >= r.faster*ours, "≥ %.0f × faster", r.faster)
	}
	switch {
	case !judged:
		return "", ""
	case kept:
		return strings.Join(said, ", "), "kept"
	}
	return strings.Join(said, ", "), "MISSED"
}

func perOp(r testing.BenchmarkResult) float64 {
	if r.N == 0 {
		return 0
	}
	return float64(r.T.Nanoseconds()) / float64(r.N)
}

// duration prints nanoseconds with three digits.
func duration(ns float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {milli, "ms"}, {micro, "µs"}} {
		if ns >= unit.size {
			return fmt.Sprintf("%.3g %s", ns/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}
