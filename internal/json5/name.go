package json5

import (
	"math"
	"strings"
	"unicode"
)

// name reads an ECMAScript identifier name, escapes included.
func (p *parser) name() (string, error) {
	var b strings.Builder
	for {
		at, r := p.at, p.peek()
		switch {
		case r == '\\':
			p.next()
			if p.peek() != 'u' {
				return "", p.errorAt(at, "a name can hold no other escape than \\uHHHH", "put the key in quotes")
			}
			var err error
			if r, err = p.unicodeEscape(at); err != nil {
				return "", err
			}
			if !isNameStart(r) && (b.Len() == 0 || !isNamePart(r)) {
				return "", p.errorAt(at, "this character cannot stand in a name", "put the key in quotes")
			}
		case isNameStart(r) || b.Len() > 0 && isNamePart(r):
			p.next()
		default:
			return b.String(), nil
		}
		b.WriteRune(r)
	}
}

// word reads a value that is written as a bare word.
func (p *parser) word(n *Node) error {
	at := p.at
	word, err := p.name()
	if err != nil {
		return err
	}
	raw := string(p.doc.src[at.offset:p.at.offset])
	switch raw {
	case "null":
		n.Kind = Null
	case "true", "false":
		n.Kind, n.Bool = Bool, raw == "true"
	case "Infinity":
		n.Kind, n.Number = Number, math.Inf(1)
	case "NaN":
		n.Kind, n.Number = Number, math.NaN()
	default:
		return p.errorAt(at, "expected a value, found a word without quotes", wordHint(word))
	}
	return nil
}

func wordHint(word string) string {
	switch lower := strings.ToLower(word); lower {
	case "null", "true", "false":
		return "write it in small letters: " + lower
	case "none", "nil", "undefined":
		return "write null, or delete the key"
	}
	return "text wants quotes"
}

func isNameStart(r rune) bool {
	return r == '$' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
		r > 0x7f && (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r))
}

func isNamePart(r rune) bool {
	return isNameStart(r) || isDigit(r) || r == '\u200c' || r == '\u200d' ||
		r > 0x7f && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc)
}
