package adapt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/schema/tree"
)

// TestForms holds each archive of testdata: a schema, and its form for some
// families. "note" is the line for the description, "fault" the refusal.
func TestForms(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/forms.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var source []byte
	for _, f := range archive.Files {
		name, part, _ := strings.Cut(f.Name, "/")
		if part == "schema" {
			source = f.Data
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			kind, what, _ := strings.Cut(part, ".")
			r := accepted(t, source, Kind(kind))
			got := string(r.Schema)
			switch what {
			case "note":
				got = r.Note
			case "strict":
				got = string(r.Strict)
			case "fault":
				got = fmt.Sprint(r.Fault)
			default:
				if r.Fault != nil {
					t.Fatalf("%s: %v", name, r.Fault)
				}
				n, err := tree.Parse(f.Data, nil)
				if err != nil {
					t.Fatal(err)
				}
				f.Data = []byte(n.String())
			}
			if want := strings.TrimSpace(string(f.Data)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestFamilyOfATarget(t *testing.T) {
	for _, c := range []struct {
		target Target
		want   Kind
	}{
		{Target{}, OpenAI},
		{Target{API: "anthropic", Provider: "anthropic", Model: "claude-sonnet-5-5"}, Anthropic},
		{Target{Provider: "anthropic"}, Anthropic},
		{Target{API: "bedrock-converse-stream", Provider: "amazon-bedrock"}, Anthropic},
		{Target{API: "openai", Provider: "openrouter", Model: "anthropic/claude-opus-5"}, OpenAI},
		{Target{API: "openai", Provider: "openrouter", Model: "google/gemini-3.1-pro"}, Gemini},
		{Target{API: "openai", Provider: "litellm", Model: "Gemini-3.1-Pro "}, Gemini},
		{Target{API: "openai", Provider: "x", Model: "acme/geminiz-7b"}, OpenAI},
		{Target{API: "openai", Provider: "x", Model: "my-gemini"}, OpenAI},
		{Target{API: "google-generative-ai", Provider: "google", Model: "gemini-2.5"}, Gemini},
		{Target{API: "google-cloud-code", Model: "claude-opus-4-6"}, Gemini},
		{Target{API: "anthropic", Provider: "google-vertex-anthropic", Model: "claude-opus-4-6"}, Anthropic},
		{Target{API: "openai", Provider: "openrouter", Model: "x-ai/grok-4.1-fast"}, XAI},
		{Target{API: "openai", Provider: "xai"}, XAI},
		{Target{API: "openai", Provider: "deepseek", Model: "deepseek-chat"}, DeepSeek},
		{Target{API: "openai", Provider: "groq", Model: "mistral-saba"}, Mistral},
		{Target{API: "openai", Provider: "volcengine", Model: "x"}, Volcengine},
		{Target{API: "openai", Provider: "xiaomi"}, Xiaomi},
		{Target{API: "openai", Provider: "own", Compat: Compat{Profile: " Gemini "}}, Gemini},
		{Target{API: "openai", Provider: "own", Compat: Compat{Profile: "nobody"}}, OpenAI},
	} {
		if got := c.target.Kind(); got != c.want {
			t.Errorf("%+v is of %s, want %s", c.target, got, c.want)
		}
	}
}

func TestKeywords(t *testing.T) {
	for kw := unknown + 1; kw < keywords; kw++ {
		if name := keywordNames[kw]; name == "" || keywordOf(name) != kw {
			t.Errorf("keyword %d, %q, is read as %d", kw, name, keywordOf(name))
		}
	}
	if keywordOf("$ref") != unknown || keywordOf("") != unknown {
		t.Error("what is none is a keyword")
	}
}

// A configuration's own list of refused keywords is heard, whatever the family.
func TestCompat(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"format":{"type":"string","format":"uri","pattern":"^h"},"a":{"anyOf":[{"type":"string"},{"type":"number"}]},"l":{"type":"array"}}}`)
	r := Adapt(raw, Target{API: "openai", Compat: Compat{Unsupported: []string{" format ", "anyOf", "nonsense", "type"}, OmitEmptyItems: true}})
	want := `{"type":"object","properties":{"format":{"type":"string","pattern":"^h","description":"(format uri)"},"a":{"type":"string"},"l":{"type":"array"}}}`
	if string(r.Schema) != want {
		t.Errorf("got  %s\nwant %s", r.Schema, want)
	}
}

func TestFaultsSayWhere(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"moon"}}}`:                           `properties.a.type: "moon" is no type`,
		`{"type":"object","properties":{"a":{"anyOf":[{},{"type":["string","moon"]}]}}}`: `properties.a.anyOf[1].type: "moon" is no type`,
		`{"type":"object","properties":{"a":{"type":"array","items":7}}}`:                `properties.a.items: must be a schema`,
		`{"type":"object","properties":{"a":[]}}`:                                        `properties.a: a schema is an object or a boolean, not an array`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/no"}}}`:                     `properties.a.$ref: "#/$defs/no" names nothing in this schema`,
		`{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`:     `properties.a.$ref: "https://example.com/a.json" leads out of this schema and is not followed`,
		`{"type":"array","items":{}}`:                                                    `type: must be object: arguments are an object`,
		`{"type":"string"}`:                                                              `type: must be object: arguments are an object`,
		`[]`:                                                                             `a tool's schema is an object, not an array`,
		`{"type":"object","properties":[]}`:                                              `properties: must be an object of schemas`,
		`{"type":"object","anyOf":{}}`:                                                   `anyOf: must be a list of schemas`,
		`{"type":"object","properties":{"a":{"enum":"x"}}}`:                              `properties.a.enum: must be a list`,
		`{"type":"object","properties":{"a":{"minLength":"x"}}}`:                         `properties.a.minLength: must be a whole number from 0`,
		`{"type":"object","properties":{"a":{"type":"string","type":"number"}}}`:         `properties.a: the member "type" stands twice`,
		`{"type":"object"`:                                                               `the text ends too early`,
		`{"type":"object","properties":{"$top":{"type":"number"}},"required":["$top"]}`:  `properties.$top: the provider takes no property of this name, and it is required`,
		`{"type":"object","properties":{"a":{"dependentRequired":{"x":1}}}}`:             `properties.a.dependentRequired: must be an object of lists of names`,
		`{"type":"object","$defs":{"A":{"properties":{"x":{"type":5}}}},"properties":{"a":{"$ref":"#/$defs/A"}}}`: `properties.a.properties.x.type: must be the name of a type or a list of them`,
	} {
		r := Adapt(json.RawMessage(schema), targetOf(Anthropic))
		if r.Fault == nil || r.Fault.Error() != want || r.Schema != nil {
			t.Errorf("%s\ngot  %v\nwant %s", schema, r.Fault, want)
		}
	}
}

func TestOpenClawDialect(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","description":"d","properties":{"a":{"type":"string","minLength":1},"b":{"oneOf":[{"type":"number"},{"type":"string"}]}}}`)
	for _, c := range []struct {
		target Target
		want   string
	}{
		{Target{API: "anthropic", Provider: "anthropic"}, `{"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{"oneOf":[{"type":"number"},{"type":"string"}]}},"required":[]}`},
		{Target{API: "google-generative-ai", Provider: "google", Model: "gemini-2.5"}, `{"type":"object","description":"d","properties":{"a":{"type":"string"},"b":{"type":"number"}}}`},
		{Target{API: "openai-completions", Provider: "openai"}, string(raw)},
		{Target{API: "openai-completions", Provider: "xai", Compat: Compat{Unsupported: []string{"minLength"}}}, strings.ReplaceAll(string(raw), `,"minLength":1`, "")},
		{Target{API: "openai-completions", Compat: Compat{Profile: "deepseek"}}, `{"type":"object","description":"d","properties":{"a":{"type":"string","minLength":1},"b":{"type":"number"}}}`},
	} {
		c.target.Dialect = OpenClaw
		if r := Adapt(raw, c.target); r.Fault != nil || string(r.Schema) != c.want {
			t.Errorf("%+v\ngot  %s %v\nwant %s", c.target, r.Schema, r.Fault, c.want)
		}
	}
	closed := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)
	r := Adapt(closed, Target{API: "openai-responses", Provider: "openai", Strict: true, Dialect: OpenClaw})
	if want := `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`; string(r.Strict) != want {
		t.Errorf("strict: %s", r.Strict)
	}
	for schema, want := range map[string]string{
		`{"type":"string"}`: `type: must be "object"`,
		`{"type":"object","properties":{"n":{"$dynamicRef":"#n"}}}`: "properties.n.$dynamicRef: dynamic references are not followed",
		`{"type":"object","required":[1]}`:                          "its properties or its required list cannot be sent",
	} {
		if r := Adapt(json.RawMessage(schema), Target{API: "anthropic", Dialect: OpenClaw}); r.Fault == nil || r.Fault.Error() != want {
			t.Errorf("%s: %v, want %s", schema, r.Fault, want)
		}
	}
}

func TestCacheKnowsTheSameText(t *testing.T) {
	a := New(targetOf(OpenAI))
	raw := json.RawMessage(`{"type":"object","properties":{"a":{"type":"array"}}}`)
	copied := append(json.RawMessage(nil), raw...)
	before := string(raw)
	first := a.Adapt(raw)
	if a.Adapt(raw) != first {
		t.Error("the same text gives another result")
	}
	if r := a.Adapt(copied); r == first || string(r.Schema) != string(first.Schema) {
		t.Error("a copy of the text is not the same text, and says the same")
	}
	if string(raw) != before {
		t.Errorf("the text became %s", raw)
	}
	if r := a.Adapt(nil); r.Fault != nil || r != a.Adapt(json.RawMessage{}) {
		t.Errorf("absent text: %+v", r)
	}
	if n := testing.AllocsPerRun(100, func() { a.Adapt(raw) }); n != 0 {
		t.Errorf("a hit allocates %v times", n)
	}
}

func TestCacheIsBounded(t *testing.T) {
	a := New(targetOf(OpenAI))
	for range maxKnown + 10 {
		a.Adapt(json.RawMessage(`{"type":"object"}`))
	}
	if len(a.known) > maxKnown {
		t.Errorf("%d results are remembered", len(a.known))
	}
}

func TestCacheIsSafe(t *testing.T) {
	a := New(targetOf(Gemini))
	raws := coreTools(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, raw := range raws {
				if a.Adapt(raw).Fault != nil {
					t.Error("refused")
				}
			}
		})
	}
	wg.Wait()
}

func TestLosses(t *testing.T) {
	original := json.RawMessage(`{"type":"object","properties":{
		"n":{"type":"integer","minimum":1,"maximum":9},
		"s":{"type":["string","null"],"pattern":"^a","title":"no constraint"},
		"u":{"$ref":"#/$defs/U"},
		"k":{"const":"x"},
		"m":{"type":"object","additionalProperties":{"type":"string"}}},
		"required":["n"],"anyOf":[{"required":["s"]},{"required":["u"]}],"additionalProperties":false,
		"$defs":{"U":{"oneOf":[{"type":"string"},{"type":"number"}]}}}`)
	r := accepted(t, original, Gemini)
	got, err := Losses(original, r.Schema)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, l := range got {
		texts = append(texts, l.String())
	}
	want := []string{
		"properties.n.minimum: 1 is gone",
		"properties.n.maximum: 9 is gone",
		`properties.s.type: ["string","null"] became "string"`,
		`properties.s.pattern: "^a" is gone`,
		`properties.u.oneOf: [{"type":"string"},{"type":"number"}] is gone`,
		`properties.m.additionalProperties: {"type":"string"} is gone`,
		`anyOf: [{"required":["s"]},{"required":["u"]}] is gone`,
		"additionalProperties: false is gone",
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got, err := Losses(original, original); err != nil || len(got) != 0 {
		t.Errorf("a schema beside itself: %v, %v", got, err)
	}
	if _, err := Losses(json.RawMessage(`{`), original); err == nil {
		t.Error("half a schema has losses")
	}
}

func TestCallable(t *testing.T) {
	// The root's own property is lost where variants bring some, and stays required.
	lost := json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"anyOf":[{"properties":{"id":true},"required":["id"]},{"properties":{"a":{"type":"string"}}}],"additionalProperties":false}`)
	for _, c := range []struct {
		name, schema string
		target       Target
		want         string
	}{
		{"fine", `{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-f]{3}-[0-9]+$","minLength":6}},"required":["a"]}`, targetOf(Gemini), ""},
		{"a property that the rewriting drops", `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"anyOf":[{"properties":{"id":{"minLength":1}}},{"properties":{"id":{"minLength":2}}}],"additionalProperties":false}`, targetOf(OpenAI), ""},
		{"a type that the rewriting takes away", `{"type":"object","properties":{"v":{"type":"null"}},"required":["v"]}`, targetOf(Gemini), "cannot be called on gemini because v: "},
		{"the dialect's flattening", `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"anyOf":[{"properties":{"a":{"type":"string"}}}],"additionalProperties":false}`,
			Target{API: "openai", Provider: "own", Dialect: OpenClaw}, "cannot be called on own because id: "},
		{"it kept", string(lost), Target{API: "openai", Provider: "own"}, ""},
		{"nobody can satisfy it", `{"type":"object","properties":{"a":false},"required":["a"]}`, targetOf(OpenAI), ""},
		{"a fault", `{"type":"array"}`, targetOf(OpenAI), "type: must be object"},
		{"what does not compile", `{"type":"object","properties":{"a":{"pattern":"("}}}`, targetOf(OpenAI), "compile schema"},
	} {
		err := Callable(json.RawMessage(c.schema), c.target)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", c.name, got, c.want)
		}
	}
	var u *Uncallable
	if err := Callable(json.RawMessage(`{"type":"object","properties":{"v":{"type":"null"}},"required":["v"]}`), targetOf(Gemini)); !errors.As(err, &u) || u.Path != "v" {
		t.Errorf("no path: %v", err)
	}
}

// Each real tool can be called on each provider.
func TestCoreToolsAreCallable(t *testing.T) {
	for _, raw := range coreTools(t) {
		for _, k := range kinds {
			if err := Callable(raw, targetOf(k)); err != nil {
				t.Errorf("%s: %v\n%s", k, err, raw)
			}
		}
	}
}

func TestCost(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"größe":{"type":"string"}}}`)
	for api, wire := range map[string]string{
		"anthropic":            `{"name":"t","description":"says \"hi\"","input_schema":` + string(schema) + `},`,
		"openai":               `{"type":"function","function":{"name":"t","description":"says \"hi\"","parameters":` + string(schema) + `}},`,
		"openai-responses":     `{"type":"function","name":"t","description":"says \"hi\"","parameters":` + string(schema) + `},`,
		"google-generative-ai": `{"name":"t","description":"says \"hi\"","parametersJsonSchema":` + string(schema) + `},`,
	} {
		got := Target{API: api}.Cost("t", `says "hi"`, schema)
		if got.Bytes != len(wire) || got.Tokens != (len(wire)-4+3)/4+2 {
			t.Errorf("%s: %+v, want %d bytes", api, got, len(wire))
		}
	}
	costs := []Cost{{"b", 5, 2}, {"a", 5, 2}, {"c", 9, 3}}
	Largest(costs)
	if costs[0].Name+costs[1].Name+costs[2].Name != "cab" || Sum(costs) != (Cost{"", 19, 7}) {
		t.Errorf("%+v, %+v", costs, Sum(costs))
	}
}

func TestOverCap(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		limit int
		want  string
	}{
		{[]int{0, 1, 2}, 0, "..."}, {[]int{0, 1, 2}, 3, "..."}, {[]int{2, 0, 1, 2, 0}, 3, "x..x."}, {[]int{1, 1, 1}, 2, "..x"}, {nil, 1, ""},
	} {
		got := ""
		for _, cut := range OverCap(c.ranks, c.limit) {
			got += map[bool]string{true: "x", false: "."}[cut]
		}
		if got != c.want {
			t.Errorf("%v to %d: %s, want %s", c.ranks, c.limit, got, c.want)
		}
	}
	if targetOf(OpenAI).MaxTools() != 128 || targetOf(Anthropic).MaxTools() != 0 {
		t.Error("the caps of the providers")
	}
}

func TestCombinations(t *testing.T) {
	many := `{"anyOf":[` + list(20, `{"properties":{"k":{"const":%d}},"required":["k"]}`) + `]}`
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"a":{}}}`:                                                                                "",
		`{"type":"object","anyOf":[{"required":["a"]},{"required":["a"]}]}`:                                                      "",
		`{"type":"object","anyOf":[{"required":["a","b"]},{"properties":{"c":{}}}]}`:                                             "Allowed combinations: a + b; nothing required (optional: c).",
		`{"allOf":[{"oneOf":[{"required":["a"]},{"required":["b"]}]}]}`:                                                          "Allowed combinations: a; b.",
		`{"oneOf":[{"$ref":"#/$defs/A"},{"required":["b"]}],"$defs":{"A":{"properties":{"m":{"enum":["x"]}},"required":["m"]}}}`: `Allowed combinations: m="x"; b.`,
		many:               "k=11; and others.",
		`{"type":"array"}`: "",
	} {
		if got := Combinations(json.RawMessage(schema)); got != want && (want == "" || !strings.HasSuffix(got, want)) {
			t.Errorf("%.100s: %q, want %q", schema, got, want)
		}
	}
}

func TestBlame(t *testing.T) {
	names := []string{"read", "get-lists", "web_search", "b.c"}
	for refusal, want := range map[string]string{
		`tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`:           "get-lists",
		`Invalid schema for function 'web_search': None is not of type 'object'.`:                                "web_search",
		`Invalid 'tools[2].function.parameters'`:                                                                 "web_search",
		`GenerateContentRequest.tools[0].function_declarations[3].parameters.properties[x].items: missing field`: "",
		`* request.tools.function_declarations[3].parameters: missing field`:                                     "b.c",
		`tools.9.custom.input_schema: invalid`:                                                                   "",
		`Invalid schema for function 'other'`:                                                                    "",
		`tools.0 and tools.1 are invalid`:                                                                        "",
		`Invalid schema for function 'read' at tools.2`:                                                          "read",
		`something else`: "",
	} {
		if got, ok := Blame(refusal, names); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q %v, want %q", refusal, got, ok, want)
		}
	}
}
