package adapt

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/schema"
	"github.com/toolrest/toolrest/schema/tree"
)

// formOf adapts and reads the result again.
func formOf(t *testing.T, raw string, target Target) *tree.Node {
	t.Helper()
	r := Adapt(json.RawMessage(raw), target)
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	n, err := tree.Parse(r.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// at follows keys, "a.b.c".
func at(n *tree.Node, path string) *tree.Node {
	for key := range strings.SplitSeq(path, ".") {
		n = n.Get(key)
	}
	return n
}

func want(t *testing.T, n *tree.Node, path, text string) {
	t.Helper()
	if got := at(n, path).String(); got != text {
		t.Errorf("%s is %q, want %q in %s", path, got, text, n)
	}
}

func lacks(t *testing.T, n *tree.Node, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(n.String(), `"`+w+`":`) {
			t.Errorf("%s is still there: %s", w, n)
		}
	}
}

// What users of other programs reported about schemas, each by its id.
func TestReported(t *testing.T) {
	gemini := Target{API: "openai", Provider: "google-gemini"}
	for id, check := range map[string]func(t *testing.T){
		"BR-048": func(t *testing.T) { // the endpoint decides, not the maker of the model
			n := formOf(t, `{"type":"object","properties":{"m":{"type":"object","patternProperties":{"^x":{"type":"string"}}}}}`,
				Target{API: "google-cloud-code", Model: "claude-opus-4-6"})
			lacks(t, n, "patternProperties")
		},
		"BR-049": func(t *testing.T) { // a pattern for every key
			r := Adapt(json.RawMessage(`{"type":"object","properties":{"fields":{"type":"object","description":"by column","patternProperties":{"^(.*)$":{}}}},"required":["fields"]}`), targetOf(Anthropic))
			compiled, err := schema.Compile(r.Schema)
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(json.RawMessage(`{"fields":{"any key":[1]}}`)); err != nil {
				t.Error(err)
			}
			n, _ := tree.Parse(r.Schema, nil)
			lacks(t, n, "patternProperties")
			want(t, n, "properties.fields.description", `"by column"`)
		},
		"BR-051": func(t *testing.T) { // a keyword three levels down
			n := formOf(t, `{"type":"object","properties":{"rows":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"cells":{"type":"object","propertyNames":{"pattern":"^c"}}}},{"type":"string"}]}}}}`, gemini)
			lacks(t, n, "propertyNames")
			want(t, n, "properties.rows.items.type", `"object"`)
		},
		"BR-052": func(t *testing.T) { // allOf is merged
			n := formOf(t, `{"type":"object","properties":{"mode":{"allOf":[{"type":"string","enum":["fast","slow"]}],"description":"speed"},"who":{"allOf":[{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},{"type":"object","properties":{"team":{"type":"string"}},"required":["team"]}]}}}`, gemini)
			want(t, n, "properties.mode", `{"description":"speed","type":"string","enum":["fast","slow"]}`)
			want(t, n, "properties.who", `{"type":"object","properties":{"id":{"type":"string"},"team":{"type":"string"}},"required":["id","team"]}`)
			lacks(t, n, "allOf")
		},
		"BR-053": func(t *testing.T) { // a private marker, and a property of its name
			n := formOf(t, `{"type":"object","properties":{"message":{"type":"string"},"timeout":{"type":"number","~optional":true},"~optional":{"type":"string"}},"required":["message"]}`, gemini)
			want(t, n, "properties.timeout", `{"type":"number"}`)
			want(t, n, "properties.~optional", `{"type":"string"}`)
		},
		"BR-055": func(t *testing.T) { // arrays that may be null
			n := formOf(t, `{"type":"object","properties":{"tables":{"type":["array","null"],"items":{"type":"string"}},"views":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}`, gemini)
			want(t, n, "properties.tables", `{"type":"array","items":{"type":"string"}}`)
			want(t, n, "properties.views", `{"type":"array","items":{"type":"string"}}`)
			lacks(t, n, "required")
		},
		"BR-059": func(t *testing.T) { // a tool without arguments
			n := formOf(t, `{"$schema":"http://json-schema.org/draft-07/schema#","title":"Empty","type":"object"}`, targetOf(OpenAI))
			want(t, n, "properties", `{}`)
			want(t, n, "type", `"object"`)
			lacks(t, n, "$schema")
		},
		"BR-060": func(t *testing.T) { // no schema, or null
			for _, raw := range []string{"", "null"} {
				if got := string(Adapt(json.RawMessage(raw), targetOf(OpenAI)).Schema); got != `{"type":"object","properties":{}}` {
					t.Errorf("%q became %s", raw, got)
				}
			}
		},
		"BR-063": func(t *testing.T) { // definitions
			n := formOf(t, `{"type":"object","properties":{"f":{"$ref":"#/$defs/Kind"}},"additionalProperties":false,"$defs":{"Kind":{"type":"string","enum":["fit","raw"]}}}`, targetOf(OpenAI))
			want(t, n, "properties.f", `{"type":"string","enum":["fit","raw"]}`)
			want(t, n, "additionalProperties", `false`)
		},
		"BR-065": func(t *testing.T) { // a pointer into properties
			n := formOf(t, `{"type":"object","properties":{"to":{"type":"array","items":{"type":"object","properties":{"addr":{"type":"string"}}}},"cc":{"type":"array","items":{"$ref":"#/properties/to/items"}}}}`, gemini)
			want(t, n, "properties.cc.items", at(n, "properties.to.items").String())
			lacks(t, n, "$ref")
		},
		"BR-066": func(t *testing.T) { // a choice at the root
			for _, k := range []Kind{Anthropic, OpenAI, Gemini} {
				n := formOf(t, `{"type":"object","properties":{"project":{"type":"string"},"paths":{"type":"array","items":{"type":"string"}},"scopes":{"type":"array","items":{"type":"string"}}},"required":["project"],"anyOf":[{"required":["paths"]},{"required":["scopes"]}]}`, targetOf(k))
				lacks(t, n, "anyOf", "oneOf", "allOf")
				want(t, n, "required", `["project"]`)
				if n.Get("properties").Len() != 3 {
					t.Errorf("%s: %s", k, n)
				}
			}
		},
		"BR-067": func(t *testing.T) { // variants at the root
			n := formOf(t, `{"oneOf":[{"type":"object","properties":{"action":{"const":"set"},"date":{"type":"string"}},"required":["action","date"]},{"type":"object","properties":{"action":{"const":"clear"}},"required":["action"]}]}`, targetOf(Anthropic))
			want(t, n, "properties.action.enum", `["set","clear"]`)
			want(t, n, "properties.date.type", `"string"`)
			want(t, n, "required", `["action"]`)
		},
		"BR-069": func(t *testing.T) { // a server whose name is a number
			var taken names.Taken
			wireNames(t, taken.Tool(taken.Server("12306"), "get-current-time"), taken.Tool(taken.Server("12306"), "query-tickets"))
		},
		"BR-073": func(t *testing.T) { // names in Chinese
			name := func() []string {
				var taken names.Taken
				return []string{taken.Tool(taken.Server("天气服务"), "查一下"), taken.Tool(taken.Server("备忘"), "查一下")}
			}
			first, again := name(), name()
			wireNames(t, first...)
			if strings.Join(first, " ") != strings.Join(again, " ") {
				t.Error("the names change")
			}
		},
		"BR-074": func(t *testing.T) { // names that differ behind the 64th character
			var taken names.Taken
			server := taken.Server("a-very-long-enterprise-server-name")
			wireNames(t, taken.Tool(server, "retrieve_quarterly_financial_statement_for_region_north"),
				taken.Tool(server, "retrieve_quarterly_financial_statement_for_region_south"))
		},
	} {
		t.Run(id, check)
	}
}

// wireNames wants names that every provider takes, all different.
func wireNames(t *testing.T, all ...string) {
	t.Helper()
	taken := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	seen := map[string]bool{}
	for _, name := range all {
		if !taken.MatchString(name) || seen[name] {
			t.Errorf("the name %q of %q", name, all)
		}
		seen[name] = true
	}
}
