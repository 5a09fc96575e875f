package check

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestEachRuleBites has a sample for every rule, beside a neighbour that keeps
// it. The good one of a family is taken by all of it.
func TestEachRuleBites(t *testing.T) {
	for _, c := range []struct{ rules, schema, want string }{
		{"openai", `{"type":"object","properties":{"a":{"type":["array","null"],"items":{}},"b":{"anyOf":[{"$ref":"#/$defs/X"}]}},"$defs":{"X":{"type":"string"}}}`, ""},
		{"openai", `{"type":"string"}`, "type: must be"},
		{"openai", `true`, "no object"},
		{"openai", `{"type":"object"}`, "properties: an object without"},
		{"openai", `{"type":"object","properties":{},"anyOf":[{}]}`, "anyOf: is not taken at the root"},
		{"openai", `{"type":"object","properties":{},"oneOf":[{}]}`, "oneOf: is not taken at the root"},
		{"openai", `{"type":"object","properties":{},"allOf":[{}]}`, "allOf: is not taken at the root"},
		{"openai", `{"type":"object","properties":{},"enum":[{}]}`, "enum: is not taken at the root"},
		{"openai", `{"type":"object","properties":{},"not":{}}`, "not: is not taken at the root"},
		{"openai", `{"type":"object","properties":{"a":{"type":"array"}}}`, "properties.a.items: an array without items"},
		{"openai", `{"type":"object","properties":{"a":{"$ref":"#/$defs/Y"}}}`, "properties.a.$ref: names no definition"},
		{"openai", `{"type":"object","properties":{"a":{"type":"any"}}}`, "properties.a.type: is no type"},
		{"openai", `{"type":"object","properties":{"a":{"type":[]}}}`, "properties.a.type: must be a type"},
		{"openai", `{"type":"object","properties":{"a":{"type":["null","null"]}}}`, "properties.a.type: must be a type"},
		{"openai", `{"type":"object","properties":{"a":{"anyOf":[]}}}`, "properties.a.anyOf: must be a list"},
		{"openai", `{"type":"object","properties":{"a":{"enum":"x"}}}`, "properties.a.enum: must be a list"},
		{"openai", `{"type":"object","properties":{"a":{"minLength":-1}}}`, "properties.a.minLength: must be a whole number"},
		{"openai", `{"type":"object","properties":{"a":{"minimum":"1"}}}`, "properties.a.minimum: must be a number"},
		{"openai", `{"type":"object","properties":{"a":{"exclusiveMinimum":true}}}`, "properties.a.exclusiveMinimum: must be a number"},
		{"openai", `{"type":"object","properties":{"a":{"multipleOf":0}}}`, "properties.a.multipleOf: must be a number above 0"},
		{"openai", `{"type":"object","properties":{"a":{"uniqueItems":1}}}`, "properties.a.uniqueItems: must be true or false"},
		{"openai", `{"type":"object","properties":{"a":{"items":[{}]}}}`, "properties.a.items: must be a schema"},
		{"openai", `{"type":"object","properties":{"a":7}}`, "properties.a: a schema is an object or a boolean"},
		{"openai", `{"type":"object","properties":{"a":{"description":1}}}`, "properties.a.description: must be a string"},
		{"openai", `{"type":"object","properties":{"a":{"patternProperties":[]}}}`, "patternProperties: must be an object"},
		{"openai", `{"type":"object","properties":{},"required":["a","a"]}`, "required: must be a list of different names"},
		{"openai", `{"type":"object","properties":{},"required":true}`, "required: must be a list of different names"},

		{"anthropic", `{"type":"object","properties":{"a":{"type":"array","prefixItems":[{}]}},"additionalProperties":false}`, ""},
		{"anthropic", `{"type":"object"}`, ""},
		{"anthropic", `{"type":["object"]}`, `type: must be "object"`},
		{"anthropic", `{"type":"object","anyOf":[{}]}`, "anyOf: is not supported at the root"},
		{"anthropic", `{"type":"object","oneOf":[{}]}`, "oneOf: is not supported at the root"},
		{"anthropic", `{"type":"object","allOf":[{}]}`, "allOf: is not supported at the root"},
		{"anthropic", `{"type":"object","properties":{"$filter":{}}}`, "properties.$filter: the name does not match"},
		{"anthropic", `{"type":"object","properties":{"` + strings.Repeat("a", 65) + `":{}}}`, "the name does not match"},
		{"anthropic", `{"type":"object","properties":{"a":{"nullable":true}}}`, "properties.a.nullable: is no keyword"},
		{"anthropic", `{"type":"object","properties":{"a":{"additionalItems":false}}}`, "properties.a.additionalItems: is no keyword"},
		{"anthropic", `{"type":"object","definitions":{}}`, "definitions: is no keyword"},
		{"anthropic", `{"type":"object","properties":{"a":{"patternProperties":{"^(.*)$":{}}}}}`, "a pattern that matches every key"},

		{"gemini", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"],"format":"enum"}},"b":{"anyOf":[{"type":"string"},{"type":"number","format":"double"}]}},"required":["a"]}`, ""},
		{"gemini", `{"type":"array","items":{"type":"string"}}`, `type: must be "object"`},
		{"gemini", `{"type":"object","properties":{"a":{}}}`, "properties.a.type: must be a single type"},
		{"gemini", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, "properties.a.type: must be a single type"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"null"}}}`, "properties.a.type: is no type"},
		{"gemini", `{"type":"object","properties":{"a":true}}`, "properties.a: a schema is an object"},
		{"gemini", `{"type":"object","properties":[]}`, "properties: is no object"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"array"}}}`, "properties.a.items: missing field"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"array","items":true}}}`, "properties.a.items: missing field"},
		{"gemini", `{"type":"object","additionalProperties":false}`, "additionalProperties: is not among"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"string","const":"x"}}}`, "properties.a.const: is not among"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"object","propertyNames":{}}}}`, "propertyNames: is not among"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"string","~optional":true}}}`, "~optional: is not among"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}`, "properties.a.format: is not supported"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"integer","enum":[1]}}}`, "properties.a.enum: only allowed"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"string","enum":[]}}}`, "properties.a.enum: must be a list"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"string","enum":["x",""]}}}`, "properties.a.enum: must list texts"},
		{"gemini", `{"type":"object","properties":{},"required":["a"]}`, "required: a: property is not defined"},
		{"gemini", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}`, "required: must be a list"},
		{"gemini", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}],"type":"string"}}}`, "properties.a.anyOf: must be the only field"},
		{"gemini", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, "properties.a.$ref"},

		{"deepseek", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"number"}}]}},"required":["a"],"additionalProperties":false}`, ""},
		{"deepseek", `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"}]}}}`, "properties.a.oneOf: is not among"},
		{"deepseek", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, "properties.a.type: must be a single type"},
		{"deepseek", `{"type":"object","properties":{"a":{"type":"null"}}}`, "properties.a.type: null"},
		{"deepseek", `{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`, "properties.a.minLength: is not among"},
		{"deepseek", `{"type":"object","properties":{},"anyOf":[{"type":"object"}]}`, "anyOf: is not taken at the root"},
		{"deepseek", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, "properties.a.$ref"},
		{"deepseek", `{"type":"object","properties":{"a":{"type":"array"}}}`, "properties.a.items"},

		{"mistral", `{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`, ""},
		{"mistral", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, "references are not resolved"},
		{"xai", `{"type":"object","properties":{"a":{"type":"string","pattern":"x"}}}`, ""},
		{"xai", `{"type":"object","properties":{"a":{"type":"array","items":{},"maxItems":3}}}`, "properties.a.maxItems: is not supported"},
		{"xai", `{"type":"object","properties":{"a":{"allOf":[{}]}}}`, "properties.a.allOf: is not supported"},
		{"volcengine", `{"type":"object","properties":{"a":{"allOf":[{}]}}}`, ""},
		{"volcengine", `{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`, "properties.a.minLength: is not supported"},
		{"xiaomi", `{"type":"object","properties":{"a":{"type":"array"}}}`, ""},
		{"xiaomi", `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`, "properties.a.items: is empty"},
		{"xiaomi", `{"type":"object","properties":{},"not":{}}`, "not: is not taken at the root"},
	} {
		holds(t, c.rules, For(c.rules), c.schema, c.want)
	}
}

func holds(t *testing.T, name string, rules Rules, schema, want string) {
	t.Helper()
	got := fmt.Sprint(rules.Raw(json.RawMessage(schema)))
	if want == "" && got != "[]" || !strings.Contains(got, want) {
		t.Errorf("%s: %.300s\ngot  %s\nwant %q", name, schema, got, want)
	}
}

func TestStrictRulesBite(t *testing.T) {
	object := func(properties string, required ...string) string {
		list, _ := json.Marshal(append([]string{}, required...))
		return `{"type":"object","properties":{` + properties + `},"required":` + string(list) + `,"additionalProperties":false}`
	}
	var names, enum []string
	for i := range 5001 {
		names = append(names, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
		enum = append(enum, fmt.Sprintf(`"value number %d of very many"`, i))
	}
	nested := `{"type":"string"}`
	for range 11 {
		nested = object(`"a":`+nested, "a")
	}
	for _, c := range []struct{ schema, want string }{
		{object(`"a":{"type":["string","null"],"format":"date-time"},"b":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "a", "b"), ""},
		{object(`"a":{"type":"string"}`), "required: lacks a"},
		{object(`"a":{"type":"string"}`, "a", "b"), "required: b is no property"},
		{`{"type":"object","properties":{},"required":[]}`, "additionalProperties: must be false"},
		{object(`"a":{"type":"object"}`, "a"), "properties.a.properties: is missing"},
		{object(`"a":{"oneOf":[{"type":"string"}]}`, "a"), "properties.a.oneOf: is not among"},
		{object(`"a":{"type":"string","minLength":1}`, "a"), "properties.a.minLength: is not among"},
		{object(`"a":{"type":"string","format":"uri"}`, "a"), "properties.a.format: is not among"},
		{object(`"a":true`, "a"), "a boolean is no strict schema"},
		{object(`"a":{}`, "a"), "properties.a.type: is missing"},
		{`{"type":"object","properties":{},"required":[],"additionalProperties":false,"anyOf":[{"type":"object"}]}`, "anyOf: is not taken at the root"},
		{object(strings.Join(names, ","), "p0"), "more than 5000"},
		{object(`"a":{"enum":[`+strings.Join(enum[:1001], ",")+`]}`, "a"), "more than 1000 values"},
		{object(`"a":{"enum":[`+strings.Join(enum[:700], ",")+`]}`, "a"), "more than 15000 characters"},
		{object(`"`+strings.Repeat("a", 120_001)+`":{"type":"string"}`, strings.Repeat("a", 120_001)), "more than 120000 characters"},
		{nested, "deeper than 10 levels"},
	} {
		holds(t, "strict", OpenAIStrict, c.schema, c.want)
	}
}

func TestTextThatIsNoSchema(t *testing.T) {
	if got := For("nobody").Raw(json.RawMessage(`{"a"`)); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	if Known("nobody") || !Known("xai") {
		t.Error("Known does not know")
	}
}
