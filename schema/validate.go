package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a compiled JSON Schema. It is immutable and safe for use by
// several goroutines.
type Schema struct {
	compiled *jsonschema.Schema
	document any   // the schema as it was decoded
	quick    *rule // nil where only the library can judge
	unions   bool  // there are alternatives in it
	refers   bool  // there are references in it
}

// Compile prepares a schema for validation. An empty raw accepts any object.
// Formats are checked, like all other keywords. A schema that names no draft
// is read as draft 2020-12, and where it is none of those, as 2019-09, which
// knows the older form of tuples.
//
// It refuses text that is not a JSON Schema, and references to other
// documents: a schema that came with a tool must not make us read files or
// fetch pages.
func Compile(raw json.RawMessage) (*Schema, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage(`{"type":"object"}`)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	s, err := compile(doc, jsonschema.Draft2020)
	if err != nil {
		older, failed := compile(doc, jsonschema.Draft2019)
		if failed != nil {
			return nil, fmt.Errorf("compile schema: %w", err)
		}
		s = older
	}
	out := &Schema{compiled: s, document: doc, quick: ruleMaker{}.of(s)}
	for part := range all(s) {
		out.unions = out.unions || len(part.AnyOf) > 0 || len(part.OneOf) > 0
		out.refers = out.refers || part.Ref != nil || part.DynamicRef != nil || part.RecursiveRef != nil
	}
	return out, nil
}

func compile(doc any, draft *jsonschema.Draft) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	if err := c.AddResource(location, doc); err != nil {
		return nil, err
	}
	return c.Compile(location)
}

// Accepts reports whether text is, beyond doubt, one JSON object that fits. It
// is quick, allocates nothing for most schemas, and never says yes where
// [Schema.Validate] says no; a no says nothing.
func (s *Schema) Accepts(text []byte) bool { return s.quick.accepts(text) }

// location is where a schema pretends to lie, so that a relative reference
// leads to another document, and not back to itself.
const location = "tool:///schema.json"

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("reference to another document %q is not followed", url)
}

// Validate checks JSON text against the schema. Missing text counts as {}.
// The error is an [*InvalidError] when the text is JSON but does not fit.
func (s *Schema) Validate(raw json.RawMessage) error {
	if s.Accepts(raw) {
		return nil
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	value, err := Decode(raw)
	if err != nil {
		return err
	}
	return s.Check(value)
}

// Check is [Schema.Validate] for a value that [Decode] gave.
func (s *Schema) Check(value any) error {
	if s.costly(value) {
		return &InvalidError{Violations: []Violation{{Text: "nested too deeply: to check it against all that the schema allows would take too long"}}}
	}
	err := s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return fmt.Errorf("validate: %w", err)
	}
	return s.explain(invalid)
}

// Decode reads exactly one JSON value, numbers kept exact as [json.Number],
// and says how far it came when the text ends early: truncated arguments must
// never run. It refuses members that stand twice and numbers and texts that
// are out of all bounds.
func Decode(raw []byte) (any, error) {
	if err := checkText(raw); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		if err == io.ErrUnexpectedEOF || err == io.EOF {
			return nil, fmt.Errorf("the JSON is incomplete: it ends after %d bytes", len(raw))
		}
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if rest := bytes.TrimSpace(raw[dec.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("not JSON: something follows the value at byte %d", dec.InputOffset())
	}
	return v, nil
}
