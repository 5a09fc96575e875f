package policy

import "github.com/toolrest/toolrest/internal/names"

// Resolution is what a config says in given circumstances: the layers, and the
// facts that chose them.
type Resolution struct {
	// AgentID is the normalised id of the agent, or empty where nobody names
	// one.
	AgentID string
	// Owner reports whether the owner asks.
	Owner bool
	// Profile and ProviderProfile are the names of the profiles in force, as
	// they were written; empty for none.
	Profile, ProviderProfile string
	// ProviderKey and AgentProviderKey are the keys of tools.byProvider and of
	// the agent's byProvider that count, as they were written.
	ProviderKey, AgentProviderKey string
	Conversation
	Sandboxing
	Lineage
	// Layers stand in the order in which they are applied. Those without a
	// policy are left out.
	Layers []Layer
}

// Resolve gives the layers of a config for whom and for what ctx says. It
// reads nothing else, takes time linear in the config, and is safe for use by
// several goroutines. It accepts also what a loader refuses: an unknown
// profile is none, a blank entry says nothing.
//
// The layers of a config that stands under another ([Config.Base],
// [Config.Baseline]) come after those of the other, so it only tightens.
func Resolve(cfg *Config, ctx Context) Resolution {
	r := newResolver(cfg, ctx)
	r.profiles()
	r.lists()
	if r.res.Sandboxed {
		r.sandbox()
	}
	if r.res.Subagent {
		r.subagent()
	}
	r.inherited()
	above := r.above() // which may find the session sandboxed
	r.res.Layers = r.layers
	r.res.Layers = around(Filters(cfg, r.ctx, &r.res), r.layers)
	if len(above) > 0 {
		r.res.Layers = append(above, r.res.Layers...)
	}
	return r.res
}

// resolver resolves one config for one context.
type resolver struct {
	cfg   *Config
	ctx   Context
	agent *Agent // nil where the config has no entry for it
	// provider and agentProvider are the sections of byProvider that count, or
	// nil.
	provider, agentProvider *KeyedSection
	res                     Resolution
	layers                  []Layer
}

func newResolver(cfg *Config, ctx Context) *resolver {
	ctx = cfg.atDoor(ctx)
	r := &resolver{cfg: cfg, ctx: ctx, layers: make([]Layer, 0, int(PlaceInherited-PlaceProfile)+1)}
	r.res.AgentID = names.AgentOf(ctx.Agent, ctx.Session)
	r.res.Owner = Owner(cfg, ctx)
	if r.res.AgentID != "" {
		r.agent = cfg.agent(r.res.AgentID)
	}
	r.res.Conversation = conversation(ctx)
	r.res.Sandboxing = r.sandboxing()
	r.res.Lineage = r.lineage()
	if s, ok := providerSection(cfg.Tools.ByProvider, ctx.Provider, ctx.Model); ok {
		r.provider, r.res.ProviderKey = s, s.Key
	}
	if r.agent == nil {
		return r
	}
	if s, ok := providerSection(r.agent.Tools.ByProvider, ctx.Provider, ctx.Model); ok {
		r.agentProvider, r.res.AgentProviderKey = s, s.Key
	}
	return r
}

// above gives the layers that stand before those of the config itself.
func (r *resolver) above() []Layer {
	var out []Layer
	baseline := r.cfg.Baseline
	if baseline != nil {
		out = append(out, *baseline)
	}
	if r.cfg.Base == nil {
		return out
	}
	base := Resolve(r.cfg.Base, r.ctx)
	r.res.Sandboxed = r.res.Sandboxed || base.Sandboxed
	for _, l := range base.Layers {
		if baseline == nil || l.Place != PlaceProfile {
			out = append(out, l)
		}
	}
	return out
}

// lists adds the layers of the sections, from the global one to the sender's.
func (r *resolver) lists() {
	r.optional(PlaceTools, &r.cfg.Tools.Section)
	r.keyed(PlaceProvider, r.provider)
	if r.agent != nil {
		r.optional(PlaceAgent, &r.agent.Tools.Section)
	}
	r.keyed(PlaceAgentProvider, r.agentProvider)
	if s, ok := r.groupSection(); ok {
		r.section(PlaceGroup, s)
	}
	if s, ok := r.senderSection(); ok {
		r.section(PlaceSender, s)
	}
}

// optional adds a section whose allow list may be no more than an opt-in.
func (r *resolver) optional(at Place, s *Section) {
	if r.optsIn(s) {
		r.section(at, optedIn(*s))
		return
	}
	r.section(at, *s)
}

func (r *resolver) keyed(at Place, s *KeyedSection) {
	if s != nil {
		r.section(at, s.Section)
	}
}

// section adds the layer of a section that gives a policy.
func (r *resolver) section(at Place, s Section) {
	p, ok := pick(s)
	if !ok {
		return
	}
	r.add(Layer{
		Place: at, Allow: p.allow, Deny: p.deny, Implicit: p.implicit,
		AllowPath: s.Allow.path(s.Path, "allow"), AllowPos: s.Allow.Pos, DenyPath: s.Deny.path(s.Path, "deny"),
	})
}

// add puts a layer at the end, under the label of its place.
func (r *resolver) add(l Layer) {
	if r.cfg.skips(r.ctx.Surface, l.Place) {
		return
	}
	if l.Label == "" {
		l.Label = r.res.Label(l.Place)
	}
	if r.ctx.Run.ToolSearch && PlaceTools <= l.Place && l.Place <= PlaceSubagent {
		l.Allow = r.withSearch(l.Allow)
	}
	r.layers = append(r.layers, l)
}

// Label gives the name of the layer at a place: the path of its allow list,
// shortened. It is empty for places that are no layer of a config.
func (r *Resolution) Label(at Place) string {
	switch at {
	case PlaceProfile:
		return profileLabel("tools.profile", r.Profile)
	case PlaceProviderProfile:
		return profileLabel("tools.byProvider.profile", r.ProviderProfile)
	case PlaceTools:
		return "tools.allow"
	case PlaceProvider:
		return "tools.byProvider.allow"
	case PlaceAgent:
		return agentLabel(r.AgentID) + ".allow"
	case PlaceAgentProvider:
		return agentLabel(r.AgentID) + ".byProvider.allow"
	case PlaceGroup:
		return "group tools.allow"
	case PlaceSender:
		return "tools.toolsBySender"
	case PlaceSandbox:
		return "sandbox tools.allow"
	case PlaceSubagent:
		return "subagent tools.allow"
	case PlaceInherited:
		return "inherited tools"
	}
	return ""
}

func profileLabel(label, profile string) string {
	if profile == "" {
		return label
	}
	return label + " (" + profile + ")"
}

// path is where an edit of the list goes: its own place, or a key of the
// section when the list does not know it.
func (l List) path(section, key string) string {
	switch {
	case l.Path != "":
		return l.Path
	case section == "":
		return "tools." + key
	}
	return section + "." + key
}
