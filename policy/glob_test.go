package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slowly says whether a pattern matches, by trying everything.
func slowly(pattern, name []rune) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] != '*' {
		return len(name) > 0 && name[0] == pattern[0] && slowly(pattern[1:], name[1:])
	}
	for n := 0; ; n++ {
		if slowly(pattern[1:], name[n:]) {
			return true
		}
		if n == len(name) || slices.Contains([]rune("\n\r\u2028\u2029"), name[n]) {
			return false
		}
	}
}

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{
		{"*", ""}, {"a*", "a"}, {"*a", "ba"}, {"a*a", "a"}, {"*ab*ba*", "aba"}, {"*__delete_*", "srv3__delete_item"}, {"**", "x"},
		{"a*b", "a\nb"}, {"a*", "a\u2028"}, {"*\r", "\r"}, {"é*", "éa"}, {"*\xff", "a\xff"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 12 || len(name) > 24 || !isGlob(pattern) {
			return // trying everything takes too long
		}
		// Bytes that are no text are compared as bytes.
		if got, want := compileGlob(pattern).match(name), slowly(bytesOrRunes(pattern, name)); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, name, got, want)
		}
	})
}

// bytesOrRunes gives both as runes when they are text, else their bytes, one a
// rune; line breaks beyond ASCII are then two or three bytes that no star
// crosses either, so such names are made to have none.
func bytesOrRunes(pattern, name string) (p, n []rune) {
	for _, b := range []byte(pattern) {
		p = append(p, rune(b))
	}
	for i := 0; i < len(name); i++ {
		if r := name[i:]; len(r) > 2 && (r[:3] == "\u2028" || r[:3] == "\u2029") {
			// The three bytes stand for one break, which only themselves match.
			n = append(n, 0xe2, '\u2028', rune(r[2]))
			i += 2
			continue
		}
		n = append(n, rune(name[i]))
	}
	for i := 0; i+2 < len(p); i++ {
		if p[i] == 0xe2 && p[i+1] == 0x80 && (p[i+2] == 0xa8 || p[i+2] == 0xa9) {
			p[i+1] = '\u2028'
		}
	}
	return p, n
}

// The index finds exactly the globs that match.
func TestGlobIndexAgainstEachGlob(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("ab*_\n\u2028")), 0, 6, -1)
	long := rapid.Map(rapid.IntRange(60, 70), func(n int) string { return fmt.Sprintf("%0*d", n, 7) })
	part := rapid.OneOf(word, word, long)
	rapid.Check(t, func(t *rapid.T) {
		var x globIndex
		var patterns []string
		for range rapid.IntRange(0, 20).Draw(t, "patterns") {
			pattern := part.Draw(t, "head") + "*" + part.Draw(t, "tail")
			patterns = append(patterns, pattern)
			x.intern(pattern)
		}
		name := strings.Join(rapid.SliceOfN(part, 0, 3).Draw(t, "name"), "")
		if len(patterns) > 0 && rapid.Bool().Draw(t, "literally") {
			name = strings.ReplaceAll(rapid.SampledFrom(patterns).Draw(t, "pattern"), "*", "")
		}
		var got, want []string
		x.candidates(name, func(g *indexedGlob) {
			if g.match(name) {
				got = append(got, fmt.Sprint(g.parts))
			}
		})
		for _, pattern := range patterns {
			if g := compileGlob(pattern); g.match(name) {
				want = append(want, fmt.Sprint(g.parts))
			}
		}
		if got, want = sortedSet(got), sortedSet(want); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", name, got, want)
		}
	})
}
