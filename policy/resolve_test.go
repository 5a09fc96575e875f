package policy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// read gives the policy of a config's text, with the profile that counts where
// none is written.
func read(t interface{ Fatal(...any) }, text string) *policy.Config {
	cfg, err := config.ReadPolicy("c.json5", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cfg.DefaultProfile = "coding"
	return cfg
}

func pipeline(cfg *policy.Config, ctx policy.Context) *policy.Pipeline {
	return policy.Compile(cfg.Dialect, policy.Resolve(cfg, ctx).Layers)
}

func by(c toolrest.Caller) policy.Context { return policy.Context{Caller: c} }

func at(r policy.Resolution, place policy.Place) *policy.Layer {
	for i := range r.Layers {
		if r.Layers[i].Place == place {
			return &r.Layers[i]
		}
	}
	return nil
}

const wholeConfig = `{
  tools: {
    profile: "coding",
    deny: ["group:runtime"],
    byProvider: { openai: { profile: "full", deny: ["read"] } },
    toolsBySender: { "id:42": { deny: ["write"] } },
    subagents: { tools: { deny: ["web_*"] } },
  },
  agents: {
    defaults: { sandbox: { mode: "all" }, subagents: { maxSpawnDepth: 2 } },
    list: [{ id: "Ops", tools: { allow: ["group:fs"], byProvider: { "openai/gpt-5.5": { deny: ["edit"] } } } }],
  },
  channels: { telegram: { groups: { "-100": { tools: { deny: ["apply_patch"] } } } } },
}`

func TestLayersStandInOrder(t *testing.T) {
	ctx := by(toolrest.Caller{
		Session: "agent:ops:subagent:telegram:group:-100", Provider: "OpenAI", Model: "gpt-5.5",
		Channel: "telegram", Sender: toolrest.Sender{ID: "42"},
	})
	depth := 1
	ctx.Sessions = func(key string) (policy.Session, bool) {
		return policy.Session{SpawnDepth: &depth, InheritedDeny: []string{" BASH ", "bash"}}, key == ctx.Session
	}
	r := policy.Resolve(read(t, wholeConfig), ctx)
	want := []string{
		"tools.profile (coding)", "tools.byProvider.profile (full)", "tools.allow", "tools.byProvider.allow",
		"agents.ops.tools.allow", "agents.ops.tools.byProvider.allow", "group tools.allow", "tools.toolsBySender",
		"sandbox tools.allow", "subagent tools.allow", "inherited tools",
	}
	var got []string
	for _, l := range r.Layers {
		if policy.PlaceProfile <= l.Place && l.Place <= policy.PlaceInherited {
			got = append(got, l.Label)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("labels:\n got %q\nwant %q", got, want)
	}
	if r.AgentID != "ops" || !r.Sandboxed || !r.Subagent || r.Depth != 1 || r.Role != "orchestrator" || r.ProviderKey != "openai" {
		t.Errorf("facts: %+v", r)
	}
	if l := at(r, policy.PlaceInherited); len(l.Deny) != 1 || l.Deny[0].Text != "exec" || l.Remedy == "" {
		t.Errorf("inherited: %+v", l)
	}
}

// The edit that is proposed stands at the place that the layer came from, and
// made, it works.
func TestFixOfEachLayer(t *testing.T) {
	group := toolrest.Caller{Session: "agent:main:telegram:group:-100", Channel: "telegram", Sender: toolrest.Sender{ID: "7"}}
	openai := toolrest.Caller{Provider: "openai", Model: "gpt-5.5"}
	for _, c := range []struct {
		name, config string
		who          toolrest.Caller
		tool         string
		want         []string // the edits
	}{
		{"provider, denied", `{tools:{byProvider:{openai:{deny:["exec"]}}}}`, openai, "exec",
			[]string{"remove 'exec' from tools.byProvider.openai.deny (c.json5:1:35)"}},
		{"provider's profile", `{tools:{byProvider:{"openai/gpt-5.5":{profile:"minimal"}}}}`, openai, "exec",
			[]string{`add 'exec' to tools.byProvider["openai/gpt-5.5"].alsoAllow`}},
		{"agent's provider, not in the list", `{agents:{list:[{id:"main",tools:{byProvider:{openai:{allow:["read"]}}}}]}}`,
			toolrest.Caller{Agent: "main", Provider: "openai"}, "exec",
			[]string{"add 'exec' to agents.list[0].tools.byProvider.openai.allow (c.json5:1:60)"}},
		{"group", `{channels:{telegram:{groups:{"-100":{tools:{deny:["exec"]}}}}}}`, group, "exec",
			[]string{`remove 'exec' from channels.telegram.groups["-100"].tools.deny (c.json5:1:51)`}},
		{"sender in a group", `{channels:{telegram:{groups:{"*":{toolsBySender:{"id:7":{allow:["read"]}}}}}}}`, group, "exec",
			[]string{`add 'exec' to channels.telegram.groups["*"].toolsBySender["id:7"].allow (c.json5:1:64)`}},
		{"sender", `{tools:{toolsBySender:{"*":{deny:["group:runtime"]}}}}`, group, "exec",
			[]string{`remove 'group:runtime' from tools.toolsBySender["*"].deny (c.json5:1:35)`}},
		{"sandbox, built-in lists", `{tools:{profile:"full"}}`, toolrest.Caller{Sandbox: "on"}, "cron",
			[]string{"add 'cron' to tools.sandbox.tools.alsoAllow"}},
		{"sandbox, written allow list", `{tools:{sandbox:{tools:{allow:["read"]}}}}`, toolrest.Caller{Sandbox: "on"}, "exec",
			[]string{"add 'exec' to tools.sandbox.tools.allow (c.json5:1:31)"}},
		{"sandbox, the agent's deny list", `{agents:{list:[{id:"main",tools:{sandbox:{tools:{deny:["group:runtime"]}}}}]}}`,
			toolrest.Caller{Agent: "main", Sandbox: "on"}, "exec",
			[]string{"remove 'group:runtime' from agents.list[0].tools.sandbox.tools.deny (c.json5:1:56)"}},
		{"sub-agent, built-in denial", `{}`, toolrest.Caller{Depth: 1}, "cron",
			[]string{"add 'cron' to tools.subagents.tools.alsoAllow"}},
		{"sub-agent with an allow list", `{tools:{subagents:{tools:{allow:["read"]}}}}`, toolrest.Caller{Depth: 1}, "cron",
			[]string{"add 'cron' to tools.subagents.tools.allow (c.json5:1:33)"}},
		{"sub-agent, written denial", `{tools:{subagents:{tools:{deny:["exec"]}}}}`, toolrest.Caller{Depth: 1}, "exec",
			[]string{"remove 'exec' from tools.subagents.tools.deny (c.json5:1:33)"}},
	} {
		fix := pipeline(read(t, c.config), by(owner(c.who))).Allow(policy.Tool{Name: c.tool})
		var got []string
		for _, e := range fix.Edits {
			got = append(got, e.String())
		}
		if !slices.Equal(got, c.want) || len(fix.Remedies) > 0 {
			t.Errorf("%s:\n got %q %q\nwant %q", c.name, got, fix.Remedies, c.want)
		}
		if !pipeline(read(t, edited(t, c.config, fix.Edits)), by(owner(c.who))).Decide(policy.Tool{Name: c.tool}).Kept {
			t.Errorf("%s: the edit does not help", c.name)
		}
	}
}

// owner makes the caller the owner, so that only the config stands in the way.
func owner(c toolrest.Caller) toolrest.Caller {
	c.Owner = true
	return c
}

// edited makes the edits in a config's text.
func edited(t interface{ Fatal(...any) }, text string, edits []policy.Edit) string {
	node, err := json5.Parse("c.json5", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tree := node.Plain()
	for _, e := range edits {
		steps, err := json5.ParsePath(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		tree = change(tree, steps, e)
	}
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func change(v any, steps []json5.Step, e policy.Edit) any {
	if len(steps) == 0 {
		list, _ := v.([]any)
		switch e.Op {
		case policy.EditAdd:
			return append(list, e.Value)
		case policy.EditRemove:
			return slices.DeleteFunc(list, func(x any) bool { return x == e.Value })
		}
		return e.Value
	}
	if s := steps[0]; s.IsIndex {
		list := v.([]any)
		list[s.Index] = change(list[s.Index], steps[1:], e)
		return list
	}
	object, ok := v.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object[steps[0].Key] = change(object[steps[0].Key], steps[1:], e)
	return object
}

// drawLists draws the lists of a section.
func drawLists(t *rapid.T, name string) map[string]any {
	entries := rapid.SampledFrom([]string{
		"read", "write", "apply_patch", "BASH", "exec", "cron", "group:fs", "group:runtime", "web_*", "*_*", "message", "image", "nonsense",
	})
	s := map[string]any{}
	switch rapid.IntRange(0, 2).Draw(t, name) {
	case 1:
		s["allow"] = rapid.SliceOfN(entries, 1, 3).Draw(t, name+".allow")
	case 2:
		s["alsoAllow"] = rapid.SliceOfN(entries, 1, 3).Draw(t, name+".alsoAllow")
	}
	if rapid.Bool().Draw(t, name+" denies") {
		s["deny"] = rapid.SliceOfN(entries, 1, 2).Draw(t, name+".deny")
	}
	return s
}

func drawProfiled(t *rapid.T, name string) map[string]any {
	s := drawLists(t, name)
	if p := rapid.SampledFrom([]string{"", "minimal", "coding", "messaging", "full"}).Draw(t, name+".profile"); p != "" {
		s["profile"] = p
	}
	return s
}

// drawConfig draws the text of a config with every layer.
func drawConfig(t *rapid.T) string {
	scope := func(name string) map[string]any {
		s := drawProfiled(t, name)
		s["byProvider"] = map[string]any{"openai": drawProfiled(t, name+".openai")}
		s["toolsBySender"] = map[string]any{"id:7": drawLists(t, name+".sender")}
		s["sandbox"] = map[string]any{"tools": drawLists(t, name+".sandbox")}
		return s
	}
	tools, agent := scope("tools"), scope("agent")
	tools["subagents"] = map[string]any{"tools": drawLists(t, "subagents")}
	agent["id"] = "ops"
	text, err := json.Marshal(map[string]any{
		"tools":    tools,
		"agents":   map[string]any{"list": []any{map[string]any{"id": "ops", "tools": agent}}},
		"channels": map[string]any{"telegram": map[string]any{"groups": map[string]any{"-100": map[string]any{"tools": drawLists(t, "group")}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func drawCaller(t *rapid.T) toolrest.Caller {
	return owner(toolrest.Caller{
		Agent:    rapid.SampledFrom([]string{"main", "ops"}).Draw(t, "agent"),
		Session:  rapid.SampledFrom([]string{"", "agent:ops:main", "agent:ops:telegram:group:-100", "agent:main:subagent:telegram:group:-100"}).Draw(t, "session"),
		Provider: rapid.SampledFrom([]string{"", "openai"}).Draw(t, "provider"),
		Channel:  rapid.SampledFrom([]string{"", "telegram"}).Draw(t, "channel"),
		Sender:   toolrest.Sender{ID: rapid.SampledFrom([]string{"", "7"}).Draw(t, "sender")},
		Sandbox:  rapid.SampledFrom([]string{"", "on", "off"}).Draw(t, "sandbox"),
	})
}

var someTools = []string{"read", "write", "apply_patch", "exec", "cron", "message", "image", "web_fetch", "browser", "sessions_spawn", "own_tool"}

func TestProposedEditsWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, ctx := drawConfig(t), by(drawCaller(t))
		tool := policy.Tool{Name: rapid.SampledFrom(someTools).Draw(t, "tool")}
		fix := pipeline(read(t, text), ctx).Allow(tool)
		after := edited(t, text, fix.Edits)
		trace := pipeline(read(t, after), ctx).Decide(tool)
		if !trace.Kept && len(fix.Remedies) == 0 {
			t.Fatalf("%s is still removed by %+v\nafter %s\nin %s", tool.Name, trace.Removing(), fix, after)
		}
	})
}

// TestForbidTakesAway: the change that is offered for a visible tool takes it
// away, in whatever circumstances.
func TestForbidTakesAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, ctx := drawConfig(t), by(drawCaller(t))
		tool := policy.Tool{Name: rapid.SampledFrom(someTools).Draw(t, "tool")}
		cfg := read(t, text)
		after := edited(t, text, []policy.Edit{policy.Forbid(cfg, policy.Resolve(cfg, ctx).AgentID, tool.Name)})
		if pipeline(read(t, after), ctx).Decide(tool).Kept {
			t.Fatalf("%s is still there: %s", tool.Name, after)
		}
	})
}

// A config that stands under another lets nothing through that the other does
// not, whatever it says.
func TestBaseIsNotWidened(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, own, ctx := read(t, drawConfig(t)), read(t, drawConfig(t)), by(drawCaller(t))
		own.Base = base
		if rapid.Bool().Draw(t, "no config below") {
			base = read(t, "{}")
			baseline := policy.BaselineLayer("coding", "trust it")
			own.Base, own.Baseline = base, &baseline
		}
		for _, name := range someTools {
			if pipeline(own, ctx).Decide(policy.Tool{Name: name}).Kept && !pipeline(base, ctx).Decide(policy.Tool{Name: name}).Kept {
				t.Fatalf("%s is let through", name)
			}
		}
	})
}

func TestOwnersOfAnUntrustedConfigDoNotCount(t *testing.T) {
	own := read(t, `{commands:{ownerAllowFrom:["*","7"]}}`)
	own.Base = read(t, `{commands:{ownerAllowFrom:["8"]}}`)
	for id, want := range map[string]bool{"7": false, "8": true} {
		if got := policy.Resolve(own, by(toolrest.Caller{Sender: toolrest.Sender{ID: id}})).Owner; got != want {
			t.Errorf("sender %s is the owner: %v", id, got)
		}
	}
}

// What a session hands down leaves a child nothing that the session lacks.
func TestHandDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg, ctx := read(t, drawConfig(t)), by(drawCaller(t))
		r := policy.Resolve(cfg, ctx)
		var has []string
		for _, name := range someTools {
			if policy.Compile(cfg.Dialect, r.Layers).Decide(policy.Tool{Name: name}).Kept {
				has = append(has, name)
			}
		}
		allow, deny := policy.HandDown(r.Layers, ctx.Run, has)
		child := by(toolrest.Caller{Agent: "main", Session: "agent:main:subagent:x", Owner: true})
		child.Sessions = func(string) (policy.Session, bool) {
			return policy.Session{InheritedAllow: allow, InheritedDeny: deny}, true
		}
		for _, name := range someTools {
			if slices.Contains(has, name) {
				continue
			}
			if pipeline(read(t, "{tools:{profile:'full'}}"), child).Decide(policy.Tool{Name: name}).Kept {
				t.Fatalf("the child has %s; handed down: %q, not %q", name, allow, deny)
			}
		}
	})
}

func TestHandDownOfARunWithItsOwnList(t *testing.T) {
	run := policy.Run{Allow: policy.List{Set: true}}
	allow, deny := policy.HandDown([]policy.Layer{
		{Place: policy.PlaceTools, Allow: []policy.Entry{{Text: "*"}}, Deny: []policy.Entry{{Text: "Bash "}, {Text: "exec"}}},
		{Place: policy.PlaceMessageProvider, Deny: []policy.Entry{{Text: "tts"}}},
	}, run, []string{"read", "READ"})
	if got := fmt.Sprint(allow, deny); got != "[read] [exec]" {
		t.Errorf("handed down %s", got)
	}
	if allow, _ := policy.HandDown(nil, policy.Run{}, []string{"read"}); allow != nil {
		t.Errorf("a session without limits hands down %q", allow)
	}
}

func TestRunEntriesJoinTheProfile(t *testing.T) {
	allow := func(texts ...string) policy.List {
		l := policy.List{Set: true}
		for _, text := range texts {
			l.Entries = append(l.Entries, policy.Entry{Text: text})
		}
		return l
	}
	for _, c := range []struct {
		run   policy.Run
		gains string // empty for nothing
	}{
		{policy.Run{}, ""},
		{policy.Run{Message: true}, "message"},
		{policy.Run{Replies: "message_tool_only"}, "message"},
		{policy.Run{Replies: "text"}, ""},
		{policy.Run{Allow: allow("group:messaging")}, "message"},
		{policy.Run{Allow: allow(" * ")}, "message"},
		{policy.Run{Allow: allow("read")}, ""},
		{policy.Run{Heartbeat: true}, "heartbeat_respond"},
		{policy.Run{ToolSearch: true}, "tool_search_code tool_search tool_describe tool_call"},
		{policy.Run{Also: []string{"own"}}, "own"},
	} {
		r := policy.Resolve(read(t, "{tools:{profile:'minimal',allow:['read']}}"), policy.Context{Run: c.run})
		var gains []string
		for _, e := range at(r, policy.PlaceProfile).Allow[1:] {
			gains = append(gains, e.Text)
		}
		if got := strings.Join(gains, " "); got != c.gains {
			t.Errorf("%+v: the profile gains %q, want %q", c.run, got, c.gains)
		}
		if got := len(at(r, policy.PlaceTools).Allow); (got == 5) != c.run.ToolSearch {
			t.Errorf("%+v: the list of tools has %d entries", c.run, got)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	cfg := read(b, wholeConfig)
	ctx := by(toolrest.Caller{
		Session: "agent:ops:telegram:group:-100", Provider: "openai", Model: "gpt-5.5", Channel: "telegram", Sender: toolrest.Sender{ID: "42"},
	})
	b.ReportAllocs()
	for b.Loop() {
		policy.Resolve(cfg, ctx)
	}
}
