package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is a compiled JSON Schema. It is immutable and safe for use by
// several goroutines.
type Schema struct {
	compiled *jsonschema.Schema
}

// Compile prepares a schema for validation. An empty raw accepts any object.
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
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	s, err := c.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return &Schema{compiled: s}, nil
}

// location is where a schema pretends to lie, so that a relative reference
// leads to another document, and not back to itself.
const location = "tool:///schema.json"

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("reference to another document %q is not followed", url)
}

// Violation is one thing that is wrong with a value.
type Violation struct {
	// Path is where: "edits[0].oldText", or empty for the value itself.
	Path string `json:"path"`
	// Text says what was expected and what was found.
	Text string `json:"text"`
}

func (v Violation) String() string {
	if v.Path == "" {
		return v.Text
	}
	return v.Path + ": " + v.Text
}

// InvalidError lists all that is wrong with a value, in the order of the paths.
type InvalidError struct {
	Violations []Violation
}

func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Violations))
	for i, v := range e.Violations {
		lines[i] = v.String()
	}
	return strings.Join(lines, "; ")
}

// Validate checks JSON text against the schema. Missing text counts as {}.
// The error is an [*InvalidError] when the text is JSON but does not fit.
func (s *Schema) Validate(raw json.RawMessage) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	value, err := decodeOne(raw)
	if err != nil {
		return err
	}
	err = s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return fmt.Errorf("validate: %w", err)
	}
	out := &InvalidError{}
	collect(invalid, &out.Violations)
	slices.SortStableFunc(out.Violations, func(a, b Violation) int { return strings.Compare(a.Path, b.Path) })
	out.Violations = slices.Compact(out.Violations)
	return out
}

// decodeOne reads exactly one JSON value, numbers kept exact, and says how far
// it came when the text ends early: truncated arguments must never run.
func decodeOne(raw []byte) (any, error) {
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

// collect walks to the leaves: the inner nodes only say that something below
// them failed.
func collect(e *jsonschema.ValidationError, out *[]Violation) {
	if len(*out) >= maxViolations {
		return
	}
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			collect(c, out)
		}
		return
	}
	at := pathOf(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing[:min(len(k.Missing), maxViolations)] {
			*out = append(*out, Violation{Path: join(at, name), Text: "required, but missing"})
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties[:min(len(k.Properties), maxViolations)] {
			*out = append(*out, Violation{Path: join(at, shorten(name)), Text: "no such argument"})
		}
	default:
		text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		*out = append(*out, Violation{Path: at, Text: shorten(text)})
	}
}

func pathOf(location []string) string {
	var path string
	for _, part := range location {
		path = join(path, part)
	}
	return path
}

func join(path, part string) string {
	if part != "" && strings.Trim(part, "0123456789") == "" {
		return path + "[" + part + "]"
	}
	if path == "" {
		return part
	}
	return path + "." + part
}
