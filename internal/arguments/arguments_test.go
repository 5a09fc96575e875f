package arguments

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/schema"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, schema, text, want string }{
		{"as it is, white space and all", fileSchema, ` { "path" : "a" } `, ` { "path" : "a" } `},
		{"a type, in the order of the text", fileSchema, `{"limit":"3","more":{"z":1,"a":"<&>"},"path":"a"}`, `{"limit":3,"more":{"z":1,"a":"<&>"},"path":"a"}`},
		{"null that is left out", fileSchema, `{"path":"a","limit":null,"x":[1,{"y":null}]}`, `{"path":"a","x":[1,{"y":null}]}`},
		{"an integer with a point", fileSchema, `{"path":"a","limit":3.0}`, `{"path":"a","limit":3}`},
		{"a large number stays exact", `{"properties":{"a":{"type":"string"}}}`, `{"n":12345678901234567890.10,"a":1}`, `{"n":12345678901234567890.10,"a":"1"}`},
		{"mended and changed", fileSchema, `functions.read:1 {"path":"a","limit":"3"}`, `{"path":"a","limit":3}`},
		{"nothing for nothing", `{}`, ``, `{}`},
		{"null for nothing", `{"type":"object"}`, ` null `, `{}`},
	} {
		got, err := Read(compile(t, c.schema), json.RawMessage(c.text), "read", Options{})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v\nwant %s", c.name, got, err, c.want)
		}
	}
}

// What fits is passed on as it is, at no cost but a look.
func TestReadDoesNotCopy(t *testing.T) {
	s := compile(t, fileSchema)
	text := json.RawMessage(`{"path":"a","limit":3}`)
	got, err := Read(s, text, "read", Options{})
	if err != nil || &got[0] != &text[0] {
		t.Errorf("%s, %v", got, err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := Read(s, text, "read", Options{}); err != nil {
			t.Error(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestReasons holds what a model reads to the file: a schema, a text and the
// message for each.
func TestReasons(t *testing.T) {
	const file = "testdata/reasons.txtar"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(raw)
	changed := false
	for i := 0; i+2 < len(archive.Files); i += 3 {
		s, text, want := archive.Files[i], archive.Files[i+1], &archive.Files[i+2]
		_, err := Read(compile(t, string(s.Data)), json.RawMessage(strings.TrimSuffix(string(text.Data), "\n")), "t", Options{})
		if err == nil {
			t.Errorf("%s: it is read", s.Name)
			continue
		}
		got := Reason(err) + "\n"
		if diff := cmp.Diff(string(want.Data), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.Name, diff)
			want.Data, changed = []byte(got), true
		}
	}
	if changed && os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReasonIsBounded(t *testing.T) {
	s := compile(t, fileSchema)
	for _, text := range []string{`{"path":"` + strings.Repeat("x", 1<<20), `{"limit":"` + strings.Repeat("x", 1<<20) + `"}`, `{"` + strings.Repeat("x", 1<<20) + `":`} {
		_, err := Read(s, json.RawMessage(text), "t", Options{})
		if reason := Reason(err); err == nil || len(reason) > 1200 || strings.ToValidUTF8(reason, "") != reason {
			t.Errorf("%d bytes", len(reason))
		}
	}
}

// A text that cannot be read is never an empty object, also where that would
// fit.
func TestUnreadableNeverRuns(t *testing.T) {
	for _, text := range []string{`{"path":`, `hello`, `{path:1}`, `"{}"`, `[]`, `{} {"a":1} {"b":1}`, `{"a":1,"a":2}`, `1`, `true`} {
		for _, dialect := range []policy.Dialect{policy.Default, policy.OpenClaw} {
			got, err := Read(compile(t, `{}`), json.RawMessage(text), "t", Options{Dialect: dialect})
			var unreadable *UnreadableError
			var invalid *schema.InvalidError
			if err == nil || !errors.As(err, &unreadable) && !errors.As(err, &invalid) {
				t.Errorf("%s: %s, %v", text, got, err)
			}
		}
	}
}

func TestEntities(t *testing.T) {
	s := compile(t, `{"type":"object","properties":{"command":{"type":"string","maxLength":12},"n":{"type":"integer"}}}`)
	got, err := Read(s, json.RawMessage(`{"command":"a &amp;&amp; b &lt;&#39;&#x22;","n":"3"}`), "t", Options{Entities: true})
	if want := `{"command":"a && b <'\"","n":3}`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if got, err := Read(s, json.RawMessage(`{"command":"&amp;"}`), "t", Options{}); err != nil || string(got) != `{"command":"&amp;"}` {
		t.Errorf("%s, %v: entities that nobody asked to decode", got, err)
	}
	for model, want := range map[[2]string]bool{
		{"xai", "grok-4"}: true, {" XAI ", "x"}: true, {"openrouter", "x-ai/grok-4"}: true, {"proxy", "Grok-3-mini"}: true,
		{"openai", "gpt"}: false, {"", ""}: false, {"groq", "llama"}: false,
	} {
		if Entities(model[0], model[1]) != want {
			t.Errorf("%v: %v", model, !want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	s := compile(b, fileSchema)
	for name, text := range map[string]string{
		"fits":    `{"path":"internal/gateway/gateway.go","limit":80}`,
		"coerced": `{"path":"internal/gateway/gateway.go","limit":"80"}`,
		"mended":  `functions.read:0 {"path":"internal/gateway/gateway.go","limit":80}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(s, json.RawMessage(text), "read", Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What is read always fits, in the judgement of the library alone: nothing
// that is mended or changed gets past the schema.
func TestReadNeverWidens(t *testing.T) {
	var schemas []*schema.Schema
	for _, raw := range []string{
		fileSchema,
		`{"type":"object","properties":{"a":{"type":["integer","null"],"minimum":1},"b":{"enum":["1","true"]}},"required":["b"],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"oneOf":[{"type":"integer"},{"type":"boolean"}]},"b":{"anyOf":[{"type":"string","maxLength":2},{"type":"array","items":{"type":"number"}}]}}}`,
		`{"type":"object","additionalProperties":{"type":"string","pattern":"^[0-9]+$"},"maxProperties":2}`,
		`{"type":"object","properties":{"a":{"not":{"type":"string"}},"b":{"type":"number","multipleOf":2}},"dependentRequired":{"a":["b"]}}`,
	} {
		schemas = append(schemas, compile(t, raw))
	}
	scalar := rapid.SampledFrom([]any{"1", "true", "abc", "", " 4 ", 0, 1, 2, 1.5, 3.0, true, false, nil})
	value := rapid.OneOf(scalar, rapid.Map(rapid.SliceOfN(scalar, 0, 2), func(s []any) any { return s }))
	object := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "path", "limit"}), value, 0, 3)
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(schemas).Draw(t, "schema")
		text, err := json.Marshal(object.Draw(t, "object"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dialect := range []policy.Dialect{policy.Default, policy.OpenClaw} {
			args, err := Read(s, text, "t", Options{Dialect: dialect})
			if err != nil {
				continue
			}
			read++
			out, err := schema.Decode(args)
			if err != nil || s.Check(out) != nil {
				t.Fatalf("%s was read as %s: %v, %v", text, args, err, s.Check(out))
			}
		}
	})
	if read == 0 {
		t.Error("nothing was ever read")
	}
}
