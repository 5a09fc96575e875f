package registry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawSources gives sources whose names are all different and of which none
// breaks the contract.
func drawSources(t *rapid.T, label string) []Source {
	n := rapid.IntRange(0, 7).Draw(t, label)
	var out []Source
	for i := range n {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		tools := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), rapid.ID).Draw(t, "tools")
		out = append(out, source(kind, fmt.Sprintf("s%d", i), tools...))
	}
	return out
}

// expected is the rule as one would write it down: who wins a name, and where
// it stands.
func expected(sources []Source) (order []string, winner map[string]string) {
	winner = map[string]string{}
	for _, kind := range kinds {
		for _, s := range sources {
			if s.Kind != kind {
				continue
			}
			for _, t := range s.Tools {
				held, taken := winner[t.Name]
				if !taken {
					order = append(order, t.Name)
				}
				if !taken || kind == SDK || kind == Extension && strings.HasPrefix(held, "core") {
					winner[t.Name] = string(kind) + " " + s.Name
				}
			}
		}
	}
	return order, winner
}

func TestPrecedence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := drawSources(t, "sources")
		r, err := New(nil, sources...)
		if err != nil {
			t.Fatal(err)
		}
		snap := r.Snapshot()
		order, winner := expected(sources)
		var got []string
		for _, row := range snap.Rows {
			got = append(got, row.Name)
			if row.Description != winner[row.Name] { // sources write their label there
				t.Fatalf("%s is of %s, want %s", row.Name, row.Description, winner[row.Name])
			}
		}
		if !slices.Equal(got, order) {
			t.Fatalf("order %q, want %q", got, order)
		}
		tools := 0
		for _, s := range sources {
			tools += len(s.Tools)
		}
		replaced := tools - len(snap.Rows) - len(snap.Skipped)
		for _, s := range snap.Skipped {
			if s.Holder == "" || s.Source == "" || s.Reason == "" {
				t.Fatalf("%+v says not enough", s)
			}
		}
		if replaced < 0 || replaced > 0 && !slices.ContainsFunc(sources, func(s Source) bool { return s.Kind == SDK || s.Kind == Extension }) {
			t.Fatalf("%d tools, %d rows, %d skipped: some vanished without a word", tools, len(snap.Rows), len(snap.Skipped))
		}
	})
}

// TestRefreshIsAsGoodAsNew: what was registered before leaves no trace.
func TestRefreshIsAsGoodAsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawSources(t, "before"), drawSources(t, "after")
		r, err := New(nil, before...)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := New(nil, after...)
		if err != nil || r.Refresh(after...) != nil {
			t.Fatal(err)
		}
		a, b := r.Snapshot(), fresh.Snapshot()
		if !slices.Equal(rows(a), rows(b)) || !slices.Equal(a.Skipped, b.Skipped) {
			t.Fatalf("refreshed %q %v\nnew %q %v", rows(a), a.Skipped, rows(b), b.Skipped)
		}
		for _, row := range a.Rows {
			if other := b.Find(row.Name); !row.same(other) {
				t.Fatalf("%+v\n%+v", row, other)
			}
		}
	})
}
