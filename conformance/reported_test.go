package conformance

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/dispatch"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// world is what a reported fault was seen in: a config and the tools that are
// there.
type world struct {
	config string
	// core are the core tools; nil stands for all of the catalogue.
	core []string
	// plugins have tools; a name with a question mark behind it is optional.
	plugins map[string][]string
	mcp     map[string][]string
}

// reported are faults that users of other tool systems reported, by their
// ids. Each is held to the plan that every door asks.
var reported = []struct {
	id, name string
	world    world
	who      toolrest.Caller
	// sees and lacks name tools that must be visible, and hidden; only, where
	// it is set, names all that are visible.
	sees, lacks, only []string
	// step is the label that took away the first of lacks, and fix a part of
	// the change that is proposed for it.
	step string
	fix  []string
}{
	{
		id: "BR-003", name: "apply_patch is known also where it is not allowed by its own name",
		world: world{config: `{tools: {profile: 'coding', allow: ['group:fs', 'apply_patch'], exec: {applyPatch: {enabled: true}}}}`,
			core: []string{"read", "write", "edit", "apply_patch", "exec"}},
		only: []string{"apply_patch", "edit", "read", "write"},
	},
	{
		id: "BR-008", name: "a profile hides a plugin's required tool, and says so",
		world: world{config: `{tools: {profile: 'coding'}, plugins: {allow: ['notesmem']}}`, plugins: map[string][]string{"notesmem": {"notesmem_ask"}}},
		lacks: []string{"notesmem_ask"}, step: "tools.profile (coding)", fix: []string{"tools.alsoAllow", "notesmem_ask", "'notesmem'", "group:plugins"},
	},
	{
		id: "BR-009", name: "alsoAllow of group:plugins widens the profile",
		world: world{config: `{tools: {profile: 'coding', alsoAllow: ['group:plugins']}}`, plugins: map[string][]string{"notesmem": {"notesmem_ask"}}},
		sees:  []string{"notesmem_ask", "read", "exec", "web_search", "sessions_spawn"},
	},
	{
		id: "BR-016", name: "the sandbox's own list hides MCP tools, and says which key would let them in",
		world: world{config: `{tools: {profile: 'full'}, agents: {defaults: {sandbox: {mode: 'all'}}}}`, mcp: map[string][]string{"wiki": {"search"}}},
		who:   toolrest.Caller{Session: "agent:main:main"},
		lacks: []string{"wiki__search"}, step: "sandbox tools.allow", fix: []string{"tools.sandbox.tools.alsoAllow", "bundle-mcp"},
	},
	{
		id: "BR-017", name: "MCP tools in the main session",
		world: world{config: mcpInSandbox, mcp: map[string][]string{"wiki": {"search"}, "crm": {"find"}}},
		who:   toolrest.Caller{Session: "agent:main:main"},
		sees:  []string{"wiki__search", "crm__find"},
	},
	{
		id: "BR-017", name: "MCP tools in a session that is sandboxed",
		world: world{config: mcpInSandbox, mcp: map[string][]string{"wiki": {"search"}, "crm": {"find"}}},
		who:   toolrest.Caller{Session: "agent:main:telegram:group:1"},
		sees:  []string{"wiki__search", "crm__find"},
	},
	{
		id: "BR-018", name: "a child has what its own agent has",
		world: world{config: `{agents: {list: [{id: 'digger', tools: {allow: ['read', 'write', 'exec', 'sessions_send', 'sessions_spawn'], deny: ['web_search', 'web_fetch', 'message']}}]}}`},
		who:   toolrest.Caller{Agent: "digger", Session: "agent:digger:subagent:1", SpawnedBy: "agent:main:main"},
		sees:  []string{"read", "write", "exec"}, lacks: []string{"web_search", "web_fetch", "message"}, step: "agents.digger.tools.deny",
	},
	{
		id: "BR-019", name: "a child never has what sub-agents never have",
		world: world{config: `{tools: {profile: 'full'}, agents: {list: [{id: 'cfg', tools: {allow: ['read', 'write', 'edit', 'exec', 'gateway', 'cron'], deny: ['group:web', 'browser', 'sessions_spawn']}}]}}`},
		who:   toolrest.Caller{Agent: "cfg", Session: "agent:cfg:subagent:1", Owner: true},
		// apply_patch: who may write may patch.
		only: []string{"apply_patch", "edit", "exec", "read", "write"}, lacks: []string{"cron", "gateway"}, step: "subagent tools.deny",
	},
	{
		id: "BR-020", name: "a child of another agent is not held to the requester's denies",
		world: world{config: `{tools: {profile: 'full'}, agents: {list: [
			{id: 'boss', tools: {deny: ['web_search', 'web_fetch', 'browser']}, subagents: {allowAgents: ['web']}},
			{id: 'web', tools: {allow: ['web_search', 'web_fetch', 'browser']}}]}}`, core: []string{"web_search", "web_fetch", "browser", "read"}},
		who:  toolrest.Caller{Agent: "web", Session: "agent:web:subagent:1", SpawnedBy: "agent:boss:main"},
		only: []string{"browser", "web_fetch", "web_search"},
	},
	{
		id: "BR-022", name: "a child that may have children sees the tool for it",
		world: world{config: twoDeep}, who: toolrest.Caller{Session: "agent:main:subagent:1"},
		sees: []string{"sessions_spawn"},
	},
	{
		id: "BR-022", name: "the last one does not",
		world: world{config: twoDeep}, who: toolrest.Caller{Session: "agent:main:subagent:1:subagent:2"},
		lacks: []string{"sessions_spawn"}, step: "subagent tools.deny",
	},
	{
		id: "BR-025", name: "the owner's turns, direct or queued, see the owner's tools",
		world: world{config: `{commands: {ownerAllowFrom: ['chatx:77001']}, tools: {profile: 'full'}}`},
		who:   toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "77001"}},
		sees:  []string{"cron", "gateway", "nodes"},
	},
	{
		id: "BR-029", name: "a wildcard's sender entry does not widen a group's own rule",
		world: world{config: `{tools: {profile: 'full'}, channels: {chatx: {groups: {'*': {toolsBySender: {'*': {allow: ['*']}}}, ops: {tools: {deny: ['exec', 'write']}}}}}}`},
		who:   toolrest.Caller{Session: "agent:main:chatx:group:ops", Channel: "chatx", Group: "ops", Sender: toolrest.Sender{ID: "999"}},
		lacks: []string{"exec", "write", "apply_patch"}, step: "group tools.deny",
	},
	{
		id: "BR-030", name: "a telephone number is the same however it is written",
		world: world{config: byPhone},
		who:   toolrest.Caller{Session: "agent:main:phonex:group:g", Channel: "phonex", Sender: toolrest.Sender{E164: "+1 (555) 010-0199"}},
		sees:  []string{"read", "exec", "write"},
	},
	{
		id: "BR-030", name: "an unknown number has the rule for everybody",
		world: world{config: byPhone},
		who:   toolrest.Caller{Session: "agent:main:phonex:group:g", Channel: "phonex", Sender: toolrest.Sender{E164: "+15550100100"}},
		only:  []string{"read"},
	},
	{
		id: "BR-031", name: "bundle-mcp means the servers that are connected now",
		world: world{config: `{tools: {profile: 'messaging', alsoAllow: ['bundle-mcp']}}`, mcp: map[string][]string{"kb": {"find", "add"}}},
		sees:  []string{"kb__find", "kb__add", "message"},
	},
	{
		id: "BR-032", name: "a glob means the real name of an MCP tool",
		world: world{config: `{tools: {profile: 'full', deny: ['home__set_*']}}`, mcp: map[string][]string{"home": {"get_state", "set_state"}}},
		sees:  []string{"home__get_state"}, lacks: []string{"home__set_state"}, step: "tools.deny",
	},
	{
		id: "BR-033", name: "names that nobody knows allow nothing",
		world: world{config: `{agents: {list: [{id: 'dev', tools: {allow: ['read', 'edit', 'exec', 'glob', 'grepp'], deny: ['cronn']}}]}}`},
		who:   toolrest.Caller{Agent: "dev"},
		only:  []string{"edit", "exec", "read"},
	},
	{
		id: "BR-036", name: "an empty allow list beside alsoAllow is that of alsoAllow",
		world: world{config: `{tools: {subagents: {tools: {allow: [], alsoAllow: ['read']}}}}`},
		who:   toolrest.Caller{Session: "agent:main:subagent:1"},
		only:  []string{"read"},
	},
	{
		id: "BR-037", name: "a turn of the owner from a chat sees what the command line sees",
		world: world{config: `{commands: {ownerAllowFrom: ['7']}, tools: {profile: 'full'}}`},
		who:   toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "7"}},
		sees:  []string{"cron", "gateway", "nodes", "exec", "message"},
	},
	{
		id: "BR-037", name: "anybody else lacks the owner's tools only",
		world: world{config: `{commands: {ownerAllowFrom: ['7']}, tools: {profile: 'full'}}`},
		who:   toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "8"}},
		sees:  []string{"exec", "message"}, lacks: []string{"cron", "gateway", "nodes"}, step: "owner only",
	},
	{
		id: "BR-046", name: "the smallest change for a plugin's tool is its name in alsoAllow",
		world: world{config: `{tools: {profile: 'coding'}}`, plugins: map[string][]string{"workshop": {"skill_shop"}}},
		lacks: []string{"skill_shop"}, step: "tools.profile (coding)", fix: []string{"add 'skill_shop' to tools.alsoAllow"},
	},
	{
		id: "BR-209", name: "alsoAllow without allow restricts nothing: a deny takes one server's tools",
		world: threeAgents, who: toolrest.Caller{Agent: "team1"},
		sees: []string{"read", "exec", "brain__ask", "sessions_spawn"}, lacks: []string{"film__render"}, step: "agents.team1.tools.deny",
	},
	{id: "BR-209", name: "only what is allowed", world: threeAgents, who: toolrest.Caller{Agent: "locked"}, only: []string{"read"}},
	{
		id: "BR-209", name: "an alsoAllow of an agent restricts nothing", world: threeAgents, who: toolrest.Caller{Agent: "fixer"},
		sees: []string{"read", "exec", "brain__ask", "film__render", "message"},
	},
	{
		id: "BR-212", name: "names are trimmed, in lower case, aliases resolved",
		world: world{config: `{tools: {deny: [' BASH ', 'apply-patch']}}`, core: []string{"read", "exec", "process", "write", "apply_patch"}},
		only:  []string{"process", "read", "write"}, lacks: []string{"exec", "apply_patch"}, step: "tools.deny",
	},
	{
		id: "BR-213", name: "a later allow never revives what the profile took away",
		world: world{config: `{tools: {profile: 'minimal', allow: ['camera_*']}}`, plugins: map[string][]string{"cam": {"camera_snap"}, "wx": {"weather"}}},
		lacks: []string{"camera_snap", "weather"}, step: "tools.profile (minimal)",
	},
	{
		id: "BR-215", name: "group:openclaw holds neither files nor commands",
		world: world{config: `{tools: {profile: 'full'}, agents: {list: [{id: 'coord', tools: {allow: ['group:fs', 'group:sessions', 'group:openclaw'], deny: ['group:automation', 'group:messaging', 'group:nodes']}}]}}`},
		who:   toolrest.Caller{Agent: "coord", Owner: true},
		sees:  []string{"read", "write", "edit", "apply_patch", "web_search", "web_fetch", "sessions_list", "subagents"},
		lacks: []string{"exec", "process", "cron", "gateway", "message", "nodes"}, step: "agents.coord.tools.allow",
	},
	{
		id: "BR-217", name: "a provider's rule for one of its models",
		world: world{config: byModel}, who: toolrest.Caller{Provider: "openai", Model: "gpt-5.5"},
		lacks: []string{"exec"}, step: "tools.byProvider.deny",
	},
	{
		id: "BR-217", name: "and not for a model of another name",
		world: world{config: byModel}, who: toolrest.Caller{Provider: "anthropic", Model: "claude-opus-4-6"},
		sees: []string{"exec", "read"},
	},
	{
		id: "BR-218", name: "deny wins over a glob, and a glob means what it says",
		world: world{config: `{tools: {profile: 'full', allow: ['exec*', 'read'], deny: ['exec_bg']}}`, core: []string{"exec", "exec_bg", "executor_stats", "read", "process"}},
		only:  []string{"exec", "executor_stats", "read"},
	},
}

const (
	mcpInSandbox = `{tools: {sandbox: {tools: {alsoAllow: ['bundle-mcp']}}}, agents: {defaults: {sandbox: {mode: 'non-main'}}}}`
	twoDeep      = `{tools: {profile: 'full'}, agents: {defaults: {subagents: {maxSpawnDepth: 2}}}}`
	byPhone      = `{tools: {profile: 'full'}, channels: {phonex: {groups: {g: {toolsBySender: {'e164:+15550100199': {}, '*': {allow: ['read']}}}}}}}`
	byModel      = `{tools: {profile: 'coding', byProvider: {openai: {deny: ['exec']}, 'anthropic/claude-opus': {allow: ['group:coding']}}}}`
)

// threeAgents writes profile full where the report has none: our own files
// have coding unless they say something else.
var threeAgents = world{
	config: `{tools: {profile: 'full', alsoAllow: ['read', 'group:memory', 'sessions_spawn']}, agents: {list: [
		{id: 'team1', tools: {deny: ['film__*']}},
		{id: 'locked', tools: {allow: ['read'], deny: ['group:plugins']}},
		{id: 'fixer', tools: {alsoAllow: ['exec']}}]}}`,
	mcp: map[string][]string{"film": {"render"}, "brain": {"ask"}},
}

func TestReported(t *testing.T) {
	for _, c := range reported {
		t.Run(c.id+" "+c.name, func(t *testing.T) {
			p := c.world.plan(t, c.who)
			calls := dispatch.New(dispatch.Options{Plan: func(context.Context, toolrest.Caller) (*plan.Plan, error) { return p, nil }})
			names := p.Names()
			for _, name := range c.sees {
				if !slices.Contains(names, name) {
					t.Errorf("%s is hidden: %v", name, p.Resolve(name).Refusal)
				}
			}
			for _, d := range append(slices.Clone(p.Known()), "no_such_tool") {
				// What is visible can be called, and nothing else can.
				result := calls.Dispatch(t.Context(), &toolrest.Call{Tool: d, Args: []byte(`{}`), Caller: p.Context.Caller})
				if result.IsError == slices.Contains(names, d) {
					t.Errorf("a call of %s: %s", d, result.AllText())
				}
			}
			if c.only != nil {
				slices.Sort(names)
				if diff := cmp.Diff(c.only, names); diff != "" {
					t.Errorf("visible (-want +got)\n%s", diff)
				}
			}
			for i, name := range c.lacks {
				d := p.Resolve(name)
				if d.Refusal == nil {
					t.Errorf("%s is visible", name)
				} else if i == 0 && c.step != "" && d.Refusal.Layer != c.step {
					t.Errorf("%s is taken away by %q, want %q", name, d.Refusal.Layer, c.step)
				}
			}
			for _, part := range c.fix {
				if text := p.Resolve(c.lacks[0]).Fix.String(); !strings.Contains(text, part) {
					t.Errorf("the fix does not say %q: %s", part, text)
				}
			}
		})
	}
}

// plan is made as the doors make it: the config is loaded, resolved, compiled.
func (w world) plan(t *testing.T, who toolrest.Caller) *plan.Plan {
	t.Helper()
	if who.Agent == "" {
		who.Agent = names.MainAgent
	}
	cfg := load(t, w.config)
	if !who.Owner {
		who.Owner = policy.Owner(cfg, policy.Context{Caller: who})
	}
	tools := w.registry(t).Snapshot()
	p, err := plan.Build(tools, policy.For(cfg, policy.Context{Caller: who, Known: plan.Known(tools)}), plan.Context{Caller: who})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func load(t *testing.T, text string) *policy.Config {
	t.Helper()
	cfg, err := loadFile(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return cfg.Policy
}

func loadError(t *testing.T, text string) error {
	t.Helper()
	_, err := loadFile(t, text)
	return err
}

func loadFile(t *testing.T, text string) (*config.Config, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json5")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.Load(&config.Options{Path: file, Dir: dir, Home: dir, State: filepath.Join(dir, "state")})
}

func (w world) registry(t *testing.T) *registry.Registry {
	t.Helper()
	core := w.core
	if core == nil {
		for _, row := range catalog.Rows {
			core = append(core, row.ID)
		}
	}
	sources := []registry.Source{{Kind: registry.Core, Tools: stubs("", core)}}
	for id, tools := range w.plugins {
		source := registry.Source{Kind: registry.Plugin, Name: id}
		for _, name := range tools {
			name, optional := strings.CutSuffix(name, "?")
			if optional {
				source.Optional = append(source.Optional, name)
			}
			source.Tools = append(source.Tools, stubs("", []string{name})...)
		}
		sources = append(sources, source)
	}
	for server, tools := range w.mcp {
		sources = append(sources, registry.Source{Kind: registry.MCP, Name: server, Tools: stubs(server+"__", tools)})
	}
	r, err := registry.New(&registry.Options{Check: plan.Check}, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func done(context.Context, *toolrest.Call) (*toolrest.Result, error) {
	return &toolrest.Result{Content: []toolrest.Content{toolrest.Text("done")}}, nil
}

// stubs are tools that do nothing.
func stubs(prefix string, names []string) []toolrest.Tool {
	out := make([]toolrest.Tool, len(names))
	for i, name := range names {
		out[i] = toolrest.Tool{
			Descriptor: toolrest.Descriptor{Name: prefix + name, Description: name},
			Executor:   toolrest.Handler(done),
		}
	}
	return out
}
