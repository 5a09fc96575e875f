package adapt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/schema"
	"github.com/toolrest/toolrest/schema/tree"
)

// patience is how long a hostile schema may take, on a slow machine.
const patience = 15 * time.Second

// TestHostile wants a plain refusal with a path, or a form of bounded size, in
// bounded time. A fault behind "?" is not needed where the family makes one of
// equal members.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct{ schema, fault string }{
		"deep":              {nest(10_000, `{"type":"object","properties":{"a":`, `{}`, `}}`), "properties.a.properties.a.properties.a.properties.a.properties.a.properties.a…: nested deeper than 200 levels"},
		"deep arrays":       {`{"type":"object","x":` + nest(10_000, "[", "", "]") + `}`, "nested deeper"},
		"deep by reference": {`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain(3000, func(i int) string { return fmt.Sprintf(`{"type":"array","items":{"$ref":"#/$defs/d%d"}}`, i+1) }) + `}}`, "nested too deeply"},
		"a huge enum":       {`{"type":"object","properties":{"ok":{"type":"string"},"e":{"type":"string","enum":[` + list(70_000, `"value number %d"`) + `]}}}`, "properties.e.enum: the schema has"},
		"a huge text":       {`{"type":"object","properties":{"e":{"type":"string","description":"` + strings.Repeat("x", 1<<20) + `"}}}`, "properties.e.description: the schema has"},
		"many values":       {`{"type":"object","x":[` + list(300_000, `%d`) + `]}`, "x[199997]"},
		"many bytes":        {`{"type":"object","x":"` + strings.Repeat("x", 5<<20) + `"}`, "bytes, more than"},
		"exponential":       {`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain(40, doubling("properties")) + `}}`, "more than 50000 schemas"},
		"exponential allOf": {`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain(40, doubling("allOf")) + `}}`, "?more than 50000 schemas"},
		"exponential anyOf": {`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain(40, doubling("anyOf")) + `}}`, "?more than 50000 schemas"},
		"exponential root":  {`{"type":"object","$ref":"#/$defs/d0","$defs":{` + chain(40, doubling("anyOf")) + `}}`, "more than 50000 schemas"},
		"itself":            {`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`, ""},
		"itself by allOf":   {`{"type":"object","allOf":[{"$ref":"#"},{"$ref":"#/allOf/1"}]}`, ""},
		"itself by anyOf":   {`{"type":"object","anyOf":[{"$ref":"#/anyOf/0"},{"$ref":"#"}]}`, ""},
		"mutual":            {`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`, ""},
		"all know all":      {`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + chain(12, func(int) string { return `{"type":"object","properties":{` + everyone(12) + `}}` }) + `}}`, "more than 50000 schemas"},
		"a wide object":     {`{"type":"object","properties":{` + list(8_000, `"p%d":{}`) + `},"required":[` + list(8_000, `"p%d"`) + `]}`, ""},
		"wide unions":       {`{"type":"object","anyOf":[` + list(1500, `{"properties":{"k":{"const":%d},"a":{"type":"string"}}}`) + `]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, k := range kinds {
				start := time.Now()
				r := Adapt(json.RawMessage(c.schema), targetOf(k))
				if took := time.Since(start); took > patience {
					t.Errorf("%s: it took %v", k, took)
				}
				fault, maybe := strings.CutPrefix(c.fault, "?")
				got := fmt.Sprint(r.Fault)
				if !strings.Contains(got, fault) && (!maybe || r.Fault != nil) && fault != "" || len(got) > 500 {
					t.Errorf("%s: %.500s, want %q", k, got, c.fault)
				}
				if len(r.Schema) > maxWire || c.fault == "" && r.Fault != nil {
					t.Errorf("%s: %d bytes, %v", k, len(r.Schema), r.Fault)
				}
			}
			start := time.Now()
			Adapt(json.RawMessage(c.schema), Target{API: "openai", Provider: "google", Dialect: OpenClaw})
			if took := time.Since(start); took > patience {
				t.Errorf("in the other dialect it took %v", took)
			}
		})
	}
}

func nest(n int, open, inner, end string) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

func list(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// chain is definitions d0 to dn, the last of them plain.
func chain(n int, def func(i int) string) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"d%d":%s`, i, def(i)))
	}
	return strings.Join(append(parts, fmt.Sprintf(`"d%d":{"type":"string"}`, n)), ",")
}

// doubling names the next definition twice.
func doubling(key string) func(int) string {
	return func(i int) string {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		if key == "properties" {
			return `{"type":"object","properties":{"l":` + next + `,"r":` + next + `}}`
		}
		return `{"` + key + `":[` + next + `,` + next + `]}`
	}
}

func everyone(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/d%d"}`, i, i))
	}
	return strings.Join(parts, ",")
}

// TestRoundTrip: a value that satisfies the adapted schema is right for the
// original, or is refused with a path to what is wrong. Never a panic.
func TestRoundTrip(t *testing.T) {
	right := 0
	rapid.Check(t, func(t *rapid.T) {
		raw := tree.Encode(schemas(false).Draw(t, "schema"))
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		original, err := schema.Compile(raw)
		if err != nil {
			return
		}
		r := Adapt(raw, targetOf(kind))
		if r.Fault != nil {
			return
		}
		adapted, err := schema.Compile(r.Schema)
		if err != nil {
			t.Fatalf("%v\nof     %s\nbecame %s", err, raw, r.Schema)
		}
		root, err := tree.Parse(r.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		for args := range samples(root) {
			if adapted.Validate(args) != nil {
				continue
			}
			var invalid *schema.InvalidError
			switch err := original.Validate(args); {
			case err == nil:
				right++
			case !errors.As(err, &invalid) || len(invalid.Violations) == 0:
				t.Fatalf("%s by %s: %v", args, raw, err)
			}
		}
	})
	if right == 0 {
		t.Error("no value was right: nothing was proved")
	}
}

// What the adapted schema no longer tells is still held against the call.
func TestWhatIsNotToldCounts(t *testing.T) {
	raw := json.RawMessage(`{"oneOf":[{"type":"object","properties":{"action":{"const":"set"},"date":{"type":"string"}},"required":["action","date"]},{"type":"object","properties":{"action":{"const":"clear"}},"required":["action"]}]}`)
	args := json.RawMessage(`{"action":"set"}`)
	original, err := schema.Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		adapted, err := schema.Compile(accepted(t, raw, k).Schema)
		if err != nil {
			t.Fatal(err)
		}
		if err := adapted.Validate(args); err != nil {
			t.Errorf("%s: %v", k, err)
		}
	}
	var invalid *schema.InvalidError
	if err := original.Validate(args); !errors.As(err, &invalid) || !strings.Contains(err.Error(), "date") {
		t.Errorf("the original says %v", err)
	}
}

// TestInputStays: no adaptation changes the text, or the order in which it
// gives keys.
func TestInputStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := tree.Encode(schemas(true).Draw(t, "schema"))
		before := string(raw)
		for _, k := range kinds {
			for _, d := range []Dialect{Default, OpenClaw} {
				target := targetOf(k)
				target.Dialect = d
				first, second := Adapt(raw, target), Adapt(raw, target)
				if string(first.Schema) != string(second.Schema) || first.Note != second.Note {
					t.Fatalf("%s gives %s and %s", raw, first.Schema, second.Schema)
				}
				if first.Fault == nil {
					if _, err := Losses(raw, first.Schema); err != nil {
						var fault *Fault
						if !errors.As(err, &fault) {
							t.Fatal(err)
						}
					}
				}
			}
		}
		if string(raw) != before {
			t.Fatalf("%s became %s", before, raw)
		}
	})
}

func TestCallableNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := tree.Encode(schemas(true).Draw(t, "schema"))
		err := Callable(raw, targetOf(rapid.SampledFrom(kinds).Draw(t, "kind")))
		var fault *Fault
		var uncallable *Uncallable
		if err != nil && !errors.As(err, &fault) && !errors.As(err, &uncallable) {
			t.Fatal(err)
		}
	})
}

func FuzzAdapt(f *testing.F) {
	for _, seed := range []string{`{"type":"object","anyOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{"properties":{"a":{"items":[1]}}}}}`,
		`{"properties":{"a":{"enum":[]}},"required":["b"]}`, `{"allOf":[{}]}`, `true`, `{"type":["object","null"],"nullable":true}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, k := range kinds {
			accepted(t, append(json.RawMessage{}, raw...), k)
		}
		Adapt(raw, Target{API: "anthropic", Provider: "google", Dialect: OpenClaw})
	})
}
