package config

import (
	"fmt"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// ReadPolicy takes out of a config's text what policy wants to know of it. It
// checks nothing: what has another form than it should is as if it were not
// there. [Load] is for files that people write; ReadPolicy is for those who
// judge a text as it is.
func ReadPolicy(file string, text []byte) (*policy.Config, error) {
	tree, err := json5.Parse(file, text)
	if tree == nil {
		return nil, fmt.Errorf("read a policy: %w", err)
	}
	r := policyReader{
		pos:  func(n *json5.Node) toolrest.Pos { return toolrest.Pos{File: file, Line: n.Line, Col: n.Col} },
		text: func(n *json5.Node) string { return n.Text },
	}
	return r.config(tree), nil
}

// policyReader fills a policy.Config from a tree.
type policyReader struct {
	pos  func(*json5.Node) toolrest.Pos
	text func(*json5.Node) string // of a string, with what it refers to
}

func (r policyReader) config(tree *json5.Node) *policy.Config {
	agents := child(tree, "agents", json5.Object)
	defaults := child(agents, "defaults", json5.Object)
	session := child(tree, "session", json5.Object)
	c := &policy.Config{
		Tools:        r.scope(child(tree, "tools", json5.Object), "tools"),
		Agents:       r.agents(child(agents, "list", json5.Array)),
		Channels:     r.channels(child(tree, "channels", json5.Object)),
		Gateway:      r.section(child(child(tree, "gateway", json5.Object), "tools", json5.Object), "gateway.tools"),
		Owners:       r.list(child(tree, "commands", json5.Object), "commands", "ownerAllowFrom"),
		MainKey:      r.string(session, "mainKey"),
		SessionScope: r.string(session, "scope"),
		AuthProfiles: r.authProfiles(child(child(tree, "auth", json5.Object), "profiles", json5.Object)),
		MCPServers:   r.servers(child(child(tree, "mcp", json5.Object), "servers", json5.Object)),
	}
	c.Defaults.SandboxMode, c.Defaults.SandboxModePos = r.sandboxMode(defaults)
	c.Defaults.Lean = flag(child(defaults, "experimental", json5.Object), "localModelLean")
	c.Defaults.Contract = r.contract(defaults)
	if n := child(child(defaults, "subagents", json5.Object), "maxSpawnDepth", json5.Number); n != nil {
		c.Defaults.MaxSpawnDepth = int(n.Number)
	}
	return c
}

func (r policyReader) string(n *json5.Node, name string) string {
	text, _ := r.stringAt(n, name)
	return text
}

func (r policyReader) stringAt(n *json5.Node, name string) (string, toolrest.Pos) {
	t := child(n, name, json5.String)
	if t == nil {
		return "", toolrest.Pos{}
	}
	return r.text(t), r.pos(t)
}

func flag(n *json5.Node, name string) *bool {
	if b := child(n, name, json5.Bool); b != nil {
		return &b.Bool
	}
	return nil
}

// section reads the lists of a section; n is nil where it says nothing.
func (r policyReader) section(n *json5.Node, path string) policy.Section {
	s := policy.Section{Path: path}
	if n != nil {
		s.Pos = r.pos(n)
	}
	s.Profile, s.ProfilePos = r.stringAt(n, "profile")
	s.Allow = r.list(n, path, "allow")
	s.AlsoAllow = r.list(n, path, "alsoAllow")
	s.Deny = r.list(n, path, "deny")
	return s
}

func (r policyReader) list(n *json5.Node, path, name string) policy.List {
	list := policy.List{Path: json5.JoinKey(path, name)}
	array := child(n, name, json5.Array)
	if array == nil {
		return list
	}
	list.Set, list.Pos = true, r.pos(array)
	for _, item := range array.Items {
		if item.Kind == json5.String || item.Kind == json5.Number && name == "ownerAllowFrom" {
			list.Entries = append(list.Entries, policy.Entry{Text: r.text(item), Pos: r.pos(item)})
		}
	}
	return list
}

func (r policyReader) scope(n *json5.Node, path string) policy.Scope {
	exec, fs := child(n, "exec", json5.Object), child(n, "fs", json5.Object)
	patch := child(exec, "applyPatch", json5.Object)
	search := child(child(n, "web", json5.Object), "search", json5.Object)
	native := flag(child(search, "openaiCodex", json5.Object), "enabled")
	s := policy.Scope{
		Section:    r.section(n, path),
		ByProvider: r.keyed(n, path, "byProvider"),
		BySender:   r.keyed(n, path, "toolsBySender"),
		Sandbox:    r.inner(n, path, "sandbox"),
		Subagents:  r.inner(n, path, "subagents"),
		ApplyPatch: policy.ApplyPatch{Set: patch != nil, Enabled: flag(patch, "enabled"), AllowModels: r.list(patch, path+".exec.applyPatch", "allowModels")},
		PlanTool:   flag(child(n, "experimental", json5.Object), "planTool"),
		WebFetch:   flag(child(child(n, "web", json5.Object), "fetch", json5.Object), "enabled"),
		WebSearch:  policy.WebSearch{Enabled: flag(search, "enabled"), Native: native != nil && *native},
	}
	if exec != nil {
		s.Exec = r.pos(exec)
	}
	if fs != nil {
		s.FS = r.pos(fs)
	}
	return s
}

// inner reads the tools of a section's part: sandbox.tools, subagents.tools.
func (r policyReader) inner(n *json5.Node, path, name string) policy.Section {
	part := child(child(n, name, json5.Object), "tools", json5.Object)
	return r.section(part, path+"."+name+".tools")
}

// keyed reads sections below keys that the user chose. What is no object is
// left out.
func (r policyReader) keyed(n *json5.Node, path, name string) []policy.KeyedSection {
	object := child(n, name, json5.Object)
	if object == nil {
		return nil
	}
	var out []policy.KeyedSection
	for _, m := range object.Members {
		if m.Value.Kind == json5.Object {
			at := json5.JoinKey(path+"."+name, m.Key)
			out = append(out, policy.KeyedSection{Key: m.Key, KeyPos: r.pos(m.Value), Section: r.section(m.Value, at)})
		}
	}
	return out
}

func (r policyReader) contract(n *json5.Node) string {
	return r.string(child(n, "embeddedAgent", json5.Object), "executionContract")
}

func (r policyReader) sandboxMode(n *json5.Node) (string, toolrest.Pos) {
	return r.stringAt(child(n, "sandbox", json5.Object), "mode")
}

func (r policyReader) agents(list *json5.Node) []policy.Agent {
	if list == nil {
		return nil
	}
	var out []policy.Agent
	for i, n := range list.Items {
		if n.Kind != json5.Object {
			continue
		}
		path := json5.JoinIndex("agents.list", i)
		experimental := child(n, "experimental", json5.Object)
		a := policy.Agent{
			ID: r.string(n, "id"), Pos: r.pos(n), Path: path,
			Tools:           r.scope(child(n, "tools", json5.Object), path+".tools"),
			Contract:        r.contract(n),
			Lean:            flag(experimental, "localModelLean"),
			HasExperimental: experimental != nil,
		}
		if main := flag(n, "default"); main != nil {
			a.Main = *main
		}
		a.SandboxMode, a.SandboxModePos = r.sandboxMode(n)
		out = append(out, a)
	}
	return out
}

func (r policyReader) channels(n *json5.Node) []policy.Channel {
	var out []policy.Channel
	for _, m := range members(n) {
		path := json5.JoinKey("channels", m.Key)
		c := policy.Channel{ID: m.Key, Groups: r.groups(m.Value, path)}
		for _, a := range members(child(m.Value, "accounts", json5.Object)) {
			c.Accounts = append(c.Accounts, policy.Account{
				ID:        a.Key,
				HasGroups: child(a.Value, "groups", json5.Object) != nil,
				Groups:    r.groups(a.Value, json5.JoinKey(path+".accounts", a.Key)),
			})
		}
		out = append(out, c)
	}
	return out
}

func (r policyReader) groups(n *json5.Node, path string) []policy.Group {
	var out []policy.Group
	for _, m := range members(child(n, "groups", json5.Object)) {
		at := json5.JoinKey(path+".groups", m.Key)
		g := policy.Group{ID: m.Key, Pos: r.pos(m.Value), Path: at, BySender: r.keyed(m.Value, at, "toolsBySender")}
		if tools := child(m.Value, "tools", json5.Object); tools != nil {
			s := r.section(tools, at+".tools")
			g.Tools = &s
		}
		out = append(out, g)
	}
	return out
}

func (r policyReader) authProfiles(n *json5.Node) []policy.AuthProfile {
	var out []policy.AuthProfile
	for _, m := range members(n) {
		out = append(out, policy.AuthProfile{Provider: r.string(m.Value, "provider"), Mode: r.string(m.Value, "mode")})
	}
	return out
}

func (r policyReader) servers(n *json5.Node) []policy.Server {
	var out []policy.Server
	for _, m := range members(n) {
		enabled := flag(m.Value, "enabled")
		out = append(out, policy.Server{Name: m.Key, Off: enabled != nil && !*enabled, Pos: r.pos(m.Value)})
	}
	return out
}

// members gives the members of an object that are objects themselves.
func members(n *json5.Node) []json5.Member {
	if n == nil {
		return nil
	}
	var out []json5.Member
	for _, m := range n.Members {
		if m.Value.Kind == json5.Object {
			out = append(out, m)
		}
	}
	return out
}
