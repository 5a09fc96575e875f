package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
)

// What an untrusted config says of who is who, of what is reached, and what
// would widen, does not count; what tightens does.
func TestUntrustedOwnsNothing(t *testing.T) {
	tests := []struct {
		name, text string
		ignored    string // the paths, or nothing
		counts     func(*config.Config) bool
	}{
		{"dialect", `{tools: {dialect: 'openclaw'}}`, "tools.dialect",
			func(c *config.Config) bool { return c.Policy.Dialect == policy.Default }},
		{"owners", `{commands: {ownerAllowFrom: ['me', 7]}}`, "commands.ownerAllowFrom",
			func(c *config.Config) bool { return len(c.Policy.Owners.Entries) == 1 }},
		{"mcp", `{mcp: {servers: {x: {command: '${EVIL}'}}}}`, "mcp",
			func(c *config.Config) bool { return len(c.Policy.MCPServers) == 1 }},
		{"plugins", `{plugins: {allow: ['x']}}`, "plugins", nil},
		{"auth", `{auth: {profiles: {x: {provider: 'p', mode: 'oauth'}}}}`, "auth",
			func(c *config.Config) bool { return len(c.Policy.AuthProfiles) == 0 }},
		{"http", `{gateway: {tools: {allow: ['exec'], deny: ['read']}}}`, "gateway.tools.allow",
			func(c *config.Config) bool {
				g := c.Policy.Gateway
				return texts(g.Allow) == "cron" && texts(g.Deny) == "write read"
			}},
		{"sandbox off", `{agents: {defaults: {sandbox: {mode: 'off'}}, list: [{id: 'a', sandbox: {mode: 'off'}}]}}`,
			"agents.defaults.sandbox.mode agents.list[0].sandbox.mode", nil},
		{"sandbox on", `{agents: {defaults: {sandbox: {mode: 'all'}}, list: [{id: 'b', sandbox: {mode: 'non-main'}}]}}`, "",
			func(c *config.Config) bool {
				return c.Policy.Defaults.SandboxMode == "all" && c.Policy.Agents[1].SandboxMode == "non-main"
			}},
		{"depth", `{agents: {defaults: {subagents: {maxSpawnDepth: 5}}}}`, "agents.defaults.subagents.maxSpawnDepth",
			func(c *config.Config) bool { return c.Policy.Defaults.MaxSpawnDepth == 2 }},
		{"lean off", `{agents: {defaults: {experimental: {localModelLean: false}}}}`, "agents.defaults.experimental.localModelLean",
			func(c *config.Config) bool { return *c.Policy.Defaults.Lean }},
		{"lean on", `{agents: {list: [{id: 'A', experimental: {localModelLean: true}}]}}`, "",
			func(c *config.Config) bool { return *c.Policy.Agents[0].Lean }},
		{"apply_patch", `{tools: {exec: {applyPatch: {enabled: true, allowModels: ['*']}}}}`,
			"tools.exec.applyPatch.enabled tools.exec.applyPatch.allowModels",
			func(c *config.Config) bool {
				p := c.Policy.Tools.ApplyPatch
				return !*p.Enabled && texts(p.AllowModels) == "m"
			}},
		{"plan tool", `{tools: {experimental: {planTool: true}}}`, "tools.experimental.planTool",
			func(c *config.Config) bool { return c.Policy.Tools.PlanTool == nil }},
		{"web search", `{tools: {web: {search: {enabled: false, openaiCodex: {enabled: false}}}}}`,
			"tools.web.search.enabled tools.web.search.openaiCodex.enabled",
			func(c *config.Config) bool { return c.Policy.Tools.WebSearch.Native }},
		{"sessions", `{session: {mainKey: 'x', scope: 'global'}}`, "session.mainKey session.scope",
			func(c *config.Config) bool { return c.Policy.MainKey == "home" }},
		{"agents", `{agents: {list: [{id: 'b', default: true, model: 'x/y', subagents: {allowAgents: ['*']}, tools: {deny: ['exec']}}, {id: 'a'}]}}`,
			"agents.list[0].default agents.list[0].model agents.list[0].subagents.allowAgents",
			func(c *config.Config) bool {
				agents := c.Policy.Agents
				return len(agents) == 2 && agents[0].ID == "a" && agents[0].Main && !agents[1].Main &&
					texts(agents[1].Tools.Deny) == "exec" && c.Agents[0].Model == ""
			}},
		{"workspace", `{agents: {defaults: {workspace: '..', model: 'x/y'}}}`, "agents.defaults.workspace agents.defaults.model", nil},
		{"asked", `{tools: {exec: {security: 'deny'}}}`, "", func(c *config.Config) bool { return c.ExecFor("a").Ask == config.AskAlways }},
		{"unasked", `{tools: {exec: {mode: 'full'}}}`, "", func(c *config.Config) bool { return c.ExecFor("b").Ask == config.AskAlways }},
		{"groups", `{channels: {c: {groups: {g: {tools: {allow: ['*']}}}}}}`, "",
			func(c *config.Config) bool { return len(c.Policy.Channels) == 1 && c.Policy.Base != nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.env["EVIL"] = "hunter2"
			p.own(`{
				tools: {exec: {applyPatch: {enabled: false, allowModels: ['m']}}, web: {search: {openaiCodex: {enabled: true}}}},
				commands: {ownerAllowFrom: ['boss']}, session: {mainKey: 'home'},
				gateway: {tools: {allow: ['cron'], deny: ['write']}}, mcp: {servers: {kb: {command: 'kb'}}},
				agents: {defaults: {subagents: {maxSpawnDepth: 2}, experimental: {localModelLean: true}},
					list: [{id: 'a', default: true, tools: {exec: {ask: 'off'}}}]},
			}`)
			p.here(tt.text)
			c := p.mustLoad()
			var got []string
			for _, i := range c.Ignored {
				got = append(got, i.Path)
			}
			if diff := cmp.Diff(tt.ignored, strings.Join(got, " ")); diff != "" {
				t.Errorf("ignored (-want +got):\n%s", diff)
			}
			if tt.counts != nil && !tt.counts(c) {
				t.Errorf("policy %+v", c.Policy)
			}
			if c.Workspace != p.work {
				t.Errorf("workspace %s", c.Workspace)
			}
		})
	}
}

func texts(l policy.List) string {
	var out []string
	for _, e := range l.Entries {
		out = append(out, e.Text)
	}
	return strings.Join(out, " ")
}

// Where the user's own config is OpenClaw's, its dialect counts for both.
func TestUntrustedOverOpenClaw(t *testing.T) {
	p := newPlace(t)
	p.own("{tools: {dialect: 'openclaw', allow: []}}")
	p.here("{tools: {deny: ['exec']}}")
	c := p.mustLoad()
	if c.Policy.Dialect != policy.OpenClaw || c.Policy.DefaultProfile != "" || c.Policy.Base != c.Base.Policy {
		t.Errorf("%+v", c.Policy)
	}
	p.here("{tools: {allow: []}}")
	if _, err := p.load(); err == nil || !strings.Contains(err.Error(), "allows nothing") {
		t.Errorf("an empty list of an untrusted config: %v", err)
	}
}

// BR-036: an empty allow list beside alsoAllow is no mistake, and a sub-agent
// has what alsoAllow names.
func TestEmptyAllowBesideAlsoAllow(t *testing.T) {
	p := newPlace(t)
	p.own("{ tools: { profile: 'full', subagents: { tools: { allow: [], alsoAllow: ['read'] } } } }")
	c := p.mustLoad()
	if len(c.Warnings) > 0 {
		t.Errorf("warnings %v", c.Warnings)
	}
	child := policy.Resolve(c.Policy, policy.Context{Caller: toolrest.Caller{Session: "agent:main:subagent:x", Agent: "main"}})
	pipeline := policy.Compile(c.Policy.Dialect, child.Layers)
	for name, want := range map[string]bool{"read": true, "write": false, "exec": false, "subagents": false} {
		if got := pipeline.Decide(policy.Tool{Name: name}).Kept; got != want {
			t.Errorf("%s visible: %v", name, got)
		}
	}
}
