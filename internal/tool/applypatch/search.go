package applypatch

import (
	"strings"
	"unicode"
)

// tolerance is how much a line of a hunk may differ from the file's.
type tolerance int

const (
	exactly      tolerance = iota
	lineEndSpace           // spaces at the end
	outerSpace             // and at the beginning
	typography             // and quotes, dashes, kinds of space
	tolerances             // how many there are
)

// search finds the places of hunks in a file, from top to bottom.
type search struct {
	lines []fileLine
	// keys are the lines reduced to what counts, made when first needed.
	keys [tolerances][]string
	from int // the line below what was found last
}

func newSearch(lines []fileLine) *search { return &search{lines: lines} }

func (s *search) reduced(t tolerance) []string {
	if s.keys[t] == nil {
		s.keys[t] = make([]string, len(s.lines))
		for i, line := range s.lines {
			s.keys[t][i] = reduce(line.text, t)
		}
	}
	return s.keys[t]
}

func reduce(line string, t tolerance) string {
	switch t {
	case lineEndSpace:
		return strings.TrimRightFunc(line, unicode.IsSpace)
	case outerSpace:
		return strings.TrimSpace(line)
	case typography:
		return strings.Map(plainRune, strings.TrimSpace(line))
	}
	return line
}

// plainRune reduces typography to what a keyboard has.
func plainRune(r rune) rune {
	switch {
	case strings.ContainsRune("‘’‚‛", r):
		return '\''
	case strings.ContainsRune("“”„‟", r):
		return '"'
	case strings.ContainsRune("‐‑‒–—―−", r):
		return '-'
	case unicode.Is(unicode.Zs, r):
		return ' '
	}
	return r
}

func reduceAll(lines []string, t tolerance) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = reduce(line, t)
	}
	return out
}

// place finds where a hunk goes, and moves on below it. exact is false when
// its lines differ from the file's.
func (s *search) place(h Hunk) (c change, exact bool, err error) {
	from, err := s.anchored(h)
	if err != nil {
		return c, false, err
	}
	if len(oldLines(h.Lines)) == 0 {
		at := len(s.lines)
		if len(h.Anchors) > 0 && !h.AtEnd {
			at = from
		}
		s.from = from
		return change{start: at, lines: h.Lines}, true, nil
	}
	c, exact, err = s.find(h, h.Lines, from)
	if err == nil && c.count == 0 {
		if shorter, ok := withoutLastEmpty(h.Lines); ok {
			c, exact, err = s.find(h, shorter, from)
		}
	}
	if err != nil {
		return c, false, err
	}
	if c.count == 0 {
		return c, false, s.notFound(h, from)
	}
	s.from = c.start + c.count
	return c, exact, nil
}

func oldLines(lines []Line) []string {
	var out []string
	for _, line := range lines {
		if line.Op != '+' {
			out = append(out, line.Text)
		}
	}
	return out
}

// withoutLastEmpty drops an empty line at the end of what a hunk expects:
// models put one between hunks, and at the end of files. It is put in where
// new lines follow it.
func withoutLastEmpty(lines []Line) ([]Line, bool) {
	last := len(lines) - 1
	for last >= 0 && lines[last].Op == '+' {
		last--
	}
	if last < 1 || lines[last].Text != "" {
		return nil, false
	}
	out := append([]Line{}, lines[:last]...)
	if lines[last].Op == ' ' && last < len(lines)-1 {
		out = append(out, Line{'+', ""})
	}
	out = append(out, lines[last+1:]...)
	return out, len(oldLines(out)) > 0
}

// anchored gives the line below the anchors of a hunk.
func (s *search) anchored(h Hunk) (from int, err error) {
	from = s.from
	for _, anchor := range h.Anchors {
		at := -1
		for t := exactly; t < tolerances && at < 0; t++ {
			eachMatch(s.reduced(t), []string{reduce(anchor, t)}, from, func(i int) bool {
				at = i
				return false
			})
		}
		if at < 0 {
			return 0, s.noAnchor(h, anchor, from)
		}
		from = at + 1
	}
	return from, nil
}

// find looks for the lines of a hunk with growing tolerance. A count of 0 says
// that they are not there.
func (s *search) find(h Hunk, lines []Line, from int) (c change, exact bool, err error) {
	old := oldLines(lines)
	for t := exactly; t < tolerances; t++ {
		places := s.places(reduceAll(old, t), s.reduced(t), from, h.AtEnd, t)
		if len(places) > 1 {
			return c, false, ambiguous(h, places)
		}
		if len(places) == 1 {
			return change{start: places[0], count: len(old), lines: lines}, t == exactly, nil
		}
	}
	return c, false, nil
}

// places lists where old begins. Exact places after the first do not count.
func (s *search) places(old, keys []string, from int, atEnd bool, t tolerance) []int {
	if atEnd {
		from = max(from, len(keys)-len(old))
	}
	var out []int
	eachMatch(keys, old, from, func(i int) bool {
		out = append(out, i)
		return t != exactly && len(out) <= maxListed
	})
	return out
}

// eachMatch calls fn with each index, from on, at which part stands in lines,
// until fn returns false. It looks at each line a bounded number of times.
func eachMatch(lines, part []string, from int, fn func(i int) bool) {
	back := borders(part)
	matched := 0
	for i := from; i < len(lines); i++ {
		for matched > 0 && lines[i] != part[matched] {
			matched = back[matched-1]
		}
		if lines[i] == part[matched] {
			matched++
		}
		if matched == len(part) {
			if !fn(i - len(part) + 1) {
				return
			}
			matched = back[matched-1]
		}
	}
}

// borders gives for each beginning of part how much of it is also its end.
func borders(part []string) []int {
	out := make([]int, len(part))
	for i := 1; i < len(part); i++ {
		n := out[i-1]
		for n > 0 && part[i] != part[n] {
			n = out[n-1]
		}
		if part[i] == part[n] {
			n++
		}
		out[i] = n
	}
	return out
}
