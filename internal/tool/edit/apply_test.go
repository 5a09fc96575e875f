package edit

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawText draws a text with one kind of line break, some of its lines alike.
func drawText(t *rapid.T, lineBreak string) string {
	line := rapid.SampledFrom([]string{"", "a", "b b", "\tif x {", "}", "it’s — “so”", "it's - \"so\"", "trailing  ", "ﬁx", "é", "e\u0301", "😀"})
	lines := rapid.SliceOfN(line, 1, 8).Draw(t, "lines")
	mark := rapid.SampledFrom([]string{"", byteOrderMark}).Draw(t, "mark")
	return mark + strings.Join(lines, lineBreak)
}

// An edit and the edit back give the file as it was, byte for byte.
func TestEditAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lineBreak := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line break")
		text := drawText(t, lineBreak)
		body := []rune(strings.TrimPrefix(text, byteOrderMark))
		from := rapid.IntRange(0, len(body)).Draw(t, "from")
		to := rapid.IntRange(from, len(body)).Draw(t, "to")
		old := string(body[from:to])
		fresh := rapid.SampledFrom([]string{"NEW", "N1\nN2", "N1\n\nN2\n", old + "!", "<" + old}).Draw(t, "new")
		there, err := Apply(context.Background(), text, []Edit{{old, fresh}})
		if err != nil {
			t.Skip("old is not unique:", err)
		}
		if lineBreak == "\r\n" && !strings.Contains(there.Text, "\r\n") {
			t.Skip("no line is left that shows the line break")
		}
		if strings.HasPrefix(old, "\n") || strings.HasSuffix(old, "\r") {
			t.Skip("half of a line break")
		}
		back, err := Apply(context.Background(), there.Text, []Edit{{fresh, old}})
		if err != nil {
			t.Skip("new is not unique:", err)
		}
		if back.Text != text {
			t.Fatalf("%q → %q → %q", text, there.Text, back.Text)
		}
	})
}

// FuzzApply edits arbitrary text. What the old text does not mean stays, and
// an exact edit is what replacing the string gives.
func FuzzApply(f *testing.F) {
	f.Add("a\nb\nc\n", "b", "B")
	f.Add("a\r\nb\r\n", "a\nb", "x\ny")
	f.Add("\ufeffit’s “so”  \n", "it's \"so\"\n", "")
	f.Add("ﬁle e\u0301\u0301 \u1100\u1161\u11a8", "file", "x")
	f.Add("a\n\n\n", "\na", "b")
	f.Add("x\u00a0", "x ", "y")
	f.Fuzz(func(t *testing.T, text, old, fresh string) {
		text, old, fresh = strings.ToValidUTF8(text, ""), strings.ToValidUTF8(old, ""), strings.ToValidUTF8(fresh, "")
		out, err := Apply(t.Context(), text, []Edit{{old, fresh}})
		if (out == nil) == (err == nil) {
			t.Fatal(out, err)
		}
		if err != nil {
			return
		}
		body := strings.TrimPrefix(text, byteOrderMark)
		if strings.HasPrefix(text, byteOrderMark) != strings.HasPrefix(out.Text, byteOrderMark) && !strings.HasPrefix(fresh, byteOrderMark) {
			t.Fatal("the byte order mark changed")
		}
		if lines := strings.Count(out.Text, "\n") + 1; out.FirstChangedLine < 1 || out.FirstChangedLine > max(lines, strings.Count(text, "\n")+1) {
			t.Fatalf("line %d of %d", out.FirstChangedLine, lines)
		}
		if len(out.Tolerant) > 0 || strings.Contains(text+old+fresh, "\r") {
			return
		}
		if strings.Count(body, old) != 1 {
			t.Fatalf("%q stands in %q %d times", old, body, strings.Count(body, old))
		}
		want := text[:len(text)-len(body)] + strings.Replace(body, old, fresh, 1)
		if out.Text != want {
			t.Fatalf("%q, want %q", out.Text, want)
		}
	})
}

// Each place in the folded text leads back to a place in the raw one, in
// order, and folding what lies between gives the folded part again.
func TestFoldingLeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.TrimPrefix(drawText(t, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line break")), byteOrderMark)
		v := newView(text)
		if want := foldText(plain(text)); v.folded != want {
			t.Fatalf("folded %q, want %q", v.folded, want)
		}
		last := 0
		for at := range len(v.folded) + 1 {
			raw, _, ok := v.rawOfFolded(at)
			if !ok {
				continue
			}
			if raw < last || raw > len(text) {
				t.Fatalf("place %d of %q leads to %d after %d", at, v.folded, raw, last)
			}
			last = raw
			if head := foldText(text[:raw]); strings.TrimSpace(head) != strings.TrimSpace(v.folded[:at]) {
				t.Fatalf("%q before %d folds to %q, want %q", text, raw, head, v.folded[:at])
			}
		}
	})
}

// A model must not be able to make us compute for minutes.
func TestHostileTexts(t *testing.T) {
	const size = 1 << 19
	tests := map[string]struct{ text, old string }{
		"one letter":           {strings.Repeat("a", size), "a"},
		"almost the whole":     {strings.Repeat("a", size), strings.Repeat("a", size/2) + "b"},
		"ligatures, one line":  {strings.Repeat("ﬁ", size/3), "i"},
		"ligatures, own lines": {strings.Repeat("ﬁ\n", size/4), "i"},
		"marks":                {strings.Repeat("\u0301", size/2), "a"},
		"empty lines":          {strings.Repeat("\n", size), "a\n\n\n\na"},
		"braces":               {strings.Repeat("}\n", size/2), strings.Repeat("}\n", 1000) + "x"},
		"words":                {strings.Repeat("word ", size/5), strings.Repeat("word ", 1000) + "x"},
	}
	for name, c := range tests {
		start := time.Now()
		_, err := Apply(t.Context(), c.text, []Edit{{c.old, "x"}})
		if err == nil {
			t.Errorf("%s: was edited", name)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// Places of a part, against looking at every position; and a part that repeats
// itself costs no more than its length.
func TestEachIndex(t *testing.T) {
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		text, part := letters.Draw(t, "text"), letters.Draw(t, "part")
		var got, want []int
		eachIndex(text, part, func(at int) bool { got = append(got, at); return true })
		for i := 0; part != "" && i+len(part) <= len(text); i++ {
			if text[i:i+len(part)] == part {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, want %v", part, text, got, want)
		}
	})
	n := 0
	eachIndex(strings.Repeat(".", 4_000_000), strings.Repeat(".", 2_000_000), func(int) bool { n++; return true })
	if n != 2_000_001 {
		t.Errorf("%d places", n)
	}
}
