package applypatch

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

const byteOrderMark = "\ufeff"

// fileLine is a line of a file and what ends it: "\n", "\r\n", or nothing for
// a last line that was left open.
type fileLine struct {
	text, end string
}

// change is where a hunk goes: count lines of the file from start on are those
// that its context and - lines name.
type change struct {
	start, count int
	lines        []Line
}

// Apply makes the hunks of an update in text. Each is looked for below the one
// before it. Where a hunk stands exactly in the file, its first such place
// counts; where it fits only apart from spaces or typography, there must be no
// second place. The error is a [*HunkError], or that of ctx.
//
// Nothing outside of - and + lines changes: context keeps what the file has,
// new lines get the line ending of the line above them, and a file that ended
// without a line break does so afterwards. Tolerant gives the patch lines of
// the hunks that did not stand there exactly.
func Apply(ctx context.Context, text string, hunks []Hunk) (out string, tolerant []int, err error) {
	body := strings.TrimPrefix(text, byteOrderMark)
	s := newSearch(splitLines(body))
	changes := make([]change, 0, len(hunks))
	for _, h := range hunks {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		c, exact, err := s.place(h)
		if err != nil {
			return "", nil, err
		}
		if !exact {
			tolerant = append(tolerant, h.Line)
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	w := &writer{file: s.lines}
	for _, c := range changes {
		w.make(c)
	}
	return text[:len(text)-len(body)] + w.finish(), tolerant, nil
}

func splitLines(text string) []fileLine {
	var out []fileLine
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case line == "":
		case strings.HasSuffix(line, "\r\n"):
			out = append(out, fileLine{line[:len(line)-2], "\r\n"})
		case strings.HasSuffix(line, "\n"):
			out = append(out, fileLine{line[:len(line)-1], "\n"})
		default:
			out = append(out, fileLine{line, ""})
		}
	}
	return out
}

// writer puts the new file together.
type writer struct {
	file  []fileLine
	next  int // the line of file that comes next
	out   []fileLine
	fresh bool // the last line of out is a new one
}

func (w *writer) make(c change) {
	w.keep(c.start - w.next)
	for _, line := range c.lines {
		switch line.Op {
		case ' ':
			w.keep(1)
		case '-':
			w.next++
		case '+':
			w.add(line.Text)
		}
	}
}

func (w *writer) keep(n int) {
	if n == 0 {
		return
	}
	w.closeLast()
	w.out = append(w.out, w.file[w.next:w.next+n]...)
	w.next += n
	w.fresh = false
}

func (w *writer) add(text string) {
	w.closeLast()
	w.out = append(w.out, fileLine{text, w.lineEnd()})
	w.fresh = true
}

// closeLast ends an open line that is the last no longer.
func (w *writer) closeLast() {
	if n := len(w.out); n > 0 && w.out[n-1].end == "" {
		open := w.out[n-1]
		w.out = w.out[:n-1]
		open.end = w.lineEnd()
		w.out = append(w.out, open)
	}
}

// lineEnd is what ends a line put here: what ends the line above, else the one
// below, else the first of the file.
func (w *writer) lineEnd() string {
	switch {
	case len(w.out) > 0:
		return w.out[len(w.out)-1].end
	case w.next < len(w.file) && w.file[w.next].end != "":
		return w.file[w.next].end
	case len(w.file) > 0 && w.file[0].end != "":
		return w.file[0].end
	}
	return "\n"
}

func (w *writer) finish() string {
	w.keep(len(w.file) - w.next)
	n := len(w.out)
	if open := len(w.file) > 0 && w.file[len(w.file)-1].end == ""; open && w.fresh {
		w.out[n-1].end = ""
	}
	var b strings.Builder
	for _, line := range w.out {
		b.WriteString(line.text)
		b.WriteString(line.end)
	}
	return b.String()
}
