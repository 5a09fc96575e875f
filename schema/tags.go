package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keyword is a struct tag that becomes a keyword of the schema.
type keyword struct {
	name string
	// kinds are the types that it means something for; nil is all.
	kinds []string
	// read checks the tag's text and gives the JSON for it.
	read func(kind, text string) (string, error)
}

var (
	numbers = []string{"number", "integer"}
	strs    = []string{"string"}
	arrays  = []string{"array"}
)

// keywords in the order in which they are written.
var keywords = []keyword{
	{"title", nil, func(_, text string) (string, error) { return quoted(text), nil }},
	{"enum", []string{"string", "number", "integer"}, readEnum},
	{"default", nil, readValue},
	{"minimum", numbers, readNumber},
	{"maximum", numbers, readNumber},
	{"exclusiveMinimum", numbers, readNumber},
	{"exclusiveMaximum", numbers, readNumber},
	{"multipleOf", numbers, readNumber},
	{"minLength", strs, readCount},
	{"maxLength", strs, readCount},
	{"pattern", strs, readPattern},
	{"format", strs, func(_, text string) (string, error) { return quoted(text), nil }},
	{"minItems", arrays, readCount},
	{"maxItems", arrays, readCount},
	{"uniqueItems", arrays, func(_, text string) (string, error) { return readValue("boolean", text) }},
}

// applyTags writes the tags of a field into its schema. A keyword that means
// nothing for a list or a map goes to its items or values.
func applyTags(n *node, tag reflect.StructTag) error {
	for _, k := range keywords {
		text, ok := tag.Lookup(k.name)
		if !ok {
			continue
		}
		target := k.target(n)
		if target == nil {
			return fmt.Errorf("the tag %s means nothing for %s", k.name, orAny(n.kind()))
		}
		value, err := k.read(target.kind(), text)
		if err != nil {
			return fmt.Errorf("the tag %s: %w", k.name, err)
		}
		target.set(k.name, value)
	}
	if text := tag.Get("jsonschema"); text != "" {
		n.set("description", quoted(text))
	}
	return nil
}

// target is the node that the keyword is for: n, or what n is a list or a map
// of.
func (k keyword) target(n *node) *node {
	for n != nil && n.whole == nil {
		if k.kinds == nil || slices.Contains(k.kinds, n.kind()) {
			return n
		}
		inner := n.get("items").node
		if inner == nil {
			inner = n.get("additionalProperties").node
		}
		n = inner
	}
	return nil
}

func readEnum(kind, text string) (string, error) {
	var out []json.RawMessage
	for part := range strings.SplitSeq(text, ",") {
		value, err := readValue(kind, strings.TrimSpace(part))
		if err != nil {
			return "", err
		}
		out = append(out, json.RawMessage(value))
	}
	return encoded(out), nil
}

// readValue takes a string as it is and everything else as JSON.
func readValue(kind, text string) (string, error) {
	switch kind {
	case "string":
		return quoted(text), nil
	case "number", "integer":
		return readNumber(kind, text)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return "", fmt.Errorf("%q is not JSON", text)
	}
	if got := typeName(v); kind != "" && got != kind {
		return "", fmt.Errorf("%q is not %s", text, orAny(kind))
	}
	return text, nil
}

func readNumber(kind, text string) (string, error) {
	var number json.Number
	if json.Unmarshal([]byte(text), &number) != nil || !json.Valid([]byte(text)) || strings.HasPrefix(text, `"`) {
		return "", fmt.Errorf("%q is not a number", text)
	}
	if _, err := strconv.ParseInt(text, 10, 64); kind == "integer" && err != nil {
		return "", fmt.Errorf("%q is not an integer", text)
	}
	return text, nil
}

func readCount(_, text string) (string, error) {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return "", fmt.Errorf("%q is not a count", text)
	}
	return text, nil
}

func readPattern(_, text string) (string, error) {
	if _, err := regexp.Compile(text); err != nil {
		return "", err
	}
	return quoted(text), nil
}

func orAny(kind string) string {
	if kind == "" {
		return "a value of any type"
	}
	return kind
}
