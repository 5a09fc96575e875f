package tree

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// Limits bound what [Parse] reads. Zero fields have the defaults.
type Limits struct {
	Bytes  int // of the text; default 4 MiB
	Depth  int // of nesting; default 200
	Values int // in all; default 200,000
}

func (l *Limits) withDefaults() Limits {
	var out Limits
	if l != nil {
		out = *l
	}
	for _, f := range []struct {
		field *int
		value int
	}{{&out.Bytes, 4 << 20}, {&out.Depth, 200}, {&out.Values, 200_000}} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	return out
}

// Error says where a text is no JSON that Parse takes, and why.
type Error struct {
	Path   string // of the value in which it went wrong: "properties.a.enum[3]"
	Offset int    // in bytes
	Reason string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("%s (byte %d): %s", e.Path, e.Offset, e.Reason)
}

// Parse reads exactly one JSON value. The error is an [*Error].
func Parse(raw []byte, limits *Limits) (*Node, error) {
	p := parsers.Get().(*parser)
	defer p.release()
	return p.parse(raw, limits)
}

func (p *parser) parse(raw []byte, limits *Limits) (*Node, error) {
	p.limits = limits.withDefaults()
	if len(raw) > p.limits.Bytes {
		return nil, &Error{Reason: fmt.Sprintf("%d bytes, more than %d", len(raw), p.limits.Bytes)}
	}
	p.src, p.raw = string(raw), raw
	n := p.value(0)
	if p.err == nil {
		if p.space(); p.at < len(p.src) {
			p.fail("something follows the value")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

// parsers keeps the scratch space of parsers that are done.
var parsers = sync.Pool{New: func() any {
	return &parser{open: make([]Member, 0, 64), path: make([]segment, 0, 32)}
}}

// maxScratch is how much space a parser keeps for the next text.
const maxScratch = 4096

func (p *parser) release() {
	open, path := p.open[:0], p.path[:0]
	if cap(open) > maxScratch {
		return
	}
	clear(open[:cap(open)])
	*p = parser{open: open, path: path}
	parsers.Put(p)
}

// parser reads from src. After an error all its methods do nothing more.
type parser struct {
	src    string
	raw    []byte // the same bytes
	at     int
	values int
	blanks int // white space that was passed
	limits Limits
	err    *Error
	path   []segment
	open   []Member // members of the objects and arrays that are not closed yet
	nodes  []Node   // unused ones, made in blocks
	slots  []Member // likewise
	blocks *blocks  // where blocks come from; nil makes them
}

// segment is a key, by where its text begins and ends, or the index of an item.
type segment struct {
	start, end int
	index      int // -1 for a key
}

func (p *parser) fail(reason string) *Node {
	if p.err == nil {
		p.err = &Error{Path: p.pathText(), Offset: p.at, Reason: reason}
	}
	return nil
}

// maxPath is how many segments of a path are told.
const maxPath = 12

func (p *parser) pathText() string {
	var b strings.Builder
	for i, s := range p.path {
		switch {
		case i == maxPath:
			return b.String() + "…"
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(Short(unquote(p.src[s.start:s.end])))
		}
	}
	return b.String()
}

// Short cuts a text from outside for showing it.
func Short(s string) string {
	const limit = 80
	if len(s) <= limit {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

func (p *parser) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
			p.blanks++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.space(); p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *parser) node(kind Kind, text string) *Node {
	if len(p.nodes) == 0 {
		p.nodes = p.blocks.nodes((len(p.src) - p.at) / 24)
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	n.kind, n.text = kind, text
	if n.kids != nil { // of a former use
		n.kids = nil
	}
	return n
}

// take moves the members that stand open from base on into a slice of their
// own.
func (p *parser) take(base int) []Member {
	count := len(p.open) - base
	if count > len(p.slots) {
		p.slots = p.blocks.slots(max(count, min((len(p.src)-p.at)/24, 128)))
	}
	kids := p.slots[:count:count]
	p.slots = p.slots[count:]
	copy(kids, p.open[base:])
	p.open = p.open[:base]
	return kids
}

func (p *parser) value(depth int) *Node {
	if p.values++; p.values > p.limits.Values {
		return p.fail(fmt.Sprintf("more than %d values", p.limits.Values))
	}
	if depth > p.limits.Depth {
		return p.fail(fmt.Sprintf("nested deeper than %d levels", p.limits.Depth))
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		start := p.at
		p.str()
		return p.text(p.src[start:p.at])
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, n := range []*Node{NullNode, True, False} {
		if strings.HasPrefix(p.src[p.at:], n.text) {
			p.at += len(n.text)
			return n
		}
	}
	if p.at >= len(p.src) {
		return p.fail("the text ends too early")
	}
	return p.fail("no JSON value begins here")
}

// typeNodes are the strings that stand in schemas more often than all others.
var typeNodes = [...]*Node{
	Text("string"), Text("object"), Text("number"), Text("array"), Text("boolean"), Text("integer"), Text("null"),
}

func (p *parser) text(text string) *Node {
	if len(text) <= len(`"boolean"`) {
		for _, n := range &typeNodes {
			if n.text == text {
				return n
			}
		}
	}
	return p.node(String, text)
}

// whole makes a node of what stands open from base on. It keeps the text from
// start on where that is compact, so that it need not be written anew.
func (p *parser) whole(kind Kind, base, start, blanks int) *Node {
	n := p.node(kind, "")
	if p.blanks == blanks {
		n.text = p.src[start:p.at]
	}
	n.kids = p.take(base)
	return n
}

func (p *parser) object(depth int) *Node {
	start, blanks := p.at, p.blanks
	p.at++
	base := len(p.open)
	for p.err == nil && p.more(base, '}') {
		if p.peek() != '"' {
			return p.fail("a key is expected")
		}
		start := p.at
		p.str()
		if p.err != nil {
			return nil
		}
		m := Member{Key: unquote(p.src[start:p.at])}
		p.path = append(p.path, segment{start, p.at, -1})
		if p.peek() != ':' {
			return p.fail("a colon is expected")
		}
		p.at++
		m.Value = p.value(depth + 1)
		if p.err == nil {
			p.path = p.path[:len(p.path)-1]
			p.open = append(p.open, m)
		}
	}
	if p.err != nil {
		return nil
	}
	if twice, ok := repeated(p.open[base:]); ok {
		return p.fail(fmt.Sprintf("the member %q stands twice", Short(twice)))
	}
	return p.whole(Object, base, start, blanks)
}

func (p *parser) array(depth int) *Node {
	start, blanks := p.at, p.blanks
	p.at++
	base := len(p.open)
	for p.err == nil && p.more(base, ']') {
		p.path = append(p.path, segment{index: len(p.open) - base})
		m := Member{Value: p.value(depth + 1)}
		if p.err == nil {
			p.path = p.path[:len(p.path)-1]
			p.open = append(p.open, m)
		}
	}
	if p.err != nil {
		return nil
	}
	return p.whole(Array, base, start, blanks)
}

// more reads what stands between two members, or the end.
func (p *parser) more(base int, end byte) bool {
	c := p.peek()
	switch {
	case c == end:
		p.at++
		return false
	case len(p.open) == base:
		return true
	case c == ',':
		p.at++
		return true
	case c == 0:
		p.fail("the text ends too early")
	default:
		p.fail("a comma is expected")
	}
	return false
}

// repeated finds a key that stands twice.
func repeated(members []Member) (string, bool) {
	if len(members) > 16 {
		seen := make(map[string]struct{}, len(members))
		for _, m := range members {
			if _, ok := seen[m.Key]; ok {
				return m.Key, true
			}
			seen[m.Key] = struct{}{}
		}
		return "", false
	}
	for i := range members {
		for j := range i {
			if members[i].Key == members[j].Key {
				return members[i].Key, true
			}
		}
	}
	return "", false
}

// plain are the bytes that stand for themselves in a string.
var plain = func() (out [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		out[c] = c != '"' && c != '\\'
	}
	return out
}()

// allPlain reports whether eight bytes all are plain. It may say no where they
// are.
func allPlain(w uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^(ones*'"'), w^(ones*'\\')
	return (w|(w-ones*' ')|(quote-ones)|(slash-ones))&high == 0
}

// str passes over a string and leaves at behind it.
func (p *parser) str() {
	for p.at++; p.at < len(p.src); p.at++ {
		for p.at+8 <= len(p.raw) && allPlain(binary.LittleEndian.Uint64(p.raw[p.at:])) {
			p.at += 8
		}
		if p.at == len(p.src) {
			break
		}
		switch c := p.src[p.at]; {
		case plain[c]:
		case c == '"':
			p.at++
			return
		case c == '\\':
			if p.at++; !p.escaped() {
				p.fail("no such escape")
				return
			}
		case c < ' ':
			p.fail("a control character in a string")
			return
		case c >= utf8.RuneSelf:
			_, size := utf8.DecodeRuneInString(p.src[p.at:])
			if size == 1 {
				p.fail("bytes that are no UTF-8")
				return
			}
			p.at += size - 1
		}
	}
	p.fail("the text ends too early")
}

func (p *parser) escaped() bool {
	if p.at >= len(p.src) {
		return false
	}
	if p.src[p.at] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, p.src[p.at]) >= 0
	}
	for range 4 {
		p.at++
		if p.at >= len(p.src) || strings.IndexByte("0123456789abcdefABCDEF", p.src[p.at]) < 0 {
			return false
		}
	}
	return true
}

// maxNumber is how long a number may be, in characters.
const maxNumber = 64

func (p *parser) number() *Node {
	start := p.at
	if p.src[p.at] == '-' {
		p.at++
	}
	ok := p.at < len(p.src)
	if ok && p.src[p.at] == '0' {
		p.at++
	} else {
		ok = p.digits()
	}
	if ok && p.at < len(p.src) && p.src[p.at] == '.' {
		p.at++
		ok = p.digits()
	}
	if ok && p.at < len(p.src) && p.src[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.src) && (p.src[p.at] == '+' || p.src[p.at] == '-') {
			p.at++
		}
		ok = p.digits()
	}
	n := p.node(Number, p.src[start:p.at])
	if !ok {
		return p.fail("no number")
	}
	if _, finite := n.Float(); !finite || len(n.text) > maxNumber {
		return p.fail("a number that is too long or too large")
	}
	return n
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.src) && p.src[p.at] >= '0' && p.src[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}
