package schema

import (
	"strconv"
	"unicode/utf8"
)

// maxDepth is how many values may lie in one another before a text takes the
// long way.
const maxDepth = 100

// maxOthers is how many members without a rule of their own one object may
// have before the text takes the long way: their names are compared one by one.
const maxOthers = 16

// scanner checks a text against rules. It gives up, with false, on all that
// is wrong and all that is unusual.
type scanner struct {
	text   []byte
	at     int
	values int
	depth  int
}

// maxEscaped is how many bytes a character may take in JSON: two escapes of a
// pair.
const maxEscaped = 12

// accepts reports whether text is, beyond doubt, one JSON object that fits the
// rule. It allocates nothing but what a pattern or a format needs.
func (r *rule) accepts(text []byte) bool {
	s := scanner{text: text}
	s.space()
	if r == nil || s.peek() != '{' || !s.value(r) {
		return false
	}
	s.space()
	return s.at == len(text)
}

// peek gives the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			return
		}
	}
}

// skip moves past c where it comes next.
func (s *scanner) skip(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) word(w string) bool {
	if len(s.text)-s.at < len(w) || string(s.text[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

// value checks one value. A nil rule allows all.
func (s *scanner) value(r *rule) bool {
	if s.values++; s.values > maxValues || s.depth >= maxDepth || r != nil && r.unsure {
		return false
	}
	start := s.at
	if !s.own(r) {
		return false
	}
	if r == nil || len(r.all)+len(r.any) == 0 {
		return true
	}
	return s.parts(r, start)
}

// parts checks the value at start against the rules that r is made of.
func (s *scanner) parts(r *rule, start int) bool {
	end := s.at
	for _, part := range r.all {
		if s.at = start; !s.value(part) {
			return false
		}
	}
	fits := len(r.any) == 0
	for i := 0; i < len(r.any) && !fits; i++ {
		s.at = start
		fits = s.value(r.any[i])
	}
	s.at = end
	return fits
}

func (s *scanner) own(r *rule) bool {
	kind := isNull
	ok := false
	switch c := s.peek(); c {
	case '{':
		kind, ok = isObject, s.object(r)
	case '[':
		kind, ok = isArray, s.array(r)
	case '"':
		kind, ok = isString, s.quoted(r)
	case 't':
		kind, ok = isBoolean, s.word("true")
	case 'f':
		kind, ok = isBoolean, s.word("false")
	case 'n':
		ok = s.word("null")
	default:
		kind, ok = s.number(r)
	}
	if !ok || r == nil {
		return ok
	}
	return (r.types == 0 || r.types&kind != 0) && (r.words == nil || kind == isString)
}

func (s *scanner) object(r *rule) bool {
	s.depth++
	defer func() { s.depth-- }()
	s.at++ // {
	var o members
	s.space()
	if s.skip('}') {
		return r == nil || r.required == 0
	}
	for {
		s.space()
		key, plain, ok := s.str()
		if !ok || !plain {
			return false
		}
		sub, ok := o.add(r, key)
		s.space()
		if !ok || !s.skip(':') {
			return false
		}
		s.space()
		if !s.value(sub) {
			return false
		}
		s.space()
		if s.skip(',') {
			continue
		}
		return s.skip('}') && (r == nil || o.seen&r.required == r.required)
	}
}

// members are the names that an object had so far.
type members struct {
	seen   uint64 // the bits of those with a rule
	others [maxOthers][]byte
	count  int
}

// add gives the rule of the member; false when it may not be there.
func (o *members) add(r *rule, key []byte) (*rule, bool) {
	if r != nil {
		if p, ok := r.properties[string(key)]; ok {
			twice := o.seen&(1<<p.bit) != 0
			o.seen |= 1 << p.bit
			return p.rule, !twice
		}
		if r.closed {
			return nil, false
		}
	}
	if o.count == maxOthers {
		return nil, false
	}
	for _, other := range o.others[:o.count] {
		if string(other) == string(key) {
			return nil, false
		}
	}
	o.others[o.count] = key
	o.count++
	if r == nil {
		return nil, true
	}
	return r.others, true
}

func (s *scanner) array(r *rule) bool {
	s.depth++
	defer func() { s.depth-- }()
	s.at++ // [
	var items *rule
	if r != nil {
		items = r.items
	}
	s.space()
	if s.skip(']') {
		return r == nil || r.least == 0
	}
	for n := 1; ; n++ {
		s.space()
		if !s.value(items) {
			return false
		}
		s.space()
		if s.skip(',') {
			continue
		}
		return s.skip(']') && (r == nil || n >= r.least && n <= r.most)
	}
}

func (s *scanner) quoted(r *rule) bool {
	body, plain, ok := s.str()
	if !ok {
		return false
	}
	if r == nil {
		return true
	}
	// A character takes at most maxEscaped bytes, and at least one.
	longEnough := r.short <= (len(body)+maxEscaped-1)/maxEscaped
	if longEnough && len(body) <= r.long && r.words == nil && r.pattern == nil && r.format == nil {
		return true
	}
	if !plain {
		return false
	}
	if n := utf8.RuneCount(body); n < r.short || n > r.long {
		return false
	}
	if r.words != nil && !r.words[string(body)] || r.pattern != nil && !r.pattern.MatchString(string(body)) {
		return false
	}
	return r.format == nil || r.format.Validate(string(body)) == nil
}

// str reads a string, and tells whether it is plain: without escapes.
func (s *scanner) str() (body []byte, plain, ok bool) {
	if !s.skip('"') {
		return nil, false, false
	}
	start, ascii := s.at, true
	for plain = true; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			body = s.text[start:s.at]
			s.at++
			return body, plain, ascii || utf8.Valid(body)
		case c == '\\':
			plain = false
			if !s.escape() {
				return nil, false, false
			}
		case c < ' ':
			return nil, false, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, false, false
}

// escape moves to the last byte of an escape.
func (s *scanner) escape() bool {
	s.at++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		if s.at+4 >= len(s.text) {
			return false
		}
		for range 4 {
			s.at++
			if !hex(s.text[s.at]) {
				return false
			}
		}
		return true
	}
	return false
}

func hex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// maxDigits is how many digits a float holds exactly.
const maxDigits = 15

// number reads a number that has neither an exponent nor, where it must be
// compared or be an integer, a fraction.
func (s *scanner) number(r *rule) (typeSet, bool) {
	start := s.at
	s.skip('-')
	first := s.at
	s.digits()
	if s.at == first || s.at > first+1 && s.text[first] == '0' {
		return 0, false
	}
	kind := isInteger
	if s.skip('.') {
		kind = isNumber
		point := s.at
		if s.digits(); s.at == point {
			return 0, false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' || s.at-start > maxNumber {
		return 0, false
	}
	if r == nil || !r.bounded {
		return kind, true
	}
	if kind != isInteger || s.at-first > maxDigits {
		return 0, false
	}
	n, err := strconv.ParseInt(string(s.text[start:s.at]), 10, 64)
	f := float64(n)
	return kind, err == nil && f >= r.low && f <= r.high && f > r.above && f < r.below
}

func (s *scanner) digits() {
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.at++
	}
}
