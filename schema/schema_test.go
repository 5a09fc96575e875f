package schema

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

type point struct {
	X int `json:"x" jsonschema:"across"`
	Y int `json:"y,omitempty"`
}

type shape struct {
	Name   string         `json:"name"`
	Points []point        `json:"points"`
	Tags   map[string]int `json:"tags,omitempty"`
	Centre *point         `json:"centre,omitempty"`
	When   time.Time      `json:"when,omitzero"`
	unseen int            // not exported, so no property
	Skip   string         `json:"-"`
}

func TestFor(t *testing.T) {
	_ = shape{}.unseen
	raw, err := For[shape]()
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if strings.Contains(text, "null") || strings.Contains(text, "Skip") || strings.Contains(text, "unseen") {
		t.Errorf("schema: %s", text)
	}
	for _, want := range []string{`"required":["name","points"]`, `"description":"across"`, `"additionalProperties":false`} {
		if !strings.Contains(text, want) {
			t.Errorf("schema lacks %s: %s", want, text)
		}
	}
	if n, p := strings.Index(text, `"name"`), strings.Index(text, `"points"`); n < 0 || n > p {
		t.Errorf("properties are not in the order of the fields: %s", text)
	}
	if _, err := For[func()](); err == nil {
		t.Error("a function has a schema")
	}
	if _, err := For[map[int]string](); err == nil {
		t.Error("a map of ints has a schema")
	}
}

func TestValidateTellsEverything(t *testing.T) {
	raw, err := For[shape]()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(json.RawMessage(`{"name":"a","points":[{"x":1}]}`)); err != nil {
		t.Errorf("valid: %v", err)
	}
	err = s.Validate(json.RawMessage(`{"points":[{"x":1,"z":2},{"x":"one"}],"colour":"red"}`))
	var invalid *InvalidError
	if !errors.As(err, &invalid) {
		t.Fatalf("err = %v", err)
	}
	var paths []string
	for _, v := range invalid.Violations {
		paths = append(paths, v.Path)
	}
	if got, want := strings.Join(paths, " "), "colour name points[0].z points[1].x"; got != want {
		t.Errorf("paths %q, want %q", got, want)
	}
}

func TestValidateRefusesWhatIsNotOneValue(t *testing.T) {
	s, err := Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		`{"a":`:    "incomplete: it ends after 5 bytes",
		`{} {}`:    "something follows the value at byte 2",
		`{a:1}`:    "not JSON",
		`[]`:       "want object",
		"{\"a\": ": "incomplete",
	} {
		if err := s.Validate(json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	if err := s.Validate(nil); err != nil {
		t.Errorf("no arguments: %v", err)
	}
}

// Text that two readers read differently, and text that costs more than its
// length, is no text of a call.
func TestValidateRefusesTricks(t *testing.T) {
	s, err := Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a member twice":          {`{"a":1,"a":2}`, `the member "a" stands twice`},
		"a member twice, escaped": {`{"a":1,"\u0061":2}`, `the member "a" stands twice`},
		"a member twice, deep":    {`{"x":[{"b":{}},{"b":{"c":1,"d":2,"c":3}}]}`, `the member "c" stands twice`},
		"a long number":           {`{"n":0.` + strings.Repeat("1", 3_000_000) + `}`, "a number of 3000002 characters"},
		"a huge exponent":         {`{"n":1e99999999}`, "out of range"},
		"a tiny exponent":         {`{"n":1e-999999999}`, "out of range"},
		"too many values":         {`{"n":[` + strings.Repeat("1,", 200_000) + `1]}`, "more than 100000 values"},
	} {
		if err := s.Validate(json.RawMessage(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := s.Validate(json.RawMessage(`{"a":{"a":1},"b":["a","a",{"a":"a"}],"n":-1.5e300}`)); err != nil {
		t.Errorf("an honest text: %v", err)
	}
}

func TestViolationsAreBounded(t *testing.T) {
	s, err := Compile(json.RawMessage(`{"type":"object","properties":{"e":{"type":"array","items":{"type":"object","required":["x"]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Validate(json.RawMessage(`{"e":[` + strings.Repeat("{},", 20_000) + `{}]}`))
	var invalid *InvalidError
	if !errors.As(err, &invalid) || len(invalid.Violations) > maxViolations {
		t.Errorf("%T with %d violations", err, len(invalid.Violations))
	}
}

func TestCompileReadsNoOtherDocuments(t *testing.T) {
	for _, ref := range []string{"file:///etc/hostname", "http://127.0.0.1:1/x.json", "other.json"} {
		if _, err := Compile(json.RawMessage(`{"$ref":"` + ref + `"}`)); err == nil || !strings.Contains(err.Error(), "not followed") {
			t.Errorf("%s: %v", ref, err)
		}
	}
	for _, bad := range []string{`{"type":"moon"}`, `[`, `"x"`, `{"properties":[]}`} {
		if _, err := Compile(json.RawMessage(bad)); err == nil {
			t.Errorf("%s compiled", bad)
		}
	}
}

func FuzzValidate(f *testing.F) {
	raw, err := For[shape]()
	if err != nil {
		f.Fatal(err)
	}
	s, err := Compile(raw)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"name":"a","points":[{"x":1e400}]}`))
	f.Add([]byte(`{"name":"\ud800"}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		if s.Validate(args) == nil {
			var v shape
			if err := json.Unmarshal(args, &v); err != nil && len(args) > 0 && !strings.Contains(err.Error(), "time") && !strings.Contains(err.Error(), "number") {
				t.Errorf("valid, but %v", err)
			}
		}
	})
}
