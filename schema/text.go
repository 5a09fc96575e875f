package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds on what is checked at all: text that a model wrote must not cost more
// than text of its length should.
const (
	maxValues     = 100_000 // JSON values in one text
	maxNumber     = 64      // characters of a number
	maxExponent   = 400
	maxViolations = 50  // that are told
	maxShown      = 500 // bytes of one of them
)

// checkText refuses a repeated member, which one reader takes for the first
// and another for the last, numbers that no arithmetic is meant for, and more
// values than any call has. Text that is no JSON is left to the decoder.
func checkText(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var open []scope
	for n := 0; ; n++ {
		token, err := dec.Token()
		if err != nil || n > 0 && len(open) == 0 {
			return nil // the decoder says it better
		}
		if n > maxValues {
			return fmt.Errorf("more than %d values", maxValues)
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				open = append(open, scope{object: t == '{'})
				continue
			}
			open = open[:len(open)-1]
		case json.Number:
			if err := checkNumber(t.String()); err != nil {
				return err
			}
		case string:
			if err := member(open, t); err != nil {
				return err
			}
		}
		if len(open) > 0 {
			open[len(open)-1].next()
		}
		if len(open) == 0 && err == io.EOF {
			return nil
		}
	}
}

// scope is an object or an array that is not closed yet.
type scope struct {
	object bool
	value  bool // the next token of an object is a value
	seen   map[string]bool
}

func (s *scope) next() { s.value = s.object && !s.value }

// member checks a string where it is the name of a member.
func member(open []scope, name string) error {
	if len(open) == 0 {
		return nil
	}
	s := &open[len(open)-1]
	if !s.object || s.value {
		return nil
	}
	if s.seen[name] {
		return fmt.Errorf("the member %q stands twice", shorten(name))
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[name] = true
	return nil
}

func checkNumber(text string) error {
	_, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if len(text) > maxNumber {
		return fmt.Errorf("a number of %d characters; at most %d", len(text), maxNumber)
	}
	if !found {
		return nil
	}
	if e, err := strconv.Atoi(exponent); err != nil || e > maxExponent || e < -maxExponent {
		return fmt.Errorf("the number %s is out of range", text)
	}
	return nil
}

func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}
