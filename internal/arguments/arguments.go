package arguments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/schema"
)

// Options say how arguments are read. The zero value is good.
type Options struct {
	// Dialect OpenClaw mends and changes exactly as OpenClaw does.
	Dialect policy.Dialect
	// Entities are decoded in all texts: for models that write &lt; for <.
	Entities bool
}

// Entities reports whether a model is known to write HTML entities.
func Entities(provider, model string) bool {
	model = names.Fold(model)
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	return names.Fold(provider) == "xai" || strings.HasPrefix(model, "grok-")
}

// Read gives the arguments that the tool gets for text: one JSON object that
// fits s. It is text itself where that fits as it is. No text, or null, is an
// empty object where s requires nothing.
//
// The error is an [*UnreadableError] or a [*schema.InvalidError]; [Reason]
// puts both in words.
func Read(s *schema.Schema, text json.RawMessage, tool string, o Options) (json.RawMessage, error) {
	if !o.Entities && s.Accepts(text) && !(o.Dialect == policy.OpenClaw && s.Ambiguous()) {
		return text, nil
	}
	text = Complete(s, text)
	value, err := schema.Decode(text)
	if err != nil {
		m, ok := Mend(text, tool, s, o.Dialect)
		if !ok {
			return nil, &UnreadableError{Text: text, Err: err}
		}
		if value, err = schema.Decode(m.Args); err != nil {
			return nil, &UnreadableError{Text: text, Err: err}
		}
		text = m.Args
	}
	fitting, err := Fit(s, text, value, o)
	if err == nil && fitting[0] != '{' { // a schema may accept what is no object
		return nil, &schema.InvalidError{Violations: []schema.Violation{{Text: "the arguments must be one JSON object"}}}
	}
	return fitting, err
}

// Complete gives an empty object for no text and for null where s requires
// nothing, and text itself else: the error then says what is missing.
func Complete(s *schema.Schema, text json.RawMessage) json.RawMessage {
	trimmed := bytes.Trim(text, jsonSpace)
	if (len(trimmed) == 0 || string(trimmed) == "null") && s.NeedsNothing() {
		return json.RawMessage("{}")
	}
	if len(trimmed) == 0 {
		return json.RawMessage("{}")
	}
	return trimmed
}

// Fit gives the JSON text that says the same as text and fits s. The value is
// what [schema.Decode] made of text.
func Fit(s *schema.Schema, text json.RawMessage, value any, o Options) (json.RawMessage, error) {
	decoded := value
	if o.Entities {
		decoded = Unescape(value)
	}
	openClaw := o.Dialect == policy.OpenClaw
	coerced := s.Coerce(decoded, &schema.CoerceOptions{OpenClaw: openClaw})
	err := s.Check(coerced)
	if err != nil && !openClaw && s.Check(decoded) == nil {
		coerced, err = decoded, nil
	}
	if err != nil {
		return nil, err
	}
	return schema.Rewrite(text, coerced)
}

// UnreadableError is a text that is no JSON and cannot be mended with
// certainty.
type UnreadableError struct {
	Text []byte
	Err  error // says what is wrong, and where
}

func (e *UnreadableError) Error() string { return e.Err.Error() }

// Unwrap gives what is wrong.
func (e *UnreadableError) Unwrap() error { return e.Err }

// excerpt shows what was written: a model finds its slip faster than by a
// count of bytes.
func (e *UnreadableError) excerpt() string {
	const head, tail = 500, 200
	text := strings.ToValidUTF8(string(e.Text), "\uFFFD")
	if len(text) <= head+tail {
		return text
	}
	cut := text[:head] + fmt.Sprintf("[… %d bytes …]", len(text)-head-tail) + text[len(text)-tail:]
	return strings.ToValidUTF8(cut, "")
}
