package conformance

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

var namesAnswers = map[string]answer{
	"policy/names:names.normalize":          namesEach("names", "names", names.Normalise),
	"policy/names:names.providerKey":        namesEach("keys", "keys", names.ProviderKey),
	"policy/names:names.mcpServers":         namesServers,
	"policy/names:names.mcpTools":           namesTools,
	"policy/names:names.prefix":             namesPrefix,
	"policy/names:names.expandGroups":       expandGroups,
	"policy/names:names.expandPluginGroups": expandPluginGroups,
	"policy/names:glob.match":               globMatch,
	"policy/names:catalog.tool":             catalogTool,
	"policy/names:catalog.profile":          catalogProfile,
	"policy/names:catalog.sections":         catalogSections,
}

// namesEach applies f to each text of a list.
func namesEach(from, to string, f func(string) string) answer {
	return func(t *testing.T, input json.RawMessage, expected any) (any, any) {
		out := []string{}
		for _, text := range decode[map[string][]string](t, input)[from] {
			out = append(out, f(text))
		}
		return map[string]any{to: out}, expected
	}
}

func namesServers(t *testing.T, input json.RawMessage, expected any) (any, any) {
	var taken names.Taken
	return namesEach("servers", "names", taken.Server)(t, input, expected)
}

func namesTools(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Server   string   `json:"server"`
		Tools    []string `json:"tools"`
		Reserved []string `json:"reserved"`
	}](t, input)
	var taken names.Taken
	for _, name := range in.Reserved {
		taken.Reserve(name)
	}
	out := []string{}
	for _, tool := range in.Tools {
		out = append(out, taken.Tool(in.Server, tool))
	}
	return map[string]any{"names": out}, expected
}

func namesPrefix(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Prefixes, Allowed []string }](t, input)
	out := []bool{}
	for _, prefix := range in.Prefixes {
		out = append(out, names.CouldBecome(prefix, in.Allowed))
	}
	return map[string]any{"possible": out}, expected
}

// expandGroups asks what each entry stands for among the catalogue's tools.
func expandGroups(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ List []string }](t, input)
	usable := slices.DeleteFunc(in.List, func(entry string) bool { return names.Normalise(entry) == "" })
	var tools []policy.Tool
	for _, row := range catalog.OpenClaw.All() {
		tools = append(tools, policy.Tool{Name: row.ID})
	}
	return map[string]any{"list": expand(usable, tools, func(entry string) bool { return strings.Contains(entry, "*") })}, expected
}

// expandPluginGroups asks what each entry stands for among the tools of
// plugins. Core groups are not expanded in these cases.
func expandPluginGroups(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		List  []string
		Tools []struct {
			Name     string
			PluginID *string
		}
	}](t, input)
	if in.List == nil {
		return map[string]any{"list": nil}, expected
	}
	var tools []policy.Tool
	for _, tool := range in.Tools {
		if tool.PluginID != nil {
			tools = append(tools, policy.Tool{Name: tool.Name, Plugin: *tool.PluginID, FromPlugin: true})
		}
	}
	stays := func(entry string) bool {
		_, group := catalog.OpenClaw.Group(entry)
		return group || strings.Contains(entry, "*")
	}
	return map[string]any{"list": expand(in.List, tools, stays)}, expected
}

// expand replaces each entry by the tools that a pipeline removes when it
// denies the entry alone. What stays, and what stands for no tool, is left.
func expand(list []string, tools []policy.Tool, stays func(entry string) bool) []string {
	out := []string{}
	for _, text := range list {
		entry := names.Normalise(text)
		var members []string
		if !stays(entry) {
			denied := denying(text)
			for _, tool := range tools {
				if !denied.Decide(tool).Kept {
					members = append(members, names.Normalise(tool.Name))
				}
			}
		}
		if len(members) == 0 {
			members = []string{entry}
		}
		for _, m := range members {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func denying(patterns ...string) *policy.Pipeline {
	layer := policy.Layer{Label: "deny"}
	for _, pattern := range patterns {
		layer.Deny = append(layer.Deny, policy.Entry{Text: pattern})
	}
	return policy.Compile(policy.OpenClaw, []policy.Layer{layer})
}

// globMatch asks a pipeline that denies the patterns.
func globMatch(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Patterns, Names []string }](t, input)
	usable := 0
	for _, pattern := range in.Patterns {
		if names.Normalise(pattern) != "" {
			usable++
		}
	}
	denied := denying(in.Patterns...)
	matches := []bool{}
	for _, name := range in.Names {
		matches = append(matches, !denied.Decide(policy.Tool{Name: name}).Kept)
	}
	return map[string]any{"usable": usable, "matches": matches}, expected
}

func catalogTool(t *testing.T, input json.RawMessage, expected any) (any, any) {
	row, ok := catalog.OpenClaw.Lookup(decode[struct{ ID string }](t, input).ID)
	if !ok {
		return map[string]any{"known": false}, expected
	}
	return map[string]any{
		"known": true, "section": row.Section, "profiles": append([]string{}, row.Profiles...), "inOpenClawGroup": row.Open,
	}, expected
}

func catalogProfile(t *testing.T, input json.RawMessage, expected any) (any, any) {
	allow, ok := catalog.OpenClaw.ProfileAllow(decode[struct{ Profile string }](t, input).Profile)
	if !ok {
		return map[string]any{"policy": nil}, expected
	}
	return map[string]any{"policy": map[string]any{"allow": allow}}, expected
}

func catalogSections(_ *testing.T, _ json.RawMessage, expected any) (any, any) {
	sections := []any{}
	for _, s := range catalog.Sections {
		if tools, ok := catalog.OpenClaw.Group("group:" + s.ID); ok {
			sections = append(sections, map[string]any{"id": s.ID, "label": s.Label, "tools": tools})
		}
	}
	return map[string]any{"sections": sections}, expected
}
