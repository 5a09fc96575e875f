package process

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// excerpt keeps the beginning and the end of what is written to it. It never
// holds more than about three times its limit.
type excerpt struct {
	headMax, tailMax int
	head, tail       []byte
	total            int64
}

// newExcerpt keeps at most limit bytes. A quarter goes to the beginning: the
// end of an output says how it went.
func newExcerpt(limit int) *excerpt {
	head := limit / 4
	return &excerpt{headMax: head, tailMax: limit - head}
}

func (e *excerpt) Write(p []byte) (int, error) {
	n := len(p)
	e.total += int64(n)
	if room := e.headMax - len(e.head); room > 0 {
		take := min(room, len(p))
		e.head = append(e.head, p[:take]...)
		p = p[take:]
	}
	if len(p) > e.tailMax {
		p = p[len(p)-e.tailMax:]
	}
	if len(e.tail)+len(p) > 2*e.tailMax {
		keep := copy(e.tail, e.tail[len(e.tail)-e.tailMax:])
		e.tail = e.tail[:keep]
	}
	e.tail = append(e.tail, p...)
	return n, nil
}

// Text gives what was kept, with a line that says how much is missing, and
// the number of missing bytes.
func (e *excerpt) Text() (string, int64) {
	if e.total <= int64(e.headMax+e.tailMax) {
		return string(e.head) + string(e.tail), 0
	}
	head := wholeLinesBefore(e.head)
	tail := wholeLinesAfter(e.tail[len(e.tail)-e.tailMax:])
	missing := e.total - int64(len(head)+len(tail))
	return fmt.Sprintf("%s\n[... %d bytes of output left out here ...]\n%s",
		bytes.TrimRight(head, "\n"), missing, tail), missing
}

// lineSearch is how far a cut moves to fall between lines.
const lineSearch = 1024

// wholeLinesBefore cuts the end of p back to the end of a line, or at least
// of a character.
func wholeLinesBefore(p []byte) []byte {
	from := max(0, len(p)-lineSearch)
	if i := bytes.LastIndexByte(p[from:], '\n'); i >= 0 {
		return p[:from+i+1]
	}
	for i := len(p) - 1; i >= 0 && i >= len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				return p[:i]
			}
			break
		}
	}
	return p
}

// wholeLinesAfter cuts the beginning of p to the beginning of a line, or at
// least of a character.
func wholeLinesAfter(p []byte) []byte {
	if i := bytes.IndexByte(p[:min(lineSearch, len(p))], '\n'); i >= 0 && i+1 < len(p) {
		return p[i+1:]
	}
	for len(p) > 0 && !utf8.RuneStart(p[0]) {
		p = p[1:]
	}
	return p
}
