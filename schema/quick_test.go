package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// byLibrary is the verdict of the library alone.
func byLibrary(s *Schema, text []byte) error {
	value, err := Decode(text)
	if err != nil {
		return err
	}
	return s.Check(value)
}

// TestAccepts pins what the quick look sees: an answer that is always no would
// also be sound.
func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		schema  string
		yes, no []string
	}{
		{
			`{"type":"object","properties":{"path":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":100}},"required":["path"],"additionalProperties":false}`,
			[]string{`{"path":"a"}`, ` { "path" : "a\n\u00e4ö" , "limit" : 100 } `, `{"limit":1,"path":"x"}`},
			[]string{`{}`, `{"path":""}`, `{"path":1}`, `{"path":"a","limit":0}`, `{"path":"a","limit":101}`, `{"path":"a","b":1}`, `{"path":"a","path":"b"}`,
				`{"path":"a"`, `{"path":"a"}x`, `{"path":"a",}`, `[]`, `"a"`, ``, `null`, `{"path":"` + "\n" + `"}`, `{"path":"\x"}`, `{"path":"\u12g4"}`, `{"path":"a","limit":01}`, `{"path":"a" "limit":1}`, "{\"path\":\"\xff\"}"},
		},
		{
			`{"type":"object","properties":{"mode":{"enum":["a","b"]},"list":{"type":"array","items":{"$ref":"#/$defs/p"},"minItems":1,"maxItems":2},"v":{"anyOf":[{"type":"string"},{"type":"null"}]}},"$defs":{"p":{"type":"object","properties":{"x":{"type":"number"}},"required":["x"]}}}`,
			[]string{`{}`, `{"mode":"a"}`, `{"list":[{"x":1},{"x":2.5,"more":[true,null,{"a":{}}]}]}`, `{"v":null}`, `{"v":"x"}`, `{"other":{"deep":[1]}}`},
			[]string{`{"mode":"c"}`, `{"mode":1}`, `{"list":[]}`, `{"list":[{}]}`, `{"list":[{"x":1},{"x":1},{"x":1}]}`, `{"v":1}`, `{"o":1,"o":2}`, `{"o":{"p":1,"p":2}}`},
		},
		{
			`{"type":"object","additionalProperties":{"type":"boolean"}}`,
			[]string{`{"a":true,"b":false}`}, []string{`{"a":1}`, `{"a":true,"a":true}`},
		},
		{`{"type":"object","properties":{"d":{"type":"string","format":"date"},"p":{"type":"string","pattern":"^a"}}}`, []string{`{"d":"2024-02-29","p":"ab"}`}, []string{`{"d":"2024-02-30"}`, `{"p":"b"}`}},
	} {
		s, err := Compile(json.RawMessage(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.yes {
			if !s.Accepts([]byte(text)) || byLibrary(s, []byte(text)) != nil {
				t.Errorf("%s: quick %v, library %v", text, s.Accepts([]byte(text)), byLibrary(s, []byte(text)))
			}
		}
		for _, text := range c.no {
			if s.Accepts([]byte(text)) {
				t.Errorf("%s is accepted by %s", text, c.schema)
			}
		}
	}
}

// drawSchema draws a schema of the keywords that tools use, and of some that
// the quick look does not know.
func drawSchema(t *rapid.T, depth int) map[string]any {
	if depth == 0 {
		return drawScalar(t)
	}
	switch rapid.IntRange(0, 9).Draw(t, "form") {
	case 0, 1, 2:
		return drawScalar(t)
	case 3, 4:
		s := map[string]any{"type": "array", "items": drawSchema(t, depth-1)}
		if rapid.Bool().Draw(t, "bounded") {
			s["minItems"], s["maxItems"] = 1, 3
		}
		return s
	case 5:
		union := rapid.SampledFrom([]string{"anyOf", "oneOf", "allOf"}).Draw(t, "union")
		return map[string]any{union: []any{drawSchema(t, depth-1), drawSchema(t, depth-1)}}
	}
	return drawObject(t, depth)
}

func drawObject(t *rapid.T, depth int) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 3, rapid.ID).Draw(t, "names") {
		properties[name] = drawSchema(t, depth-1)
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	switch rapid.IntRange(0, 3).Draw(t, "others") {
	case 0:
		s["additionalProperties"] = false
	case 1:
		s["additionalProperties"] = drawSchema(t, depth-1)
	}
	return s
}

func drawScalar(t *rapid.T) map[string]any {
	kinds := []string{"string", "number", "integer", "boolean", "null", "array", "object"}
	s := map[string]any{"type": rapid.SampledFrom(kinds).Draw(t, "type")}
	if rapid.IntRange(0, 4).Draw(t, "two types") == 0 {
		s["type"] = rapid.SliceOfNDistinct(rapid.SampledFrom(kinds), 2, 2, rapid.ID).Draw(t, "types")
	}
	switch rapid.IntRange(0, 7).Draw(t, "more") {
	case 0:
		s["minimum"] = rapid.IntRange(-1, 2).Draw(t, "minimum")
	case 1:
		s["exclusiveMaximum"] = 2.5
	case 2:
		s["minLength"], s["maxLength"] = 1, 3
	case 3:
		s["enum"] = rapid.SampledFrom([][]any{{"a", "1"}, {1, 2}, {nil, true}}).Draw(t, "enum")
	case 4:
		s["pattern"] = "^[a1]"
	case 5:
		s["multipleOf"] = 2
	}
	return s
}

// drawValue draws a value that often fits.
func drawValue(t *rapid.T, schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if depth == 0 || s == nil || rapid.IntRange(0, 9).Draw(t, "any") == 0 {
		return rapid.SampledFrom([]any{"a", "1", "", "true", "äöü", 0, 1, 2, -3, 1.5, 1e21, 2.0, true, false, nil, []any{}, map[string]any{}, "2024-01-01"}).Draw(t, "scalar")
	}
	for _, union := range []string{"anyOf", "oneOf", "allOf"} {
		if members, ok := s[union].([]any); ok {
			return drawValue(t, rapid.SampledFrom(members).Draw(t, "member"), depth-1)
		}
	}
	switch s["type"] {
	case "array":
		return drawList(t, s["items"], depth)
	case "object":
		out := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			if sub, ok := properties[name]; ok && rapid.IntRange(0, 4).Draw(t, "there") > 0 || rapid.IntRange(0, 9).Draw(t, "more") == 0 {
				out[name] = drawValue(t, sub, depth-1)
			}
		}
		return out
	}
	return drawValue(t, nil, 0)
}

func drawList(t *rapid.T, items any, depth int) []any {
	out := []any{}
	for range rapid.IntRange(0, 3).Draw(t, "items") {
		out = append(out, drawValue(t, items, depth-1))
	}
	return out
}

func drawCase(t *rapid.T) (s *Schema, text []byte) {
	drawn := drawObject(t, 3)
	raw, err := json.Marshal(drawn)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Compile(raw); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(drawValue(t, drawn, 4)); err != nil {
		t.Fatal(err)
	}
	return s, text
}

// The library is the oracle: the quick look never says yes where it says no.
func TestAcceptsOnlyWhatFits(t *testing.T) {
	var yes, fits int
	rapid.Check(t, func(t *rapid.T) {
		s, text := drawCase(t)
		err := byLibrary(s, text)
		if err == nil {
			fits++
		}
		if s.Accepts(text) {
			yes++
			if err != nil || text[0] != '{' {
				t.Fatalf("%s accepts %s: %v", show(s.document), text, err)
			}
		}
	})
	if yes == 0 {
		t.Errorf("the quick look saw none of the %d texts that fit", fits)
	}
}

func FuzzAccepts(f *testing.F) {
	s, err := Compile(json.RawMessage(`{"type":"object","properties":{"a":{"type":["integer","string"],"minimum":1,"maxLength":3},"b":{"type":"array","items":{"type":"number"}},"c":{"anyOf":[{"type":"null"},{"enum":["x"]}]}},"required":["a"],"additionalProperties":{"type":"boolean"}}`))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{`{"a":1}`, `{"a":"x","b":[1,2.5e3],"c":null,"d":true}`, `{"a":1,"\u0061":2}`, `{"a":-0}`, `{"a":"\ud800"}`, `{"a":12345678901234567890}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if s.Accepts(text) {
			if err := byLibrary(s, text); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func TestAcceptsIsBounded(t *testing.T) {
	s, err := Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	for name, text := range map[string]string{
		"deep":         `{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}",
		"many values":  `{"a":[` + strings.Repeat("1,", maxValues) + "1]}",
		"many members": "{" + strings.Join(many, ",") + "}",
	} {
		if s.Accepts([]byte(text)) {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := s.Validate(json.RawMessage("{" + strings.Join(many, ",") + "}")); err != nil {
		t.Errorf("many members, the long way: %v", err)
	}
}

const readSchema = `{"type":"object","properties":{"path":{"type":"string","minLength":1,"description":"the file"},"offset":{"type":"integer","minimum":1},"limit":{"type":"integer","minimum":1,"maximum":2000}},"required":["path"],"additionalProperties":false}`

var readArgs = []byte(`{"path":"internal/gateway/gateway.go","offset":120,"limit":80}`)

func BenchmarkAccepts(b *testing.B) {
	s, err := Compile(json.RawMessage(readSchema))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if !s.Accepts(readArgs) {
			b.Fatal("refused")
		}
	}
}

func BenchmarkLibrary(b *testing.B) {
	s, err := Compile(json.RawMessage(readSchema))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := byLibrary(s, readArgs); err != nil {
			b.Fatal(err)
		}
	}
}
