// Package names knows how names are written: the one form in which tool names
// are compared, their aliases, the safe names of MCP servers and their tools,
// the names that providers accept, keys of providers, ids of agents, which
// known name a model can only have meant and which one was probably meant by
// an unknown one, and which names are refused because they could not be shown
// or sent. It knows no tools, and every function is pure.
package names

import (
	"slices"
	"strings"
)

// Nearest gives the known names (at most so many) that a person or a model
// probably meant by word, the closest first, ties in alphabetical order. It
// gives none when nothing is close: a wild guess is worse than no answer.
func Nearest(word string, known []string, most int) []string {
	type candidate struct {
		name string
		dist int
	}
	folded := Fold(word)
	if folded == "" || len(folded) > maxWord {
		return nil
	}
	limit := max(1, len([]rune(folded))/3)
	var found []candidate
	for _, name := range known {
		d := distance(folded, Fold(name), limit)
		if d > limit && related(folded, Fold(name)) {
			d = limit // sorts after the real near misses
		}
		if d <= limit {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		if a.dist != b.dist {
			return a.dist - b.dist
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, c := range found {
		if len(out) == most {
			break
		}
		if !slices.Contains(out, c.name) {
			out = append(out, c.name)
		}
	}
	return out
}

// maxWord bounds the work that a hostile name can cause, in bytes.
const maxWord = 256

// related reports whether one name is a whole word of the other: "patch" for
// "apply_patch", "read_file" for "read".
func related(a, b string) bool {
	if len(a) < 3 || len(b) < 3 {
		return false
	}
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == '/' })
	}
	return slices.Contains(split(a), b) || slices.Contains(split(b), a)
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between a and b; it may stop at limit+1.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if diff := len(x) - len(y); diff > limit || -diff > limit {
		return limit + 1
	}
	var before []int
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		next := make([]int, len(y)+1)
		next[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(y)]
}
