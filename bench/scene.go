package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// The scene is that of an agent with all core tools and many MCP servers of 50
// tools each, under a policy of nine layers. The same one is built for the peer
// in openclaw.mjs.

var verbs = []string{"get", "list", "create", "update", "delete", "search", "admin_reset", "export", "import", "sync"}

// tools gives n tools: those of the catalogue, then those of servers.
func tools(n int) []policy.Tool {
	var out []policy.Tool
	for _, row := range catalog.Rows[:min(n, len(catalog.Rows))] {
		out = append(out, policy.Tool{Name: row.ID})
	}
	for i := 0; len(out) < n; i++ {
		out = append(out, policy.Tool{
			Name:   fmt.Sprintf("srv%d__%s_item_%d", i/50, verbs[i%10], i%50),
			Plugin: catalog.MCPPlugin,
		})
	}
	return out
}

// layers is the policy. The tools of the servers are admitted as all plugins'
// are, or by a glob.
func layers(byGlob bool) []policy.Layer {
	servers := catalog.MCPPlugin
	if byGlob {
		servers = "srv*"
	}
	coding, _ := catalog.ProfileAllow("coding")
	for i, name := range coding {
		if name == catalog.MCPPlugin {
			coding[i] = servers
		}
	}
	return []policy.Layer{
		layer(policy.PlaceProfile, "tools.profile (coding)", coding, nil),
		layer(policy.PlaceProviderProfile, "tools.byProvider.profile (wide)",
			[]string{"group:fs", "group:runtime", "group:web", "group:memory", "group:sessions", "group:openclaw", servers}, nil),
		layer(policy.PlaceTools, "tools.allow",
			[]string{"group:openclaw", "group:fs", "group:runtime", servers}, []string{"browser", "nodes", "*__delete_*"}),
		layer(policy.PlaceProvider, "tools.byProvider.allow", nil, []string{"tts", "*__admin_*"}),
		layer(policy.PlaceAgent, "agents.main.tools.allow", nil, []string{"group:automation", "srv3__*"}),
		layer(policy.PlaceAgentProvider, "agents.main.tools.byProvider.allow", nil, []string{"image_generate"}),
		layer(policy.PlaceGroup, "group tools.allow",
			[]string{"read", "write", "edit", "apply_patch", "exec", "process", "web_*", "sessions_*", "memory_*", "update_plan", servers}, nil),
		layer(policy.PlaceSandbox, "sandbox tools.allow",
			[]string{"exec", "process", "read", "write", "edit", "apply_patch", "image", "sessions_*", "subagents", "session_status", "web_*", "memory_*", servers},
			[]string{"browser", "canvas", "nodes", "cron", "gateway"}),
		layer(policy.PlaceSubagent, "subagent tools.allow", nil,
			[]string{"gateway", "agents_list", "session_status", "cron", "sessions_send", "subagents", "sessions_list", "sessions_history", "sessions_spawn"}),
	}
}

func layer(place policy.Place, label string, allow, deny []string) policy.Layer {
	return policy.Layer{Place: place, Label: label, Allow: entries(1, allow), Deny: entries(2, deny), AllowPos: position(1, 0)}
}

func entries(line int, texts []string) []policy.Entry {
	out := make([]policy.Entry, len(texts))
	for i, text := range texts {
		out[i] = policy.Entry{Text: text, Pos: position(line, i)}
	}
	return out
}

func position(line, i int) toolrest.Pos {
	return toolrest.Pos{File: "toolrest.json5", Line: line, Col: 1 + i}
}

// rules is one layer that denies n names: half of them exact, and of the
// globs as many for a server as for a verb.
func rules(n int) []policy.Layer {
	deny := make([]string, n)
	for i := range deny {
		switch i % 4 {
		case 0, 1:
			deny[i] = fmt.Sprintf("other%d__%s_thing", i, verbs[i%10])
		case 2:
			deny[i] = fmt.Sprintf("other%d__*", i)
		default:
			deny[i] = fmt.Sprintf("*_thing_%d", i)
		}
	}
	return []policy.Layer{layer(policy.PlaceTools, "tools.allow", nil, deny)}
}

var nothing = toolrest.Handler(func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
	return &toolrest.Result{}, nil
})

// snapshot registers n tools in a random order, as no source is sorted. With
// conditions, three of four have a condition that is met.
func snapshot(n int, conditions bool) *registry.Snapshot {
	s := &registry.Snapshot{Version: 1}
	for i, t := range tools(n) {
		row := &registry.Row{Source: "core"}
		row.Name, row.Executor = t.Name, nothing
		row.Owner = toolrest.Owner{Kind: toolrest.OwnerCore}
		if t.Plugin != "" {
			row.Owner, row.Source = toolrest.Owner{Kind: toolrest.OwnerMCP, ID: "srv"}, "mcp srv"
		}
		row.Ref = toolrest.ExecutorRef{Kind: row.Owner.Kind, ID: row.Owner.ID, Tool: t.Name}
		if conditions {
			row.Availability = condition(i)
		}
		s.Rows = append(s.Rows, row)
	}
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(n, func(i, j int) { s.Rows[i], s.Rows[j] = s.Rows[j], s.Rows[i] })
	return s
}

func condition(i int) *toolrest.Availability {
	part := func(s toolrest.Signal) toolrest.Availability { return toolrest.Availability{Signal: &s} }
	switch i % 4 {
	case 1:
		return toolrest.When(toolrest.Signal{Kind: toolrest.SignalAlways})
	case 2:
		return &toolrest.Availability{AllOf: []toolrest.Availability{
			part(toolrest.Signal{Kind: toolrest.SignalAuth, ProviderID: "openai"}),
			part(toolrest.Signal{Kind: toolrest.SignalPlugin, PluginID: "p1"}),
		}}
	case 3:
		return &toolrest.Availability{AnyOf: []toolrest.Availability{
			part(toolrest.Signal{Kind: toolrest.SignalEnv, Name: "MISSING"}),
			part(toolrest.Signal{Kind: toolrest.SignalConfig, Path: []string{"tools", "web", "enabled"}}),
			part(toolrest.Signal{Kind: toolrest.SignalContext, Key: "channel", Equals: "slack", HasEquals: true}),
		}}
	}
	return nil
}
