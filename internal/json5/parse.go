package json5

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// MaxDepth is how deep arrays and objects may nest.
	MaxDepth = 200
	// MaxSize is the largest source, in bytes.
	MaxSize = 16 << 20
	// maxDuplicates bounds the report about a hostile file.
	maxDuplicates = 50
)

// Parse reads one JSON5 value and nothing after it. The file name is only
// used in errors. The tree keeps src, which must not change any more.
//
// The error is an [Errors]. When duplicate keys are all that is wrong, the
// tree is returned beside it, so that a caller can report what else it finds.
func Parse(file string, src []byte) (*Node, error) {
	p := &parser{scanner: scanner{file: file, doc: &document{file: file, src: src}, at: place{line: 1, col: 1}}}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		p.at.offset = len("\ufeff")
	}
	if err := p.checkSource(); err != nil {
		return nil, Errors{err}
	}
	root, err := p.whole()
	if err != nil {
		return nil, append(p.duplicates, err.(*Error))
	}
	if len(p.duplicates) > 0 {
		return root, p.duplicates
	}
	return root, nil
}

type parser struct {
	scanner
	depth      int
	duplicates Errors
}

func (p *parser) checkSource() *Error {
	src := p.doc.src
	if len(src) > MaxSize {
		return p.errorAt(p.at, fmt.Sprintf("the file is larger than %d MiB", MaxSize>>20), "")
	}
	if utf8.Valid(src) {
		return nil
	}
	for {
		r, size := decode(src, p.at.offset)
		if r == utf8.RuneError && size == 1 {
			return p.errorAt(p.at, "this is not UTF-8", "save the file with the encoding UTF-8")
		}
		p.next()
	}
}

func (p *parser) whole() (*Node, error) {
	if err := p.skip(); err != nil {
		return nil, err
	}
	root, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.peek() != end {
		return nil, p.expected("the end of the file", "a file holds one value")
	}
	return root, nil
}

func (p *parser) value() (*Node, error) {
	n := &Node{Line: p.at.line, Col: p.at.col, Offset: p.at.offset, doc: p.doc}
	if err := p.fill(n); err != nil {
		return nil, err
	}
	n.End = p.at.offset
	return n, nil
}

// fill reads the value that begins here into n.
func (p *parser) fill(n *Node) (err error) {
	switch r := p.peek(); {
	case r == '{':
		n.Kind = Object
		return p.nested(n, '}', p.member)
	case r == '[':
		n.Kind = Array
		return p.nested(n, ']', p.item)
	case r == '"' || r == '\'':
		n.Kind = String
		n.Text, err = p.text()
		return err
	case r == '+' || r == '-' || r == '.' || isDigit(r):
		n.Kind = Number
		n.Number, err = p.number()
		return err
	case isNameStart(r):
		return p.word(n)
	}
	hint := ""
	if r := p.peek(); r == '#' {
		hint = "a comment begins with //"
	}
	return p.expected("a value", hint)
}

// nested reads an array or an object, entry by entry.
func (p *parser) nested(n *Node, closing rune, entry func(*Node, map[string]place) error) error {
	start := p.at
	if p.depth++; p.depth > MaxDepth {
		return p.errorAt(start, fmt.Sprintf("values are nested deeper than %d", MaxDepth), "")
	}
	defer func() { p.depth-- }()
	p.next()
	var seen map[string]place
	if n.Kind == Object {
		seen = map[string]place{}
	}
	for {
		if err := p.skip(); err != nil {
			return err
		}
		switch {
		case p.accept(closing):
			return nil
		case p.peek() == end:
			return p.unclosed(n, start)
		}
		if err := entry(n, seen); err != nil {
			return err
		}
		if err := p.separator(n, start, closing); err != nil {
			return err
		}
	}
}

func (p *parser) unclosed(n *Node, start place) *Error {
	return p.errorAt(p.at, fmt.Sprintf("%s from %d:%d is not closed", n.Kind, start.line, start.col), "")
}

// separator wants a comma, or leaves the closing bracket to be read.
func (p *parser) separator(n *Node, start place, closing rune) error {
	if err := p.skip(); err != nil {
		return err
	}
	switch r := p.peek(); {
	case r == closing || p.accept(','):
		return nil
	case r == end:
		return p.unclosed(n, start)
	}
	return p.expected(fmt.Sprintf("',' or '%c'", closing), "a comma is missing before it, or a bracket or quote is in the wrong place")
}

func (p *parser) item(n *Node, _ map[string]place) error {
	p.path = append(p.path, IndexStep(len(n.Items)))
	v, err := p.value()
	if err != nil {
		return err
	}
	p.path = p.path[:len(p.path)-1]
	n.Items = append(n.Items, v)
	return nil
}

func (p *parser) member(n *Node, seen map[string]place) error {
	start := p.at
	key, err := p.key()
	if err != nil {
		return err
	}
	m := Member{Key: key, Line: start.line, Col: start.col, Offset: start.offset, End: p.at.offset, doc: p.doc}
	p.path = append(p.path, KeyStep(key))
	if first, twice := seen[key]; twice {
		p.duplicate(start, first, key)
	} else {
		seen[key] = start
	}
	if err := p.colon(); err != nil {
		return err
	}
	if m.Value, err = p.value(); err != nil {
		return err
	}
	p.path = p.path[:len(p.path)-1]
	n.Members = append(n.Members, m)
	return nil
}

func (p *parser) colon() error {
	if err := p.skip(); err != nil {
		return err
	}
	if !p.accept(':') {
		return p.expected("':' after the key", "a key with other characters than letters, digits, $ and _ wants quotes")
	}
	return p.skip()
}

func (p *parser) duplicate(at, first place, key string) {
	if len(p.duplicates) == maxDuplicates {
		return
	}
	text := fmt.Sprintf("duplicate key %s, first written at %s:%d:%d", Excerpt(key), p.file, first.line, first.col)
	p.duplicates = append(p.duplicates, p.errorAt(at, text, "keep one of them"))
}

// Excerpt quotes a key for an error text: at most 60 characters, nothing in
// it that a terminal would obey.
func Excerpt(key string) string {
	const most = 60
	if runes := []rune(key[:min(len(key), 4*most)]); len(runes) > most {
		key = string(runes[:most]) + "…"
	}
	return strconv.Quote(strings.ToValidUTF8(key, ""))
}

func (p *parser) key() (string, error) {
	switch r := p.peek(); {
	case r == '"' || r == '\'':
		return p.text()
	case isNameStart(r) || r == '\\':
		return p.name()
	}
	return "", p.expected("a key", "a key is a name, or any text in quotes")
}
