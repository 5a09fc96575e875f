package conformance

import (
	"encoding/json"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

var filtersAnswers = map[string]answer{
	"policy/policy:policy.explicitLists":   sayExplicitLists,
	"policy/policy:policy.messageProvider": sayMessageProvider,
	"policy/policy:policy.lean":            sayLean,
	"policy/policy:policy.nativeWebSearch": sayNativeWebSearch,
	"policy/policy:policy.applyPatchModel": sayApplyPatchModel,
	"policy/policy:policy.guard":           sayGuard,
	"policy/policy:policy.optional":        sayOptional,
	"policy/policy:runtime.toolsAllow":     sayToolsAllow,
	"policy/policy:runtime.plan":           sayRuntimePlan,
	"policy/config:plugin.resolve":         sayPluginResolve,
	"policy/config:policy.coding":          sayCoding,
	"policy/config:policy.gateway":         sayGateway,
	"policy/config:policy.skillDispatch":   saySkillDispatch,
}

// object is what answers are made of.
type object = map[string]any

// defaultPlugins is OpenClaw's word in an allow list for the tools that plugins
// bring without being named. For us it is a flag.
const defaultPlugins = "__openclaw_default_plugin_tools__"

// listOf is a list as a config would hold it: nil was not written.
func listOf(texts []string) policy.List {
	l := policy.List{Set: texts != nil}
	for _, text := range texts {
		l.Entries = append(l.Entries, policy.Entry{Text: text})
	}
	return l
}

// kept gives those of the tools that the layers let through.
func kept(layers []policy.Layer, tools []policy.Tool) []string {
	p := policy.Compile(policy.OpenClaw, layers)
	out := []string{}
	for _, tool := range tools {
		if p.Decide(tool).Kept {
			out = append(out, tool.Name)
		}
	}
	return out
}

func toolsNamed(names []string) []policy.Tool {
	out := make([]policy.Tool, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

// places gives the layers that stand at the places.
func places(layers []policy.Layer, at ...policy.Place) []policy.Layer {
	var out []policy.Layer
	for _, l := range layers {
		for _, p := range at {
			if l.Place == p {
				out = append(out, l)
			}
		}
	}
	return out
}

func sayExplicitLists(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Configs []json.RawMessage }](t, input)
	var sections []policy.Section
	restrictive := []bool{}
	for _, text := range in.Configs {
		s := readPolicy(t, json.RawMessage(`{"tools":`+string(text)+`}`)).Tools.Section
		sections = append(sections, s)
		restrictive = append(restrictive, s.Restrictive())
	}
	e := policy.ExplicitSections(sections...)
	got := object{"allow": texts(e.Allow), "deny": texts(e.Deny), "restrictive": restrictive, "defaults": e.Defaults}
	want := expected.(object)
	list, defaults := withoutMarker(want["allow"].([]any))
	return got, object{"allow": list, "deny": want["deny"], "restrictive": want["restrictive"], "defaults": defaults}
}

// withoutMarker takes OpenClaw's marker out of a list and tells whether it was
// there.
func withoutMarker[T any](list []T) (rest []T, marked bool) {
	rest = []T{}
	for _, item := range list {
		if any(item) == defaultPlugins {
			marked = true
		} else {
			rest = append(rest, item)
		}
	}
	return rest, marked
}

func sayMessageProvider(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Tools    []string
		Provider string
	}](t, input)
	ctx := policy.Context{Caller: toolrest.Caller{Channel: in.Provider}}
	res := policy.Resolve(readPolicy(t, nil), ctx)
	return object{"tools": kept(places(res.Layers, policy.PlaceMessageProvider), toolsNamed(in.Tools))}, expected
}

func sayLean(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config                  json.RawMessage
		AgentID, SessionKey     string
		Tools, ToolsAllow       []string
		ForceMessageTool        bool
		SourceReplyDeliveryMode string
	}](t, input)
	ctx := policy.Context{
		Caller: toolrest.Caller{Agent: in.AgentID, Session: in.SessionKey},
		Run:    policy.Run{Allow: listOf(in.ToolsAllow), Message: in.ForceMessageTool, Replies: in.SourceReplyDeliveryMode},
	}
	res := policy.Resolve(readPolicy(t, in.Config), ctx)
	return object{"tools": kept(places(res.Layers, policy.PlaceModel), toolsNamed(in.Tools))}, expected
}

func sayNativeWebSearch(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		circumstances
		Config                   json.RawMessage
		SuppressManagedWebSearch *bool
		Tools                    []string
	}](t, input)
	ctx := in.context()
	ctx.Run.KeepWebSearch = in.SuppressManagedWebSearch != nil && !*in.SuppressManagedWebSearch
	res := policy.Resolve(readPolicy(t, in.Config), ctx)
	return object{"tools": kept(places(res.Layers, policy.PlaceModel), toolsNamed(in.Tools))}, expected
}

func sayApplyPatchModel(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Provider, Model string
		AllowModels     []string
	}](t, input)
	return object{"allowed": policy.ApplyPatchModel(listOf(in.AllowModels), in.Provider, in.Model)}, expected
}

func sayGuard(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Sources []struct {
			Label                    string
			Allow                    []any
			EnforceWhenToolsDisabled bool
		}
		Callable                   []string
		ToolsEnabled, DisableTools bool
	}](t, input)
	var sources []policy.ListSource
	shown := []object{}
	for _, s := range in.Sources {
		source, ok := policy.NewListSource(s.Label, listOf(asTexts(s.Allow)), s.EnforceWhenToolsDisabled)
		if !ok {
			continue
		}
		sources = append(sources, source)
		o := object{"label": source.Label, "entries": texts(source.Entries)}
		if source.Forced {
			o["enforceWhenToolsDisabled"] = true
		}
		shown = append(shown, o)
	}
	got := object{"sources": shown}
	facts := policy.GuardFacts{ToolsOff: in.DisableTools, ModelNoTools: !in.ToolsEnabled}
	if err := policy.Guard(sources, in.Callable, facts); err != nil {
		got["error"] = object{"requested": err.Requested(), "reason": err.Reason}
	}
	return got, expected
}

// asTexts writes entries that are no strings as JSON does.
func asTexts(list []any) []string {
	var out []string
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			raw, _ := json.Marshal(item)
			text = string(raw)
		}
		out = append(out, text)
	}
	return out
}

// loading prepares the lists of a case as its words say.
func loading(allow, deny []string) *policy.Loading {
	list, defaults := withoutMarker(allow)
	return policy.NewLoading(policy.Explicit{Allow: listOf(list).Entries, Deny: listOf(deny).Entries, Defaults: defaults})
}

func sayOptional(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		ToolName, PluginID             string
		Optional                       bool
		ToolNames, Allowlist, Denylist []string
	}](t, input)
	l := loading(in.Allowlist, in.Denylist)
	return object{
		"optionalToolAllowed": l.Optional(in.ToolName, in.PluginID),
		"entryMayLoad":        l.Entry(in.ToolNames, in.PluginID, in.Optional),
		"deniedPlugin":        l.DeniesPlugin(in.PluginID),
		"deniedTool":          l.DeniesTool(in.ToolName, in.PluginID),
	}, expected
}

// caseTool is a tool as cases write it.
type caseTool struct {
	Name     string
	PluginID *string
}

func policyTools(list []caseTool) []policy.Tool {
	out := make([]policy.Tool, len(list))
	for i, tool := range list {
		out[i].Name = tool.Name
		if tool.PluginID != nil {
			out[i].Plugin, out[i].FromPlugin = *tool.PluginID, true
		}
	}
	return out
}

func sayToolsAllow(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Tools            []caseTool
		ToolsAllow       []string
		ForceMessageTool bool
	}](t, input)
	run := policy.Run{Allow: listOf(in.ToolsAllow), Message: in.ForceMessageTool}
	got := object{"merged": nil}
	if merged := run.RunAllow(); merged.Set {
		got["merged"] = texts(merged.Entries)
	}
	res := policy.Resolve(readPolicy(t, nil), policy.Context{Run: run})
	var own []policy.Layer
	for _, l := range res.Layers {
		if l.Label == policy.LabelRun {
			own = append(own, l)
		}
	}
	got["tools"] = kept(own, policyTools(in.Tools))
	return got, expected
}

func sayRuntimePlan(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		ToolsAllow   []string
		DisableTools bool
		ToolsEnabled *bool
	}](t, input)
	off := in.DisableTools || in.ToolsEnabled != nil && !*in.ToolsEnabled
	needs := policy.NeedsOf(policy.OpenClaw, listOf(in.ToolsAllow), off)
	return object{"mcpRuntime": needs.MCP}, object{"mcpRuntime": expected.(object)["mcpRuntime"]}
}

func sayPluginResolve(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Plugins                       []casePlugin
		Existing, Allowlist, Denylist []string
	}](t, input)
	var plugins []policy.Plugin
	for _, p := range in.Plugins {
		plugins = append(plugins, p.plugin())
	}
	tools, _ := policy.PluginTools(plugins, in.Existing, loading(in.Allowlist, in.Denylist))
	out := []object{}
	for _, tool := range tools {
		out = append(out, object{"name": tool.Name, "pluginId": tool.Plugin, "optional": tool.Optional})
	}
	return object{"tools": out}, expected
}

// casePlugin is a plugin as cases write it: what its manifest and its code say.
type casePlugin struct {
	ID           string
	Declares     []string
	Registers    []caseRegistration
	ToolMetadata map[string]struct {
		Optional      bool
		ConfigSignals []any
	}
}

type caseRegistration struct {
	Name                              string
	Optional, NoExecute, NoParameters bool
	Factory                           string
	Names                             []string
	Tools                             []caseRegistration
}

func (p casePlugin) plugin() policy.Plugin {
	out := policy.Plugin{ID: p.ID, Declares: p.Declares, Traits: map[string]policy.ToolTraits{}}
	for name, m := range p.ToolMetadata {
		// No case has the settings that its signals ask for.
		out.Traits[name] = policy.ToolTraits{Optional: m.Optional, Lacking: len(m.ConfigSignals) > 0}
	}
	for _, r := range p.Registers {
		reg := policy.Registration{Optional: r.Optional, Names: r.Names, Failed: r.Factory == "throw"}
		switch r.Factory {
		case "":
			reg.Names = []string{r.Name}
			reg.Tools = []policy.BroughtTool{r.brought()}
		case "array":
			for _, tool := range r.Tools {
				reg.Tools = append(reg.Tools, tool.brought())
			}
		}
		out.Brings = append(out.Brings, reg)
	}
	return out
}

func (r caseRegistration) brought() policy.BroughtTool {
	tool := policy.BroughtTool{Name: r.Name}
	if r.NoExecute || r.NoParameters {
		tool.Malformed = "it lacks a part"
	}
	return tool
}
