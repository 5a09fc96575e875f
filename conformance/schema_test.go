package conformance

import (
	"encoding/json"
	"testing"

	"github.com/toolrest/toolrest/schema/openclaw"
	"github.com/toolrest/toolrest/schema/tree"
)

var schemaAnswers = map[string]answer{
	"execution/schema:schema.normalize":              schemaNormalize,
	"execution/schema:schema.gemini":                 schemaOf(openclaw.CleanGemini),
	"execution/schema:schema.inlineRefs":             schemaOf(openclaw.InlineRefs),
	"execution/schema:schema.deepseekPlugin":         schemaOf(func(n *tree.Node) (*tree.Node, error) { return openclaw.DeepSeek(n), nil }),
	"execution/schema:schema.strip":                  schemaStrip,
	"execution/schema:schema.findKeywords":           schemaFind,
	"execution/schema:schema.mergeProperty":          schemaMerge,
	"execution/schema:schema.openaiPlugin":           schemaPlugin,
	"execution/schema:schema.openaiTransport":        schemaTransport,
	"execution/schema:schema.openaiStrictViolations": schemaStrict,
	"execution/schema:schema.anthropicTransport":     schemaAnthropic,
	"execution/schema:schema.quarantine":             schemaQuarantine,
}

// schemaInput is what the kinds are asked with.
type schemaInput struct {
	Schema             json.RawMessage
	Existing, Incoming json.RawMessage
	Keywords           []string
	Options            struct {
		ModelProvider, ModelID string
		ModelCompat            schemaCompat
	}
	Strict                      *bool
	ModelCompat                 schemaCompat
	Provider, ModelAPI, BaseURL string
	Mode                        string
	Name, Description           string
}

// schemaCompat is a model's configuration, whose keywords may be no texts.
type schemaCompat struct {
	ToolSchemaProfile             string
	UnsupportedToolSchemaKeywords []any
	OmitEmptyArrayItems           bool
}

func (c schemaCompat) compat() openclaw.Compat {
	out := openclaw.Compat{Profile: c.ToolSchemaProfile, OmitEmptyItems: c.OmitEmptyArrayItems}
	for _, k := range c.UnsupportedToolSchemaKeywords {
		if text, ok := k.(string); ok {
			out.Unsupported = append(out.Unsupported, text)
		}
	}
	return out
}

// treeOf reads a schema; nil where there is none.
func treeOf(t *testing.T, raw json.RawMessage) *tree.Node {
	t.Helper()
	if raw == nil {
		return nil
	}
	n, err := tree.Parse(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func valueOf(n *tree.Node) any {
	if n == nil {
		return map[string]any{"value": map[string]any{"$undefined": true}}
	}
	return map[string]any{"value": tree.Encode(n)}
}

// schemaOf applies f to the schema, and holds it to leaving its input alone.
func schemaOf(f func(*tree.Node) (*tree.Node, error)) answer {
	return func(t *testing.T, input json.RawMessage, expected any) (any, any) {
		n := treeOf(t, decode[schemaInput](t, input).Schema)
		before := n.String()
		out, err := f(n)
		if err != nil {
			t.Fatal(err)
		}
		if n.String() != before {
			t.Errorf("the input was changed to %s", n)
		}
		return valueOf(out), expected
	}
}

func schemaNormalize(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	return schemaOf(func(n *tree.Node) (*tree.Node, error) {
		o := in.Options
		return openclaw.Normalize(n, openclaw.Options{Provider: o.ModelProvider, Model: o.ModelID, Compat: o.ModelCompat.compat()})
	})(t, input, expected)
}

func schemaStrip(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	return schemaOf(func(n *tree.Node) (*tree.Node, error) { return openclaw.Strip(n, in.Keywords), nil })(t, input, expected)
}

func schemaFind(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	return map[string]any{"value": openclaw.FindKeywords(treeOf(t, in.Schema), "t.parameters", in.Keywords)}, expected
}

func schemaMerge(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	return valueOf(openclaw.MergeProperty(treeOf(t, in.Existing), treeOf(t, in.Incoming))), expected
}

func schemaPlugin(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	route := openclaw.Route{Provider: in.Provider, API: in.ModelAPI, BaseURL: in.BaseURL}
	return valueOf(openclaw.Plugin(treeOf(t, in.Schema), route)), expected
}

func schemaTransport(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	n := treeOf(t, in.Schema)
	found, err := openclaw.StrictViolations(n, "")
	if err != nil {
		t.Fatal(err)
	}
	strict := in.Strict != nil && *in.Strict && len(found) == 0
	out, err := openclaw.OpenAI(n, strict, in.ModelCompat.compat())
	if err != nil {
		t.Fatal(err)
	}
	answer := map[string]any{"parameters": tree.Encode(out)}
	if in.Strict != nil {
		answer["strictFlag"] = strict
	}
	return map[string]any{"value": answer}, expected
}

func schemaStrict(t *testing.T, input json.RawMessage, expected any) (any, any) {
	found, err := openclaw.StrictViolations(treeOf(t, decode[schemaInput](t, input).Schema), "t.parameters")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"value": found}, expected
}

func schemaAnthropic(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	name, description := "t", "d"
	if in.Name != "" {
		name = in.Name
	}
	if in.Description != "" {
		description = in.Description
	}
	out, ok := openclaw.Anthropic(treeOf(t, in.Schema))
	if !ok {
		return map[string]any{"value": map[string]any{"tools": []any{}, "unavailable": []any{name}}}, expected
	}
	tool := map[string]any{"originalName": name, "wireName": name, "description": description, "inputSchema": tree.Encode(out)}
	return map[string]any{"value": map[string]any{"tools": []any{tool}, "unavailable": []any{}}}, expected
}

func schemaQuarantine(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[schemaInput](t, input)
	lists, kept := []any{}, 1
	if found := openclaw.Violations(treeOf(t, in.Schema), "t.parameters", in.Mode != "runtime"); len(found) > 0 {
		var texts []any
		for _, v := range found {
			texts = append(texts, v.String())
		}
		lists, kept = append(lists, texts), 0
	}
	return map[string]any{"value": map[string]any{"kept": kept, "violations": lists}}, expected
}
