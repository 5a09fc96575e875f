package names

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	known := []string{"read", "write", "edit", "exec", "apply_patch", "process", "web_search", "web_fetch"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"exce", []string{"exec"}},
		{"EXEC ", []string{"exec"}},
		{"raed", []string{"read"}},
		{"aply_patch", []string{"apply_patch"}},
		{"patch", []string{"apply_patch"}},
		{"read_file", []string{"read"}},
		{"websearch", []string{"web_search"}},
		{"calendar", nil},
		{"", nil},
	} {
		if got := Nearest(c.word, known, 3); !slices.Equal(got, c.want) {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestNearestIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.String().Draw(t, "word")
		known := rapid.SliceOf(rapid.String()).Draw(t, "known")
		got := Nearest(word, known, 3)
		if len(got) > 3 {
			t.Fatalf("%d names", len(got))
		}
		for _, name := range got {
			if !slices.Contains(known, name) {
				t.Fatalf("%q was not among the known names", name)
			}
		}
	})
}
