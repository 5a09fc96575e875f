package workspace

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	tests := []struct {
		name          string
		before, after []byte
		want          string
	}{
		{"equal", []byte("a\n"), []byte("a\n"), ""},
		{"line", []byte("a\nb\nc\n"), []byte("a\nB\nc\n"), "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"new", nil, []byte("a\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"},
		{"gone", []byte("a\n"), nil, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"new and empty", nil, []byte{}, "--- /dev/null\n+++ b/f\n"},
		{"never there", nil, nil, ""},
		{"final newline", []byte("a"), []byte("a\n"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"binary", []byte("a\x00"), []byte("b"), "--- a/f\n+++ b/f\n(binary: 2 bytes before, 1 after)\n"},
		{"invalid", []byte("\xff"), []byte("b"), "--- a/f\n+++ b/f\n(binary: 1 bytes before, 1 after)\n"},
	}
	for _, c := range tests {
		if got := Diff("f", c.before, c.after); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	huge := make([]byte, maxDiffInput+1)
	if got := Diff("f", huge, nil); !strings.Contains(got, "too large to show") {
		t.Errorf("huge: %.200s", got)
	}
	long := []byte(strings.Repeat("line\n", maxDiffOutput/5))
	if got := Diff("f", nil, long); len(got) > maxDiffOutput+100 || !strings.Contains(got, "more bytes of diff") {
		t.Errorf("long: %d bytes", len(got))
	}
	if got := Diff("a\nb", nil, []byte("x")); !strings.HasPrefix(got, "--- /dev/null\n+++ b/\"a\\nb\"\n") {
		t.Errorf("name with a line break: %s", got)
	}
}

// Whoever applies the diff by hand gets the new text.
func TestDiffCanBeApplied(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a\n", "b\n", "c\r\n", "\n", "d"})).Draw(t, "lines"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		diff := Diff("f", []byte(before), []byte(after))
		if got := applyDiff(t, before, diff); got != after {
			t.Fatalf("applied to %q:\n%s\ngives %q, want %q", before, diff, got, after)
		}
	})
}

func applyDiff(t *rapid.T, before, diff string) string {
	old := strings.SplitAfter(before, "\n")
	diff = strings.ReplaceAll(diff, "\n\\ No newline at end of file\n", "\x00")
	var out strings.Builder
	at := 0
	for line := range strings.SplitAfterSeq(strings.ReplaceAll(diff, "\x00", "\x00\n"), "\n") {
		line = strings.TrimSuffix(strings.Replace(line, "\x00\n", "\x00", 1), "\x00")
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), line == "":
		case strings.HasPrefix(line, "@@ -"):
			var start int
			if _, err := fmt.Sscanf(line, "@@ -%d", &start); err != nil {
				t.Fatal(err)
			}
			for ; at < start-1; at++ {
				out.WriteString(old[at])
			}
		case line[0] == '+':
			out.WriteString(line[1:])
		default:
			if old[at] != line[1:] {
				t.Fatalf("line %d is %q, the diff says %q", at+1, old[at], line)
			}
			if line[0] == ' ' {
				out.WriteString(old[at])
			}
			at++
		}
	}
	return out.String() + strings.Join(old[at:], "")
}
