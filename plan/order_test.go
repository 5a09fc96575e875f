package plan

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"pgregory.net/rapid"
)

// The quick order of plain strings is that of the collation.
func TestPlainOrderIsTheRootCollation(t *testing.T) {
	c := collate.New(language.Und)
	printable := rapid.StringOfN(rapid.RuneFrom([]rune(asciiOrder+"ABCXYZ")), 0, 14, -1)
	alike := rapid.StringOfN(rapid.SampledFrom([]rune("aAbB_-1")), 0, 12, -1)
	either := rapid.OneOf(printable, alike)
	rapid.Check(t, func(t *rapid.T) {
		a, b := either.Draw(t, "a"), either.Draw(t, "b")
		if !plain(a) || !plain(b) {
			t.Fatalf("%q or %q is not plain", a, b)
		}
		want := c.CompareString(a, b)
		if got := comparePlain(a, b); got != want {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
		}
		if head(a) != head(b) && cmp.Compare(head(a), head(b)) != want {
			t.Fatalf("the heads of %q and %q: want %d", a, b, want)
		}
	})
}

func TestPlainIsPrintableASCII(t *testing.T) {
	for b := range 256 {
		if got, want := plain(string([]byte{byte(b)})), b >= 0x20 && b < 0x7f; got != want {
			t.Errorf("%#x is plain: %v, want %v", b, got, want)
		}
	}
}

// Rows are in the order of their sort keys, then names, whatever characters
// some of them have.
func TestSortItemsIsTheRootCollation(t *testing.T) {
	c := collate.New(language.Und)
	word := rapid.SampledFrom([]string{"", "a", "A", "ab", "a_b", "a1", "é", "e", "E\u0301", "z", "Ä", "ä", "10", "2", "\x01a", "漢", "\xff"})
	rapid.Check(t, func(t *rapid.T) {
		var rows []*item
		for _, name := range rapid.SliceOfNDistinct(word, 0, 12, rapid.ID[string]).Draw(t, "names") {
			it := &item{}
			var key *string
			if rapid.Bool().Draw(t, "keyed") {
				text := word.Draw(t, "key")
				key = &text
			}
			it.ordinal = newOrdinal(name, key)
			rows = append(rows, it)
		}
		if allPlain := sortItems(rows); allPlain != !slices.ContainsFunc(rows, func(r *item) bool { return !r.plain() }) {
			t.Fatal("the sort does not know whether all are plain")
		}
		for i := range len(rows) - 1 {
			a, b := rows[i], rows[i+1]
			if cmp.Or(c.CompareString(a.key, b.key), c.CompareString(a.name, b.name), strings.Compare(a.name, b.name)) >= 0 {
				t.Fatalf("%q (%q) stands before %q (%q)", a.name, a.key, b.name, b.key)
			}
		}
	})
}
