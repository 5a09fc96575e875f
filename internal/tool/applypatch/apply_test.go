package applypatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestHunkErrors(t *testing.T) {
	file := "one\ntwo\nthree\nfour\n  x\nsix\n\tx\n"
	tests := []struct {
		hunks []Hunk
		want  string
	}{
		{[]Hunk{{Line: 3, Lines: []Line{{'-', "x"}}}}, "hunk of patch line 3: ambiguous: apart from spaces and typography it fits at lines 5, 7 of the file; copy its lines exactly, and take in more context"},
		{[]Hunk{{Line: 3, Lines: []Line{{' ', "two"}, {'+', "new"}, {'-', "3"}}}}, "hunk of patch line 3: 1 of its 2 lines fit at line 2, but line 3 is three and the patch has 3; read the file again and copy them"},
		{[]Hunk{{Line: 3, Lines: []Line{{' ', "six"}, {' ', "x"}, {'-', "y"}}}}, "hunk of patch line 3: 2 of its 3 lines fit at line 6, then the file ends; read the file again"},
		{[]Hunk{{Line: 3, Lines: []Line{{'-', "nowhere"}}}}, "hunk of patch line 3: its lines are not in the file, beginning with nowhere; read the file again and copy them"},
		{[]Hunk{{Line: 3, Lines: []Line{{'-', "four"}}}, {Line: 5, Lines: []Line{{'-', "one"}}}}, "hunk of patch line 5: its lines stand only at line 1 of the file, above the place reached before (line 4); put hunks in the order of the file"},
		{[]Hunk{{Line: 3, Lines: []Line{{'-', "two"}}, AtEnd: true}}, "hunk of patch line 3: its lines do not stand at the end of the file; drop *** End of File"},
		{[]Hunk{{Line: 3, Anchors: []string{"zero"}, Lines: []Line{{'-', "x"}}}}, "hunk of patch line 3: its @@ line is not in the file: zero; copy a whole line from the file, or write @@ alone"},
		{[]Hunk{{Line: 3, Anchors: []string{"-1,3 +1,4 @@ func"}, Lines: []Line{{'-', "x"}}}}, "hunk of patch line 3: line numbers behind @@ are not used; write @@ alone, or with a line of the file that stands above the change"},
		{[]Hunk{{Line: 3, Anchors: []string{"three", "one"}, Lines: []Line{{'-', "x"}}}}, "hunk of patch line 3: its @@ line stands only in line 1 of the file, above the place reached before (line 3); put hunks and anchors in the order of the file"},
	}
	for _, c := range tests {
		_, _, err := Apply(t.Context(), file, c.hunks)
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// drawn is a file, hunks that change it, and what comes out, built together.
type drawn struct {
	before, after string
	hunks         []Hunk
}

// drawChange draws a file of distinct lines, so that each hunk has one place,
// and changes of it that keep a line between them.
func drawChange(t *rapid.T) drawn {
	end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line ending")
	n := rapid.IntRange(0, 12).Draw(t, "lines")
	var d drawn
	var before, after []string
	var h Hunk
	flush := func() {
		changed := false
		for _, l := range h.Lines {
			changed = changed || l.Op != ' '
		}
		if changed {
			d.hunks = append(d.hunks, h)
		}
		h = Hunk{}
	}
	for i := range n {
		line := fmt.Sprintf("line %d", i)
		before = append(before, line)
		switch rapid.SampledFrom([]string{"keep", "keep", "drop", "change", "insert", "split"}).Draw(t, "change") {
		case "keep":
			h.Lines = append(h.Lines, Line{' ', line})
			after = append(after, line)
		case "drop":
			h.Lines = append(h.Lines, Line{'-', line})
		case "change":
			h.Lines = append(h.Lines, Line{'-', line}, Line{'+', line + "!"})
			after = append(after, line+"!")
		case "insert":
			fresh := fmt.Sprintf("new %d", i)
			h.Lines = append(h.Lines, Line{'+', fresh}, Line{' ', line})
			after = append(after, fresh, line)
		case "split":
			flush()
			after = append(after, line)
		}
	}
	flush()
	mark := rapid.SampledFrom([]string{"", byteOrderMark}).Draw(t, "mark")
	d.before, d.after = joined(before, mark, end), joined(after, mark, end)
	return d
}

func joined(lines []string, mark, end string) string {
	for i := range lines {
		mark += lines[i] + end
	}
	return mark
}

func TestApplyFollowsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawChange(t)
		got, tolerant, err := Apply(context.Background(), d.before, d.hunks)
		if err != nil || len(tolerant) != 0 || got != d.after {
			t.Fatalf("%q: got %q, %v, %v; want %q", d.before, got, tolerant, err, d.after)
		}
	})
}

// The same changes turned around give the file as it was.
func TestApplyAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawChange(t)
		open := rapid.Bool().Draw(t, "open end")
		if open {
			d.before = strings.TrimSuffix(strings.TrimSuffix(d.before, "\n"), "\r")
		}
		there, _, err := Apply(context.Background(), d.before, d.hunks)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(there, "\n") || strings.HasSuffix(there, "\n") == open {
			t.Skip("nothing left shows how lines end")
		}
		var back []Hunk
		for _, h := range d.hunks {
			turned := Hunk{}
			for _, l := range h.Lines {
				turned.Lines = append(turned.Lines, Line{map[byte]byte{' ': ' ', '+': '-', '-': '+'}[l.Op], l.Text})
			}
			if len(oldLines(turned.Lines)) == 0 {
				t.Skip("a hunk without context has no place")
			}
			back = append(back, turned)
		}
		got, _, err := Apply(context.Background(), there, back)
		if err != nil || got != d.before {
			t.Fatalf("%q → %q → %q, %v", d.before, there, got, err)
		}
	})
}

// FuzzApply applies arbitrary hunks. Lines that no hunk takes stay, in order
// and byte for byte.
func FuzzApply(f *testing.F) {
	f.Add("a\nb\r\nc", "@@ a\n-b\n+x")
	f.Add("", "@@\n+x")
	f.Add("\ufeff“a”  \n\n", " \"a\"\n\n+b\n*** End of File")
	f.Add("x\nx\nx", "@@\n x\n-x\n+y\n@@\n+z")
	f.Fuzz(func(t *testing.T, file, body string) {
		ops, err := Parse("*** Begin Patch\n*** Update File: f\n" + body + "\n*** End Patch")
		if err != nil || len(ops) != 1 {
			return
		}
		out, _, err := Apply(t.Context(), file, ops[0].Hunks)
		if err != nil {
			if _, ok := errors.AsType[*HunkError](err); !ok || len(err.Error()) > 3000 {
				t.Fatal(err)
			}
			return
		}
		added, dropped := 0, 0
		for _, h := range ops[0].Hunks {
			for _, l := range h.Lines {
				switch l.Op {
				case '+':
					added++
				case '-':
					dropped++
				}
			}
		}
		before, after := len(splitLines(strings.TrimPrefix(file, byteOrderMark))), len(splitLines(strings.TrimPrefix(out, byteOrderMark)))
		if strings.HasPrefix(file, byteOrderMark) != strings.HasPrefix(out, byteOrderMark) {
			t.Skip("a line of its own begins with the mark")
		}
		// An empty context line that the file lacks becomes a new one.
		if after > before+added+len(ops[0].Hunks) || after < before-dropped-1 {
			t.Fatalf("%d lines became %d with %d added and %d dropped:\n%q\n%q", before, after, added, dropped, file, out)
		}
	})
}

// A patch must not be able to make us compute for minutes.
func TestHostilePatches(t *testing.T) {
	const n = 100_000
	same := make([]Line, n/2)
	for i := range same {
		same[i] = Line{' ', "x"}
	}
	tests := map[string]struct {
		file  string
		hunks []Hunk
	}{
		"almost there": {strings.Repeat("x\n", n), []Hunk{{Lines: append(append([]Line{}, same...), Line{'-', "y"})}}},
		"many places":  {strings.Repeat(" x\n", n), []Hunk{{Lines: []Line{{'-', "x"}}}}},
		"all at once":  {strings.Repeat("x\n", n), []Hunk{{Lines: append(append([]Line{}, same...), same...)}, {Lines: same}}},
	}
	for name, c := range tests {
		start := time.Now()
		if _, _, err := Apply(t.Context(), c.file, c.hunks); err == nil {
			t.Errorf("%s: applied", name)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestApplyHonoursContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Apply(ctx, "a\n", []Hunk{{Lines: []Line{{'-', "a"}}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
