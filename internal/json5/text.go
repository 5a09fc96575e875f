package json5

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// text reads a string in either kind of quotes and decodes it.
func (p *parser) text() (string, error) {
	start := p.at
	quote := p.next()
	var b strings.Builder
	for {
		switch r := p.peek(); r {
		case quote:
			p.next()
			return b.String(), nil
		case end, '\n', '\r':
			return "", p.errorAt(start, "this string is not closed", fmt.Sprintf("end it with %c, or end its line with \\ to go on in the next", quote))
		case '\\':
			if err := p.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteRune(p.next())
		}
	}
}

// simpleEscapes are the letters with a meaning of their own after a backslash.
var simpleEscapes = map[rune]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

func (p *parser) escape(b *strings.Builder) error {
	start := p.at
	p.next()
	switch r := p.peek(); {
	case r == end:
		return p.errorAt(start, "the file ends inside a string", "")
	case r == 'u':
		c, err := p.unicodeEscape(start)
		b.WriteRune(c)
		return err
	case r == 'x':
		p.next()
		c, err := p.hexDigits(start, 2)
		b.WriteRune(c)
		return err
	case r == '\r':
		p.next()
		p.accept('\n')
	case isLineEnd(r):
		p.next()
	case isDigit(r):
		return p.zeroEscape(b, start)
	default:
		p.next()
		if c, ok := simpleEscapes[r]; ok {
			r = c
		}
		b.WriteRune(r)
	}
	return nil
}

// zeroEscape reads \0, the only escape that begins with a digit.
func (p *parser) zeroEscape(b *strings.Builder, start place) error {
	if !p.accept('0') || isDigit(p.peek()) {
		return p.errorAt(start, "an escape cannot be written with decimal digits", "write \\xHH or \\uHHHH with hexadecimal digits")
	}
	b.WriteByte(0)
	return nil
}

// unicodeEscape reads uHHHH, and the second half of a pair where the first
// calls for it. Half a pair becomes U+FFFD, as in encoding/json.
func (p *parser) unicodeEscape(start place) (rune, error) {
	p.next()
	high, err := p.hexDigits(start, 4)
	if err != nil || !utf16.IsSurrogate(high) {
		return high, err
	}
	before := p.at
	if !p.accept('\\') || !p.accept('u') {
		p.at = before
		return unicode.ReplacementChar, nil
	}
	low, err := p.hexDigits(before, 4)
	if err != nil {
		return 0, err
	}
	pair := utf16.DecodeRune(high, low)
	if pair == unicode.ReplacementChar {
		p.at = before
	}
	return pair, nil
}

func (p *parser) hexDigits(start place, count int) (rune, error) {
	var value rune
	for range count {
		digit := hexValue(p.peek())
		if digit < 0 {
			return 0, p.errorAt(start, fmt.Sprintf("this escape wants %d hexadecimal digits", count), "")
		}
		value = value<<4 | digit
		p.next()
	}
	return value, nil
}

func hexValue(r rune) rune {
	switch {
	case isDigit(r):
		return r - '0'
	case 'a' <= r && r <= 'f':
		return r - 'a' + 10
	case 'A' <= r && r <= 'F':
		return r - 'A' + 10
	}
	return -1
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// Quote writes s as a JSON5 string that [Parse] reads back. Invalid UTF-8
// becomes U+FFFD.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		writeQuoted(&b, r)
	}
	b.WriteByte('\'')
	return b.String()
}

func writeQuoted(b *strings.Builder, r rune) {
	switch {
	case r == '\'' || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case unicode.IsPrint(r):
		b.WriteRune(r)
	case r < 0x100:
		fmt.Fprintf(b, `\x%02x`, r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// QuoteKey writes a key: bare where it is a name, else as a string.
func QuoteKey(key string) string {
	for i, r := range key {
		if !isNameStart(r) && (i == 0 || !isNamePart(r)) {
			return Quote(key)
		}
	}
	if key == "" {
		return Quote(key)
	}
	return key
}
