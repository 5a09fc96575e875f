package lint

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// kind is which list of a section it is.
type kind uint8

const (
	allow kind = iota
	alsoAllow
	deny
)

func (k kind) key() string { return [...]string{"allow", "alsoAllow", "deny"}[k] }

// scopeKind is what a section depends on.
type scopeKind uint8

const (
	scopeTools scopeKind = iota
	scopeProvider
	scopeSender
	scopeSandbox
	scopeSubagents
	scopeGroup
	scopeDoor // gateway.tools
)

// scope is a section with its place in the config.
type scope struct {
	*policy.Section
	kind  scopeKind
	agent string // the agent whose section it is, or empty
	key   policy.KeyedSection
}

// list is one list of a section of the checker's own copy of the config.
type list struct {
	*policy.List
	kind  kind
	scope scope
	path  string
}

// concerns reports whether the list can matter in a situation at all. It may
// say yes too often, never no.
func (l list) concerns(s *survey.Situation) bool {
	c := &s.Asks.Caller
	if l.scope.agent != "" && l.scope.agent != s.Agent {
		return false
	}
	switch l.scope.kind {
	case scopeProvider:
		return c.Provider != ""
	case scopeSandbox:
		return c.Sandbox != "off"
	case scopeSubagents:
		return c.Depth > 0
	case scopeGroup:
		return c.Group != ""
	case scopeDoor:
		return c.Surface == "http"
	}
	return true
}

// clone copies a config as deep as the checker changes it. Entries are never
// changed in place, so they stay shared.
func clone(cfg *policy.Config) *policy.Config {
	out := *cfg
	cloneScope(&out.Tools)
	out.Agents = slices.Clone(cfg.Agents)
	for i := range out.Agents {
		cloneScope(&out.Agents[i].Tools)
	}
	out.Channels = slices.Clone(cfg.Channels)
	for i := range out.Channels {
		ch := &out.Channels[i]
		ch.Groups = cloneGroups(ch.Groups)
		ch.Accounts = slices.Clone(ch.Accounts)
		for j := range ch.Accounts {
			ch.Accounts[j].Groups = cloneGroups(ch.Accounts[j].Groups)
		}
	}
	return &out
}

func cloneScope(s *policy.Scope) {
	s.ByProvider, s.BySender = slices.Clone(s.ByProvider), slices.Clone(s.BySender)
}

func cloneGroups(groups []policy.Group) []policy.Group {
	out := slices.Clone(groups)
	for i := range out {
		out[i].BySender = slices.Clone(out[i].BySender)
		if t := out[i].Tools; t != nil {
			own := *t
			out[i].Tools = &own
		}
	}
	return out
}

// scopesOf gives every section of a config, in the order of a file.
func scopesOf(cfg *policy.Config) []scope {
	var out []scope
	add := func(k scopeKind, agent string, s *policy.Section) {
		out = append(out, scope{Section: s, kind: k, agent: agent})
	}
	keyed := func(k scopeKind, agent string, list []policy.KeyedSection) {
		for i := range list {
			out = append(out, scope{Section: &list[i].Section, kind: k, agent: agent, key: list[i]})
		}
	}
	tools := func(s *policy.Scope, agent string) {
		add(scopeTools, agent, &s.Section)
		keyed(scopeProvider, agent, s.ByProvider)
		keyed(scopeSender, agent, s.BySender)
		add(scopeSandbox, agent, &s.Sandbox)
	}
	groups := func(list []policy.Group) {
		for i := range list {
			if list[i].Tools != nil {
				add(scopeGroup, "", list[i].Tools)
			}
			keyed(scopeGroup, "", list[i].BySender)
		}
	}
	tools(&cfg.Tools, "")
	add(scopeSubagents, "", &cfg.Tools.Subagents)
	for i := range cfg.Agents {
		tools(&cfg.Agents[i].Tools, names.AgentID(cfg.Agents[i].ID))
	}
	for i := range cfg.Channels {
		groups(cfg.Channels[i].Groups)
		for j := range cfg.Channels[i].Accounts {
			groups(cfg.Channels[i].Accounts[j].Groups)
		}
	}
	add(scopeDoor, "", &cfg.Gateway)
	return out
}

// listsOf gives every list that was written.
func listsOf(cfg *policy.Config) []list {
	var out []list
	for _, s := range scopesOf(cfg) {
		for k, l := range []*policy.List{&s.Allow, &s.AlsoAllow, &s.Deny} {
			if l.Set {
				out = append(out, list{List: l, kind: kind(k), scope: s, path: pathOf(s.Section, l, kind(k))})
			}
		}
	}
	return out
}

func pathOf(s *policy.Section, l *policy.List, k kind) string {
	switch {
	case l.Path != "":
		return l.Path
	case s.Path == "":
		return "tools." + k.key()
	}
	return s.Path + "." + k.key()
}
