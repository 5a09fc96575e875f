package json5

import (
	"math"
	"strconv"
)

// number reads a decimal or hexadecimal number, an infinity or NaN, with an
// optional sign.
func (p *parser) number() (float64, error) {
	start := p.at
	sign := 1.0
	if p.accept('-') {
		sign = -1
	} else {
		p.accept('+')
	}
	value, err := p.unsigned(start)
	if err != nil {
		return 0, err
	}
	if r := p.peek(); isNamePart(r) || r == '\\' || r == '.' {
		return 0, p.errorAt(p.at, "this does not belong to a number", "text wants quotes")
	}
	return math.Copysign(value, sign), nil
}

func (p *parser) unsigned(start place) (float64, error) {
	switch r := p.peek(); {
	case r == 'I' || r == 'N':
		return p.notFinite()
	case r == '0':
		p.next()
		if p.accept('x') || p.accept('X') {
			return p.hex(start)
		}
		if isDigit(p.peek()) {
			return 0, p.errorAt(start, "a number cannot begin with 0", "remove the zero, or put the text in quotes")
		}
		return p.decimal(start, true)
	}
	return p.decimal(start, false)
}

func (p *parser) notFinite() (float64, error) {
	at := p.at
	if _, err := p.name(); err != nil {
		return 0, err
	}
	switch string(p.doc.src[at.offset:p.at.offset]) {
	case "Infinity":
		return math.Inf(1), nil
	case "NaN":
		return math.NaN(), nil
	}
	return 0, p.errorAt(at, "expected a number after the sign", "")
}

func (p *parser) digits() (count int) {
	for isDigit(p.peek()) {
		p.next()
		count++
	}
	return count
}

// decimal reads the rest of a decimal number; begun tells that its first
// digit is behind us.
func (p *parser) decimal(start place, begun bool) (float64, error) {
	from := p.at.offset
	if begun {
		from--
	}
	count := p.digits()
	if p.accept('.') {
		count += p.digits()
	}
	if count == 0 && !begun {
		return 0, p.expected("a digit", "")
	}
	if p.accept('e') || p.accept('E') {
		if !p.accept('+') {
			p.accept('-')
		}
		if p.digits() == 0 {
			return 0, p.expected("a digit of the exponent", "")
		}
	}
	return p.convert(start, string(p.doc.src[from:p.at.offset]))
}

func (p *parser) hex(start place) (float64, error) {
	from := p.at.offset
	for hexValue(p.peek()) >= 0 {
		p.next()
	}
	if p.at.offset == from {
		return 0, p.expected("a hexadecimal digit", "")
	}
	return p.convert(start, "0x"+string(p.doc.src[from:p.at.offset])+"p0")
}

func (p *parser) convert(start place, text string) (float64, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, p.errorAt(start, "this number is too large", "")
	}
	return value, nil
}
