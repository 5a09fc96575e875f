package conformance

import (
	"encoding/json"
	"testing"

	"github.com/toolrest/toolrest/policy"
)

var pipelineAnswers = map[string]answer{
	"policy/policy:policy.match":    answerMatch,
	"policy/policy:policy.pipeline": answerPipeline,
}

// rawPolicy is a policy as the cases write it.
type rawPolicy struct {
	Allow []string `json:"allow"`
	Deny  []string `json:"deny"`
}

func (r *rawPolicy) layer(label string) policy.Layer {
	return policy.Layer{Label: label, Place: policy.PlaceTools, Allow: writtenEntries(r.Allow), Deny: writtenEntries(r.Deny)}
}

func writtenEntries(texts []string) []policy.Entry {
	var out []policy.Entry
	for _, text := range texts {
		out = append(out, policy.Entry{Text: text})
	}
	return out
}

func answerMatch(t *testing.T, input json.RawMessage, expected any) (got, want any) {
	in := decode[struct {
		Policy *rawPolicy `json:"policy"`
		Names  []string   `json:"names"`
	}](t, input)
	var layers []policy.Layer
	if in.Policy != nil {
		layers = append(layers, in.Policy.layer("tools.allow"))
	}
	p := policy.Compile(policy.OpenClaw, layers)
	allowed := make([]bool, len(in.Names))
	for i, name := range in.Names {
		allowed[i] = p.Decide(policy.Tool{Name: name}).Kept
	}
	return map[string]any{"allowed": allowed}, expected
}

// rawTool is a tool as the cases write it.
type rawTool struct {
	Name     string  `json:"name"`
	PluginID *string `json:"pluginId"`
}

// writtenTools gives the tools and the ids of their plugins.
func writtenTools(raw []rawTool) (tools []policy.Tool, plugins []string) {
	for _, r := range raw {
		tool := policy.Tool{Name: r.Name}
		if r.PluginID != nil {
			tool.Plugin, tool.FromPlugin = *r.PluginID, true
			plugins = append(plugins, *r.PluginID)
		}
		tools = append(tools, tool)
	}
	return tools, plugins
}

func answerPipeline(t *testing.T, input json.RawMessage, expected any) (got, want any) {
	in := decode[struct {
		Tools []rawTool `json:"tools"`
		Steps []struct {
			Policy *rawPolicy `json:"policy"`
			Label  string     `json:"label"`
		} `json:"steps"`
	}](t, input)
	var layers []policy.Layer
	for _, step := range in.Steps {
		if step.Policy != nil {
			layers = append(layers, step.Policy.layer(step.Label))
		}
	}
	tools, plugins := writtenTools(in.Tools)
	p := policy.CompileWith(policy.OpenClaw, layers, &policy.Options{Plugins: plugins})
	kept := []string{}
	for _, tool := range tools {
		if p.Decide(tool).Kept {
			kept = append(kept, tool.Name)
		}
	}
	wanted, _ := expected.(map[string]any)
	delete(wanted, "warnings") // lint says more
	return map[string]any{"tools": kept, "removed": policy.Removals(p, tools)}, wanted
}
