package json5

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// TextEdit replaces the bytes from Start to End of a source with Text.
type TextEdit struct {
	Start, End int
	Text       string
}

// Apply gives the source with the edits made; src is left as it is. Edits may
// stand in any order, and edits at one place are made in the order given. It
// refuses edits that overlap or lie outside the source.
func Apply(src []byte, edits []TextEdit) ([]byte, error) {
	sorted := slices.SortedStableFunc(slices.Values(edits), func(a, b TextEdit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	done := 0
	for _, e := range sorted {
		if e.Start < done || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("apply text edits: the edit of bytes %d to %d overlaps another or lies outside", e.Start, e.End)
		}
		out = append(out, src[done:e.Start]...)
		out = append(out, e.Text...)
		done = e.End
	}
	return append(out, src[done:]...), nil
}

// Replace puts another value, given as JSON5 text, in the place of n.
func (n *Node) Replace(text string) []TextEdit {
	return []TextEdit{{Start: n.Offset, End: n.End, Text: text}}
}

// AppendItem adds an entry, given as JSON5 text, at the end of the array n, in
// a line of its own where the entries stand so. It panics when n is no array.
func (n *Node) AppendItem(text string) []TextEdit {
	n.must(Array)
	if len(n.Items) == 0 {
		return n.first(text, "")
	}
	last := n.Items[len(n.Items)-1]
	return n.after(last.Offset, last.End, text)
}

// AppendMember adds a key with a value, given as JSON5 text, at the end of the
// object n. It panics when n is no object; whether the key is there already is
// the caller's question to ask.
func (n *Node) AppendMember(key, value string) []TextEdit {
	n.must(Object)
	text := QuoteKey(key) + ": " + value
	if len(n.Members) == 0 {
		return n.first(text, " ")
	}
	last := n.Members[len(n.Members)-1]
	return n.after(last.Offset, last.Value.End, text)
}

func (n *Node) must(kind Kind) {
	if n.Kind != kind {
		panic(fmt.Sprintf("json5: edit of %s where %s is wanted", n.Kind, kind))
	}
}

// first adds an entry to what has none; pad stands around it where brackets
// and entry share a line.
func (n *Node) first(text, pad string) []TextEdit {
	at := n.Offset + 1
	if eol := n.doc.blanks(at); n.doc.isBreak(eol) {
		text = n.doc.lineBreak(eol) + n.doc.indent(n.Offset) + "  " + text + ","
	} else {
		text = pad + text + pad
	}
	return []TextEdit{{Start: at, End: at, Text: text}}
}

// after adds an entry behind the last one, which spans start to stop.
func (n *Node) after(start, stop int, text string) []TextEdit {
	d := n.doc
	comma := d.comma(stop)
	from := stop
	if comma >= 0 {
		from = comma + 1
	}
	eol := d.lineEnd(from)
	switch {
	case eol >= 0 && comma >= 0:
		text = d.lineBreak(eol) + d.indent(start) + text + ","
		return []TextEdit{{Start: eol, End: eol, Text: text}}
	case eol >= 0:
		text = d.lineBreak(eol) + d.indent(start) + text
		return []TextEdit{{Start: stop, End: stop, Text: ","}, {Start: eol, End: eol, Text: text}}
	case comma >= 0:
		return []TextEdit{{Start: from, End: from, Text: " " + text + ","}}
	}
	return []TextEdit{{Start: stop, End: stop, Text: ", " + text}}
}

// RemoveItem removes the entry i of the array n with its comma, and its line
// where nothing else stands on it. Comments stay, except those inside the
// entry. It panics when n is no array or has no such entry.
func (n *Node) RemoveItem(i int) []TextEdit {
	n.must(Array)
	d, item := n.doc, n.Items[i]
	cut := span{item.Offset, item.End}
	var edits []TextEdit
	comma := d.comma(item.End)
	if comma < 0 && i > 0 {
		comma = d.comma(n.Items[i-1].End)
	}
	if comma >= 0 {
		joined, ok := d.join(cut, span{comma, comma + 1})
		if !ok {
			edits = append(edits, TextEdit{Start: comma, End: comma + 1})
		}
		cut = joined
	}
	cut = d.widen(cut)
	return append(edits, TextEdit{Start: cut.start, End: cut.stop})
}

type span struct{ start, stop int }

// join gives the span from a to b, or a alone where more than blanks lie
// between them.
func (d *document) join(a, b span) (span, bool) {
	first, second := a, b
	if b.start < a.start {
		first, second = b, a
	}
	if d.blanks(first.stop) < second.start {
		return a, false
	}
	return span{first.start, second.stop}, true
}

// widen takes the whole line where s is all that stands on it, and else the
// blanks up to the next entry.
func (d *document) widen(s span) span {
	lineStart := s.start - len(d.blanksBefore(s.start))
	after := d.blanks(s.stop)
	atStart := lineStart > 0 && (d.src[lineStart-1] == '\n' || d.src[lineStart-1] == '\r')
	switch {
	case atStart && d.isBreak(after):
		return span{lineStart, after + len(d.lineBreak(after))}
	case d.src[s.stop-1] == ',' && !d.isBreak(after):
		return span{s.start, after}
	}
	return s
}

// blanks gives the offset behind the spaces and tabs at offset.
func (d *document) blanks(offset int) int {
	for offset < len(d.src) && (d.src[offset] == ' ' || d.src[offset] == '\t') {
		offset++
	}
	return offset
}

func (d *document) blanksBefore(offset int) []byte {
	start := offset
	for start > 0 && (d.src[start-1] == ' ' || d.src[start-1] == '\t') {
		start--
	}
	return d.src[start:offset]
}

func (d *document) isBreak(offset int) bool {
	return offset < len(d.src) && (d.src[offset] == '\n' || d.src[offset] == '\r')
}

// lineBreak gives the line break at offset.
func (d *document) lineBreak(offset int) string {
	if bytes.HasPrefix(d.src[offset:], []byte("\r\n")) {
		return "\r\n"
	}
	return string(d.src[offset : offset+1])
}

// indent gives the blanks at the start of the line that holds offset.
func (d *document) indent(offset int) string {
	start := bytes.LastIndexAny(d.src[:offset], "\r\n") + 1
	return string(d.src[start:d.blanks(start)])
}

// comma gives the offset of the comma that follows the value ending at offset,
// or -1 where a bracket comes first.
func (d *document) comma(offset int) int {
	for {
		if c := d.commentAt(offset); c != nil {
			offset = c.End
			continue
		}
		r, size := decode(d.src, offset)
		switch {
		case r == ',':
			return offset
		case !isSpace(r):
			return -1
		}
		offset += size
	}
}

// lineEnd gives the offset of the first line break behind offset, outside
// comments, or -1 where a bracket comes first.
func (d *document) lineEnd(offset int) int {
	for {
		if c := d.commentAt(offset); c != nil {
			offset = c.End
			continue
		}
		r, size := decode(d.src, offset)
		switch {
		case d.isBreak(offset):
			return offset
		case !isSpace(r):
			return -1
		}
		offset += size
	}
}
