package config

import (
	"slices"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// prune gives the tree without what a config that is not trusted does not get,
// and notes what that is.
func (r *reader) prune(n *json5.Node, k *key, path string) *json5.Node {
	switch {
	case k.form == formList && n.Kind == json5.Array:
		items := make([]*json5.Node, len(n.Items))
		for i, item := range n.Items {
			items[i] = r.prune(item, &key{form: formObject, keys: k.keys}, json5.JoinIndex(path, i))
		}
		return n.WithItems(items)
	case n.Kind != json5.Object || len(k.keys) == 0:
		return n
	}
	var kept []json5.Member
	for _, m := range n.Members {
		at, child := json5.JoinKey(path, m.Key), k.find(m.Key)
		if k.form == formMap {
			child = &key{form: formObject, keys: k.keys}
		}
		switch {
		case child == nil:
		case child.withholds(m.Value):
			r.ignore(m.Value, at, child.owned)
			continue
		default:
			m.Value = r.prune(m.Value, child, at)
		}
		kept = append(kept, m)
	}
	return n.WithMembers(kept)
}

// inherit fills what an untrusted config cannot say with what counts without
// it. Its lists stand behind those of the base, and need nothing of this.
func inherit(c, base *policy.Config) {
	c.Base, c.Dialect, c.DefaultProfile = base, base.Dialect, base.DefaultProfile
	c.Owners, c.MainKey, c.SessionScope = base.Owners, base.MainKey, base.SessionScope
	c.AuthProfiles, c.MCPServers = base.AuthProfiles, base.MCPServers
	c.Gateway.Allow = base.Gateway.Allow
	c.Gateway.Deny = both(base.Gateway.Deny, c.Gateway.Deny)
	c.Defaults.MaxSpawnDepth = base.Defaults.MaxSpawnDepth
	c.Defaults.Lean = either(base.Defaults.Lean, c.Defaults.Lean, true)
	inheritScope(&c.Tools, &base.Tools)
	c.Agents = inheritAgents(c.Agents, base.Agents)
}

func inheritScope(s, base *policy.Scope) {
	s.ApplyPatch = policy.ApplyPatch{
		Enabled:     either(base.ApplyPatch.Enabled, s.ApplyPatch.Enabled, false),
		AllowModels: base.ApplyPatch.AllowModels,
	}
	s.PlanTool = either(base.PlanTool, s.PlanTool, false)
	s.WebSearch = base.WebSearch
}

// inheritAgents gives the agents of both. Those of the base stand first, so
// that the first, which may be the default, stays the first.
func inheritAgents(own, base []policy.Agent) []policy.Agent {
	out := make([]policy.Agent, 0, len(own)+len(base))
	place := map[string]int{}
	for _, b := range base {
		if id := names.AgentID(b.ID); !has(place, id) {
			place[id] = len(out)
			out = append(out, policy.Agent{ID: b.ID, Main: b.Main, Lean: b.Lean, HasExperimental: b.HasExperimental, Tools: policy.Scope{ApplyPatch: b.Tools.ApplyPatch}})
		}
	}
	for _, a := range own {
		i, known := place[names.AgentID(a.ID)]
		if !known {
			out = append(out, a)
			continue
		}
		b := &out[i]
		inheritScope(&a.Tools, &b.Tools)
		a.Main, a.Lean = b.Main, either(b.Lean, a.Lean, true)
		a.HasExperimental = a.HasExperimental || b.HasExperimental
		*b = a
	}
	return out
}

func has(place map[string]int, id string) bool {
	_, ok := place[id]
	return ok
}

// both gives the entries of two lists.
func both(first, second policy.List) policy.List {
	if !second.Set {
		return first
	}
	second.Entries = slices.Concat(first.Entries, second.Entries)
	return second
}

// either gives the tight value where one of two flags has it, and else the
// base's.
func either(base, own *bool, tight bool) *bool {
	if own != nil && *own == tight {
		return own
	}
	return base
}
