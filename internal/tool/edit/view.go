package edit

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a text together with the two forms in which old texts are looked
// for, and the way back from a place in them to a place in the text.
type view struct {
	raw string

	// plain is raw with \n as the only line break; breaks are the places in
	// plain where raw has \r\n.
	plain  string
	breaks []int

	// folded is the tolerant form, line by line: no spaces at line ends,
	// compatibility forms and typography reduced. rawLines and foldedLines
	// are where each line begins.
	folded      string
	rawLines    []int
	foldedLines []int

	// columns is the way back for the line columnsOf, made when first needed.
	columns   []int
	columnsOf int
}

// span is a place in the raw text.
type span struct {
	start, end int
	exact      bool
}

func newView(raw string) *view {
	v := &view{raw: raw, plain: plain(raw), columnsOf: -1}
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\n' && i > 0 && raw[i-1] == '\r' {
			v.breaks = append(v.breaks, i-1-len(v.breaks))
		}
	}
	var b strings.Builder
	b.Grow(len(raw))
	at := 0
	for line := range strings.SplitSeq(raw, "\n") {
		v.rawLines = append(v.rawLines, at)
		v.foldedLines = append(v.foldedLines, b.Len())
		writeFolded(&b, line)
		b.WriteByte('\n')
		at += len(line) + 1
	}
	v.folded = strings.TrimSuffix(b.String(), "\n")
	return v
}

func plain(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// line gives the 1-based line of a place in raw.
func (v *view) line(at int) int {
	return sort.Search(len(v.rawLines), func(i int) bool { return v.rawLines[i] > at })
}

// rawOfPlain gives the place in raw of a place in plain.
func (v *view) rawOfPlain(at int) int {
	return at + sort.SearchInts(v.breaks, at)
}

// rawOfFolded gives the place in raw of a place in folded, and whether a line
// ends there. There is none inside of what one piece was folded to ("fi" of a
// ligature).
func (v *view) rawOfFolded(at int) (raw int, lineEnd, ok bool) {
	i := sort.Search(len(v.foldedLines), func(i int) bool { return v.foldedLines[i] > at }) - 1
	if v.columnsOf != i {
		v.columns, v.columnsOf = columnsOf(v.rawLine(i)), i
	}
	column := at - v.foldedLines[i]
	back := v.columns[column]
	return v.rawLines[i] + back, column == len(v.columns)-1, back >= 0
}

func (v *view) rawLine(i int) string {
	line := v.raw[v.rawLines[i]:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		return line[:end]
	}
	return line
}

// columnsOf gives for each place in the folded line the one in the line, or -1.
func columnsOf(line string) []int {
	columns := []int{0}
	foldLine(line, func(end int, text string) {
		for range len(text) - 1 {
			columns = append(columns, -1)
		}
		columns = append(columns, end)
	})
	return columns
}

// foldLine reduces a line to what counts in tolerant matching, piece by piece:
// emit gets each piece and where in the line it ends. Spaces at the end of the
// line are left out.
func foldLine(line string, emit func(end int, text string)) {
	line = strings.TrimRightFunc(line, unicode.IsSpace)
	for at := 0; at < len(line); {
		n := asciiRun(line[at:])
		if n > 1 { // the last one may be the base of a combining mark
			for i := range n - 1 {
				emit(at+i+1, line[at+i:at+i+1])
			}
			at += n - 1
			continue
		}
		n = max(norm.NFKC.NextBoundaryInString(line[at:], true), 1)
		emit(at+n, foldPiece(line[at:at+n]))
		at += n
	}
}

func asciiRun(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

func foldPiece(piece string) string {
	if len(piece) == 1 {
		return piece
	}
	return strings.Map(foldRune, norm.NFKC.String(piece))
}

// foldRune reduces typography to what a keyboard has.
func foldRune(r rune) rune {
	switch {
	case r >= '\u2018' && r <= '\u201b':
		return '\''
	case r >= '\u201c' && r <= '\u201f':
		return '"'
	case (r >= '\u2010' && r <= '\u2015') || r == '\u2212':
		return '-'
	case r != ' ' && unicode.Is(unicode.Zs, r):
		return ' '
	}
	return r
}

// foldText folds a text of several lines.
func foldText(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeFolded(&b, line)
	}
	return b.String()
}

func writeFolded(b *strings.Builder, line string) {
	if asciiRun(line) == len(line) {
		b.WriteString(strings.TrimRightFunc(line, unicode.IsSpace))
		return
	}
	foldLine(line, func(_ int, piece string) { b.WriteString(piece) })
}
