package schema

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestWording: what was found, what was expected, where.
func TestWording(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{`{"properties":{"v":{"type":["string","null"]}}}`, `{"v":1}`, "v: got number, want null or string"},
		{`{"properties":{"v":{"enum":["fast","slow",1]}}}`, `{"v":"fats"}`, `v: got "fats", want one of "fast", "slow", 1`},
		{`{"properties":{"v":{"const":"x"}}}`, `{"v":2}`, `v: got 2, want "x"`},
		{`{"properties":{"v":{"pattern":"^a"}}}`, `{"v":"b"}`, `v: got "b", want a text that matches ^a`},
		{`{"properties":{"v":{"format":"date"}}}`, `{"v":"1st May"}`, `v: got "1st May", want the format date`},
		{`{"properties":{"v":{"minimum":1}}}`, `{"v":0.5}`, "v: got 0.5, want at least 1"},
		{`{"properties":{"v":{"maximum":1}}}`, `{"v":2}`, "v: got 2, want at most 1"},
		{`{"properties":{"v":{"exclusiveMinimum":1,"exclusiveMaximum":1}}}`, `{"v":1}`, "v: got 1, want more than 1; v: got 1, want less than 1"},
		{`{"properties":{"v":{"multipleOf":5}}}`, `{"v":7}`, "v: got 7, want a multiple of 5"},
		{`{"properties":{"v":{"minLength":3}}}`, `{"v":"äö"}`, "v: got 2 characters, want at least 3"},
		{`{"properties":{"v":{"maxLength":1}}}`, `{"v":"äö"}`, "v: got 2 characters, want at most 1"},
		{`{"properties":{"v":{"minItems":2}}}`, `{"v":[1]}`, "v: got 1 item, want at least 2"},
		{`{"properties":{"v":{"maxItems":0}}}`, `{"v":[1]}`, "v: got 1 item, want at most 0"},
		{`{"properties":{"v":{"uniqueItems":true}}}`, `{"v":[1,2,1]}`, "v: items 0 and 2 are the same, want each only once"},
		{`{"properties":{"v":false}}`, `{"v":1}`, "v: nothing may stand here"},
		{`{"properties":{"v":{"anyOf":[{"type":"string"},{"type":"object","required":["k"]}]}}}`, `{"v":{}}`,
			"v: fits none of 2 alternatives; one of them must fit; v: got object, want string; v.k: required, but missing"},
		{`{"properties":{"v":{"oneOf":[{"minimum":1},{"maximum":9}]}}}`, `{"v":5}`, "v: fits the alternatives 1 and 2 at once, want one alone"},
		{`{"properties":{"list":{"items":{"required":["a"]}}}}`, `{"list":[{"a":1},{}]}`, "list[1].a: required, but missing"},
		{`{"additionalProperties":false}`, `{"b":1,"a":1}`, "a: no such argument; b: no such argument"},
		{`{"type":"object"}`, `[]`, "got array, want object"},
	} {
		s, err := Compile(json.RawMessage(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(json.RawMessage(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v\nwant %s", c.schema, c.text, err, c.want)
		}
	}
}

func TestViolationsKnowWhatThereIs(t *testing.T) {
	s, err := Compile(json.RawMessage(`{"properties":{"a/b":{"type":"array","items":{"properties":{"name":{},"mode":{"enum":["on","off",3]}},"additionalProperties":false}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var invalid *InvalidError
	if err := s.Validate(json.RawMessage(`{"a/b":[{"nmae":1,"mode":"onn"}]}`)); !errors.As(err, &invalid) || len(invalid.Violations) != 2 {
		t.Fatalf("%v", err)
	}
	mode, name := invalid.Violations[0], invalid.Violations[1]
	if mode.Word != "onn" || !slices.Equal(mode.Known, []string{"on", "off"}) {
		t.Errorf("%+v", mode)
	}
	if name.Path != "a/b[0].nmae" || name.Word != "nmae" || !slices.Equal(name.Known, []string{"mode", "name"}) {
		t.Errorf("%+v", name)
	}
}

// What is shown of hostile schemas and values is bounded.
func TestWordingIsBounded(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	many, err := json.Marshal(slices.Repeat([]string{long[:100]}, 400))
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{`{"properties":{"v":{"enum":` + string(many) + `}}}`, `{"properties":{"v":{"pattern":"^y` + long[:900] + `"}}}`, `{"properties":{"v":{"const":"y"}}}`} {
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(json.RawMessage(`{"v":"` + long + `"}`)); err == nil || len(err.Error()) > 5000 {
			t.Errorf("%d bytes", len(err.Error()))
		}
	}
}

func TestNeedsNothing(t *testing.T) {
	for schema, want := range map[string]bool{
		``: true, `{}`: true, `{"type":"object"}`: true, `{"type":["object","null"]}`: true, `{"type":"array"}`: false, `{"type":"string"}`: false,
		`{"required":["a"]}`: false, `{"required":[]}`: true, `{"allOf":[{"required":["a"]}]}`: false,
		`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`: true, `{"oneOf":[{"required":["a","c"]},{"required":["b","c"]}]}`: false,
		`{"$ref":"#/$defs/x","$defs":{"x":{"required":["a"]}}}`: false, `{"$ref":"#/$defs/x","$defs":{"x":{"allOf":[{"$ref":"#/$defs/y"}]},"y":{}}}`: true,
	} {
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if s.NeedsNothing() != want {
			t.Errorf("%s: %v", schema, !want)
		}
	}
}

func TestMembers(t *testing.T) {
	s, err := Compile(json.RawMessage(`{"properties":{"b":{"items":{"properties":{"c":{}}}},"a":{"$ref":"#/$defs/x"}},"anyOf":[{"properties":{"d":{}}}],"$defs":{"x":{"properties":{"e":{"$ref":"#/$defs/x"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Members(); !slices.Equal(got, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("%v", got)
	}
}
