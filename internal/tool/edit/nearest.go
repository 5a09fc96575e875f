package edit

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSearchedLines = 50_000 // of the file, for what is near
	maxShownLines    = 12
	maxShownBytes    = 160 // of one line
)

// notFound says that an old text is not there, and shows what is most like it.
func (v *view) notFound(i int, m match) error {
	e := &Error{Kind: KindNotFound, Edit: i, Text: fmt.Sprintf("edits[%d].oldText is not in the file", i)}
	if strings.TrimSpace(m.new) != "" {
		if at := strings.Index(v.plain, m.new); at >= 0 {
			e.Text += fmt.Sprintf("; its newText stands in line %d already, so it may have been made before", v.line(v.rawOfPlain(at)))
		}
	}
	lines := strings.Split(strings.TrimSuffix(v.plain, "\n"), "\n")
	from, to, ok := nearest(lines, strings.Split(m.old, "\n"))
	if !ok {
		e.Text += "; read the file again and copy the text from it"
		return e
	}
	e.Lines = []int{from + 1, to}
	e.Text += fmt.Sprintf("; lines %d to %d are most like it:\n%s\nread that part again and copy the text from it", from+1, to, excerpt(lines, from, to))
	return e
}

// nearest finds the lines of a file that are most like those of an old text:
// where most lines are equal at the same distance, else the single line that
// shares most words with the longest old line.
func nearest(lines, old []string) (from, to int, ok bool) {
	lines = lines[:min(len(lines), maxSearchedLines)]
	from, ok = nearestByLines(lines, old)
	if !ok {
		var row int
		if from, row, ok = nearestByWords(lines, old); !ok {
			return 0, 0, false
		}
		from -= row
	}
	to = min(max(from, 0)+min(len(old), maxShownLines), len(lines))
	return max(from, 0), to, true
}

func key(line string) string { return strings.TrimSpace(foldText(line)) }

func nearestByLines(lines, old []string) (from int, ok bool) {
	const maxSame = 8 // lines of the old text that are equal: braces and the like
	rows := map[string][]int{}
	for j, line := range old {
		if k := key(line); k != "" && len(rows[k]) < maxSame {
			rows[k] = append(rows[k], j)
		}
	}
	votes := map[int]int{}
	best := 0
	for i, line := range lines {
		k := key(line)
		for _, j := range rows[k] {
			weight := 1 + min(len(k), 20) // a line with much in it says more than a brace
			if votes[i-j] += weight; votes[i-j] > best {
				best, from = votes[i-j], i-j
			}
		}
	}
	return from, best > 4
}

func nearestByWords(lines, old []string) (from, row int, ok bool) {
	for j, line := range old {
		if len(line) > len(old[row]) {
			row = j
		}
	}
	wanted := map[string]bool{}
	for _, w := range words(old[row]) {
		wanted[w] = true
	}
	best := 0
	for i, line := range lines {
		seen := map[string]bool{}
		for _, w := range words(line) {
			if wanted[w] {
				seen[w] = true
			}
		}
		if len(seen) > best {
			best, from = len(seen), i
		}
	}
	return from, row, best > 0 && best*2 >= len(wanted)
}

func words(line string) []string {
	line = line[:min(len(line), 2000)]
	return strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func excerpt(lines []string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		line := lines[i]
		if len(line) > maxShownBytes {
			end := maxShownBytes
			for !utf8.RuneStart(line[end]) {
				end--
			}
			line = line[:end] + "…"
		}
		fmt.Fprintf(&b, "%6d| %s\n", i+1, line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
