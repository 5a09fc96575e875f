package plan

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// The order of a plan is that of dictionaries: by sort key, else by name, ties
// by name; punctuation before digits before letters, accents and then case
// only between words that are otherwise the same. It is the root order of ICU.

// asciiOrder are the printable ASCII characters in that order, without the
// letters' capitals.
const asciiOrder = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"

// asciiRank gives the place of a printable ASCII character, from 1; 0 is for
// all others.
var asciiRank = func() (rank [256]byte) {
	for i, c := range []byte(asciiOrder) {
		rank[c] = byte(i + 1)
		if 'a' <= c && c <= 'z' {
			rank[c-'a'+'A'] = byte(i + 1)
		}
	}
	return rank
}()

// plain reports whether the rank of its characters is all that orders s.
func plain(s string) bool {
	for i := range len(s) {
		if asciiRank[s[i]] == 0 {
			return false
		}
	}
	return true
}

// head packs the ranks of the first eight characters, so that most pairs are
// told apart by comparing two numbers.
func head(s string) (h uint64) {
	for i := range 8 {
		h <<= 8
		if i < len(s) {
			h |= uint64(asciiRank[s[i]])
		}
	}
	return h
}

// comparePlain orders two plain strings.
func comparePlain(a, b string) int {
	n := min(len(a), len(b))
	variant := 0 // the first difference in case: small letters come first
	for i := range n {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if d := cmp.Compare(asciiRank[x], asciiRank[y]); d != 0 {
			return d
		}
		if variant == 0 {
			variant = cmp.Compare(y, x)
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), variant)
}

// ordinal is what places a row.
type ordinal struct {
	key, name string // the sort key, else the name; and the name
	head      uint64
	weights   *weights // set where not all rows are plain
}

// weights are what the collation compares.
type weights struct{ key, name []byte }

func newOrdinal(name string, sortKey *string) ordinal {
	o := ordinal{key: name, name: name}
	if sortKey != nil {
		o.key = *sortKey
	}
	o.head = head(o.key)
	return o
}

func (o *ordinal) plain() bool { return plain(o.key) && (o.key == o.name || plain(o.name)) }

// compareOrdinals orders rows that are all plain, or that all have weights.
// Names that a dictionary takes for the same are told apart by their bytes.
func compareOrdinals(a, b *ordinal) int {
	if a.weights == nil {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		if d := comparePlain(a.key, b.key); d != 0 {
			return d
		}
		return comparePlain(a.name, b.name)
	}
	return cmp.Or(
		bytes.Compare(a.weights.key, b.weights.key),
		bytes.Compare(a.weights.name, b.weights.name),
		strings.Compare(a.name, b.name),
	)
}

// weigh gives every row the weights of the collation.
func weigh(rows []*item) {
	c := collate.New(language.Und)
	var buf collate.Buffer
	of := func(s string) []byte {
		defer buf.Reset()
		return slices.Clone(c.KeyFromString(&buf, s))
	}
	for _, r := range rows {
		if r.weights != nil {
			continue
		}
		w := &weights{key: of(r.key)}
		w.name = w.key
		if r.key != r.name {
			w.name = of(r.name)
		}
		r.weights = w
	}
}

// sortItems puts the rows, which nobody else has yet, in order and tells whether
// all are plain.
func sortItems(rows []*item) (allPlain bool) {
	allPlain = !slices.ContainsFunc(rows, func(r *item) bool { return !r.plain() })
	if !allPlain {
		weigh(rows)
		slices.SortFunc(rows, compareItems)
		return false
	}
	// The heads lie side by side while sorting.
	type headed struct {
		head uint64
		*item
	}
	sorted := make([]headed, len(rows))
	for i, r := range rows {
		r.weights = nil // one that an index before brought along
		sorted[i] = headed{r.head, r}
	}
	slices.SortFunc(sorted, func(a, b headed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return compareOrdinals(&a.ordinal, &b.ordinal)
	})
	for i := range sorted {
		rows[i] = sorted[i].item
	}
	return true
}

func compareItems(a, b *item) int { return compareOrdinals(&a.ordinal, &b.ordinal) }
