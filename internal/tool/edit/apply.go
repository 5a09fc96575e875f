package edit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Edit is one replacement.
type Edit struct {
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

// Outcome is a text after its edits.
type Outcome struct {
	Text string
	// FirstChangedLine is 1-based.
	FirstChangedLine int
	// Tolerant lists the edits whose old text did not stand there exactly.
	Tolerant []Tolerance
}

// Tolerance says which edit was matched tolerantly, and in which line.
type Tolerance struct {
	Edit, Line int
}

// Kind classes the errors of [Apply].
type Kind string

// The classes of errors.
const (
	KindBlank     Kind = "blank"             // an old text without anything to find
	KindNotFound  Kind = "text-not-found"    // an old text that is not there
	KindNotUnique Kind = "not-unique"        // an old text with several places
	KindOverlap   Kind = "overlapping-edits" // two edits that want the same place
	KindNoChange  Kind = "no-change"         // nothing would be different
)

// Error says which edit cannot be made, and why.
type Error struct {
	Kind Kind
	// Edit is the index of the edit, -1 when it is all of them.
	Edit int
	// Lines are the places in the file that matter, 1-based.
	Lines []int
	Text  string
}

// Error gives the sentence that the model reads.
func (e *Error) Error() string { return e.Text }

const byteOrderMark = "\ufeff"

// Apply makes all edits in text, each where its old text stands in text as it
// was given. It refuses (with an [*Error]) unless every old text means exactly
// one place, and it changes nothing but these places: the line endings of the
// file, its byte order mark and a missing line break at its end stay.
func Apply(ctx context.Context, text string, edits []Edit) (*Outcome, error) {
	body := strings.TrimPrefix(text, byteOrderMark)
	v := newView(body)
	found := make([]match, 0, len(edits))
	for i, e := range edits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := v.find(i, e)
		if err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.start, b.start) })
	if err := v.checkOverlap(found); err != nil {
		return nil, err
	}
	out := v.replace(found)
	if out.Text == body {
		return nil, &Error{Kind: KindNoChange, Edit: -1, Text: "nothing would change: each newText is what stands there already"}
	}
	out.Text = text[:len(text)-len(body)] + out.Text
	return out, nil
}

// match is the place in the file that an edit means.
type match struct {
	span
	edit     int
	old, new string // with \n as the only line break
}

func (v *view) checkOverlap(found []match) error {
	for i := 1; i < len(found); i++ {
		a, b := found[i-1], found[i]
		if b.start < a.end {
			return &Error{Kind: KindOverlap, Edit: b.edit, Lines: []int{v.line(a.start), v.line(b.start)},
				Text: fmt.Sprintf("edits[%d] and edits[%d] overlap in line %d; make one edit of them", min(a.edit, b.edit), max(a.edit, b.edit), v.line(b.start))}
		}
	}
	return nil
}

// replace puts the new texts in place. The matches are in order and do not
// overlap.
func (v *view) replace(found []match) *Outcome {
	out := &Outcome{}
	var b strings.Builder
	at := 0
	for _, m := range found {
		if !m.exact {
			out.Tolerant = append(out.Tolerant, Tolerance{m.edit, v.line(m.start)})
		}
		start, end, text := v.narrow(m)
		if out.FirstChangedLine == 0 && v.raw[start:end] != text {
			out.FirstChangedLine = v.line(start)
		}
		b.WriteString(v.raw[at:start])
		b.WriteString(text)
		at = end
	}
	b.WriteString(v.raw[at:])
	out.Text = b.String()
	slices.SortFunc(out.Tolerant, func(a, b Tolerance) int { return cmp.Compare(a.Edit, b.Edit) })
	return out
}

// narrow leaves out the whole lines at both ends that old and new text share.
// Those keep what the file has there, which may differ from the model's copy
// in spaces, quotes or line endings.
func (v *view) narrow(m match) (start, end int, text string) {
	raw := strings.SplitAfter(v.raw[m.start:m.end], "\n")
	old := strings.SplitAfter(m.old, "\n")
	fresh := strings.SplitAfter(m.new, "\n")
	head, tail := 0, 0
	for head < min(len(old), len(fresh)) && old[head] == fresh[head] {
		head++
	}
	for head+tail < min(len(old), len(fresh)) && old[len(old)-1-tail] == fresh[len(fresh)-1-tail] {
		tail++
	}
	start, end = m.start, m.end
	for _, line := range raw[:head] {
		start += len(line)
	}
	for _, line := range raw[len(raw)-tail:] {
		end -= len(line)
	}
	text = strings.Join(fresh[head:len(fresh)-tail], "")
	return start, end, strings.ReplaceAll(text, "\n", v.lineBreak(start))
}

// lineBreak is the line break in use at a place: the next one, else the last.
func (v *view) lineBreak(at int) string {
	i := strings.IndexByte(v.raw[at:], '\n')
	if i >= 0 {
		i += at
	} else {
		i = strings.LastIndexByte(v.raw[:at], '\n')
	}
	if i > 0 && v.raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
