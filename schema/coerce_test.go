package schema

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func coerced(t testing.TB, schema, text string, opts *CoerceOptions) (string, error) {
	t.Helper()
	s, err := Compile(json.RawMessage(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	value, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out := s.Coerce(value, opts)
	raw, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), s.Check(out)
}

// TestCoerce shows where the two ways differ; conformance has what OpenClaw
// does.
func TestCoerce(t *testing.T) {
	object := func(property string) string { return `{"type":"object","properties":{"v":` + property + `}}` }
	for _, c := range []struct{ name, schema, text, want, openClaw string }{
		{"text of a number", object(`{"type":"number"}`), `{"v":" 2.5 "}`, `{"v":2.5}`, `{"v":2.5}`},
		{"more digits than a float has", object(`{"type":"integer"}`), `{"v":"9007199254740993"}`, `{"v":9007199254740993}`, `{"v":"9007199254740993"}`},
		{"an integer with a point", object(`{"type":"integer"}`), `{"v":3.0}`, `{"v":3}`, `{"v":3}`},
		{"no integer", object(`{"type":"integer"}`), `{"v":"3.5"}`, `{"v":"3.5"}`, `{"v":"3.5"}`},
		{"a number for a text, as written", object(`{"type":"string"}`), `{"v":12345678901234567890}`, `{"v":"12345678901234567890"}`, `{"v":"12345678901234567000"}`},
		{"a small number for a text", object(`{"type":"string"}`), `{"v":1e-7}`, `{"v":"1e-7"}`, `{"v":"1e-7"}`},
		{"null for what may be absent", object(`{"type":"integer"}`), `{"v":null}`, `{}`, `{"v":0}`},
		{"null where null is allowed", object(`{"type":["integer","null"]}`), `{"v":null}`, `{"v":null}`, `{"v":null}`},
		{"a union that fits as it is", object(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), `{"v":null}`, `{"v":null}`, `{"v":""}`},
		{"a union that fits after a change", object(`{"anyOf":[{"type":"integer"},{"type":"boolean"}]}`), `{"v":"true"}`, `{"v":true}`, `{"v":true}`},
		{"behind a reference", `{"type":"object","properties":{"v":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}`, `{"v":"3"}`, `{"v":3}`, `{"v":"3"}`},
		{"items", object(`{"type":"array","items":{"type":"integer"}}`), `{"v":["1",2,"x"]}`, `{"v":[1,2,"x"]}`, `{"v":[1,2,"x"]}`},
		{"a tuple of the older form", object(`{"type":"array","items":[{"type":"integer"},{"type":"boolean"}]}`), `{"v":["1","true","x"]}`, `{"v":[1,true,"x"]}`, `{"v":[1,true,"x"]}`},
		{"others", `{"type":"object","additionalProperties":{"type":"boolean"}}`, `{"x":"false"}`, `{"x":false}`, `{"x":false}`},
		{"JSON in a text stays a text", object(`{"type":"object"}`), `{"v":"{\"a\":1}"}`, `{"v":"{\"a\":1}"}`, `{"v":"{\"a\":1}"}`},
		{"no list is made", object(`{"type":"array"}`), `{"v":"one"}`, `{"v":"one"}`, `{"v":"one"}`},
		{"no default is filled in", object(`{"type":"string","default":"d"}`), `{}`, `{}`, `{}`},
	} {
		if got, _ := coerced(t, c.schema, c.text, nil); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got, _ := coerced(t, c.schema, c.text, &CoerceOptions{OpenClaw: true}); got != c.openClaw {
			t.Errorf("%s, as OpenClaw: %s, want %s", c.name, got, c.openClaw)
		}
	}
}

// The value that comes in is never changed, and one that fits stays as it is
// but for integers that are written with a point.
func TestCoerceLeavesWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, text := drawCase(t)
		value, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		out := s.Coerce(value, nil)
		s.Coerce(value, &CoerceOptions{OpenClaw: true})
		if !reflect.DeepEqual(value, again) {
			t.Fatalf("%s was changed to %v", text, value)
		}
		if s.Check(value) == nil && s.Check(out) == nil && show(floats(out)) != show(floats(value)) {
			t.Fatalf("%s fits %s, but became %s", text, show(s.document), show(out))
		}
	})
}

// floats makes numbers that are the same look the same.
func floats(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		return err
	}
	return out
}
