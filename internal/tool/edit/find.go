package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxPlaces is how many places of one old text are listed.
const maxPlaces = 20

// find gives the one place that an edit means. Tolerant places count also when
// there is an exact one: a model that copied text from line 2 without its
// typographic quotes must not change line 1 because that has plain ones.
func (v *view) find(i int, e Edit) (match, error) {
	m := match{edit: i, old: plain(e.OldText), new: plain(e.NewText)}
	if strings.TrimSpace(m.old) == "" {
		return m, &Error{Kind: KindBlank, Edit: i,
			Text: fmt.Sprintf("edits[%d].oldText is blank; take in the lines around the place", i)}
	}
	places := v.exactPlaces(m.old)
	for _, s := range v.tolerantPlaces(m.old) {
		if !slices.ContainsFunc(places, func(p span) bool { return p.exact && s.start < p.end && p.start < s.end }) {
			places = append(places, s)
		}
	}
	switch len(places) {
	case 0:
		return m, v.notFound(i, m)
	case 1:
		m.span = places[0]
		return m, nil
	}
	return m, v.notUnique(i, places)
}

func (v *view) exactPlaces(old string) []span {
	var out []span
	eachIndex(v.plain, old, func(at int) bool {
		out = append(out, span{v.rawOfPlain(at), v.rawOfPlain(at + len(old)), true})
		return len(out) <= maxPlaces
	})
	return out
}

func (v *view) tolerantPlaces(old string) []span {
	folded := foldText(old)
	if strings.TrimSpace(folded) == "" {
		return nil
	}
	// Spaces that the last line lost stood for the end of a line, not for the
	// beginning of a longer word.
	lastLine := old[strings.LastIndexByte(old, '\n')+1:]
	atLineEnd := strings.TrimRightFunc(lastLine, unicode.IsSpace) != lastLine
	var out []span
	eachIndex(v.folded, folded, func(at int) bool {
		start, _, ok := v.rawOfFolded(at)
		if !ok {
			return true
		}
		end, lineEnd, ok := v.rawOfFolded(at + len(folded))
		if ok && (lineEnd || !atLineEnd) {
			out = append(out, span{start, end, false})
		}
		return len(out) <= maxPlaces
	})
	return out
}

// eachIndex calls fn with each place of part in text, overlapping ones too,
// until fn returns false.
//
// It takes time in proportion to the lengths, however often part repeats
// itself (the method of Knuth, Morris and Pratt).
func eachIndex(text, part string, fn func(at int) bool) {
	if len(part) == 0 || len(part) > len(text) {
		return
	}
	back := borders(part)
	for i, matched := 0, int32(0); i < len(text); i++ {
		for matched > 0 && text[i] != part[matched] {
			matched = back[matched-1]
		}
		if text[i] == part[matched] {
			matched++
		}
		if int(matched) == len(part) {
			if !fn(i + 1 - len(part)) {
				return
			}
			matched = back[matched-1]
		}
	}
}

// borders gives for each beginning of s the length of the longest proper part
// of it that is both its beginning and its end.
func borders(s string) []int32 {
	back := make([]int32, len(s))
	for i, k := 1, int32(0); i < len(s); i++ {
		for k > 0 && s[i] != s[k] {
			k = back[k-1]
		}
		if s[i] == s[k] {
			k++
		}
		back[i] = k
	}
	return back
}

func (v *view) notUnique(i int, places []span) error {
	slices.SortFunc(places, func(a, b span) int { return a.start - b.start })
	e := &Error{Kind: KindNotUnique, Edit: i}
	exact := true
	var lines []string
	for n, p := range places {
		exact = exact && p.exact
		if n == maxPlaces {
			lines = append(lines, "and more")
			break
		}
		e.Lines = append(e.Lines, v.line(p.start))
		lines = append(lines, fmt.Sprint(v.line(p.start)))
	}
	how := "stands in several places"
	if !exact {
		how = "can be meant in several places, apart from spaces and typography"
	}
	e.Text = fmt.Sprintf("edits[%d].oldText %s, which begin in lines %s; take in more lines around the one that is meant", i, how, strings.Join(lines, ", "))
	return e
}
