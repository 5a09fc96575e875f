package policy

import (
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
)

// fullProfile is the profile that holds everything.
const fullProfile = "full"

// messageTool is the tool that answers in a chat.
const messageTool = "message"

// deliveryByTool is the way of delivery in which answers go through the
// message tool alone.
const deliveryByTool = "message_tool_only"

// searchTools are the controls of tool search.
var searchTools = builtIn("tool_search_code", "tool_search", "tool_describe", "tool_call")

// profiles adds the two layers that profiles give.
func (r *resolver) profiles() {
	own := r.cfg.Tools.Section
	inForce, also := own, own
	if r.agent != nil {
		a := r.agent.Tools.Section
		if a.Profile != "" {
			inForce = a
		}
		if a.AlsoAllow.written() {
			also = a
		}
	}
	profile, pos := inForce.Profile, inForce.ProfilePos
	if profile == "" {
		profile, pos = r.cfg.DefaultProfile, toolrest.Pos{}
	}
	r.res.Profile = profile
	more := r.optIns()
	r.profile(PlaceProfile, profile, pos, also.AlsoAllow.Entries, more, widen(inForce, also))

	global, agent := sectionOf(r.provider), sectionOf(r.agentProvider)
	inForce, also = global, global
	if agent.Profile != "" {
		inForce = agent
	}
	if agent.AlsoAllow.written() {
		also = agent
	} else if !global.AlsoAllow.written() {
		also = inForce
	}
	r.res.ProviderProfile = inForce.Profile
	r.profile(PlaceProviderProfile, inForce.Profile, inForce.ProfilePos, also.AlsoAllow.Entries, nil, widen(inForce, also))
}

func sectionOf(s *KeyedSection) Section {
	if s == nil {
		return Section{}
	}
	return s.Section
}

// profile adds the layer of a profile: what it holds, what the scope adds with
// alsoAllow, and what the run brings along.
func (r *resolver) profile(at Place, profile string, pos toolrest.Pos, also, more []Entry, widen *Edit) {
	held, ok := profileEntries(r.cfg.Dialect, profile, pos)
	if !ok {
		return
	}
	l := Layer{Place: at, Profile: profile, AllowPos: pos}
	if profile != fullProfile || r.cfg.Dialect != Default {
		l.Allow, l.Widen = held, widen
		if more = slices.Concat(also, more, r.brought()); len(more) > 0 {
			l.Allow = union(held, more)
		}
	}
	r.add(l)
}

// profileEntries gives what a profile holds. It answers false for names that
// are no profile.
func profileEntries(d Dialect, profile string, pos toolrest.Pos) ([]Entry, bool) {
	held, ok := profilesOf[d][profile]
	if !ok || pos.IsZero() {
		return held, ok
	}
	out := slices.Clone(held)
	for i := range out {
		out[i].Pos = pos
	}
	return out, true
}

// profilesOf are the entries of each profile, by dialect and name.
var profilesOf = map[Dialect]map[string][]Entry{Default: profilesIn(Default), OpenClaw: profilesIn(OpenClaw)}

func profilesIn(d Dialect) map[string][]Entry {
	out := map[string][]Entry{}
	for _, profile := range catalog.Profiles {
		held, _ := d.catalogue().ProfileAllow(profile)
		out[profile] = slices.Clip(builtIn(held...))
	}
	return out
}

func (d Dialect) catalogue() *catalog.Catalogue {
	if d == OpenClaw {
		return catalog.OpenClaw
	}
	return catalog.Default
}

// brought are the entries that the run adds to its profiles.
func (r *resolver) brought() []Entry {
	run := &r.ctx.Run
	var out []Entry
	if run.Message || run.Replies == deliveryByTool || r.runAllowsMessage() {
		out = append(out, Entry{Text: messageTool})
	}
	if run.Heartbeat {
		out = append(out, Entry{Text: "heartbeat_respond"})
	}
	if run.ToolSearch {
		out = append(out, searchTools...)
	}
	return append(out, builtIn(run.Also...)...)
}

// runAllowsMessage reports whether the run's own allow list holds the message
// tool: by name, by a group, or with everything.
func (r *resolver) runAllowsMessage() bool {
	for _, e := range r.ctx.Run.Allow.Entries {
		name := names.Normalise(e.Text)
		members, _ := r.cfg.Dialect.catalogue().Group(name)
		if name == everything || name == messageTool || slices.Contains(members, messageTool) {
			return true
		}
	}
	return false
}

// withSearch adds the controls of tool search to an allow list. In the Default
// dialect a list that restricts nothing goes on doing so.
func (r *resolver) withSearch(allow []Entry) []Entry {
	if allow == nil || r.cfg.Dialect == Default && !usable(allow) {
		return allow
	}
	return union(allow, searchTools)
}

// widen finds the edit that adds to a profile: an alsoAllow in the scope in
// force, unless that has an allow list, beside which alsoAllow is refused.
func widen(profile, also Section) *Edit {
	if len(also.Allow.Entries) == 0 {
		path := also.AlsoAllow.path(also.Path, "alsoAllow")
		return &Edit{Op: EditAdd, Path: path, Pos: placed(path, also.AlsoAllow.Pos, also.Pos)}
	}
	path := profile.Path
	if path == "" {
		path = "tools"
	}
	return &Edit{Op: EditSet, Path: path + ".profile", Value: fullProfile, Pos: profile.ProfilePos}
}

// BaselineLayer is the layer that holds an untrusted config to the built-in
// profile. Remedy tells how the user lifts it.
func BaselineLayer(profile, remedy string) Layer {
	held, _ := profileEntries(Default, profile, toolrest.Pos{})
	return Layer{
		Place: PlaceBaseline, Label: "built-in profile (" + profile + ") until the config is trusted",
		Allow: held, Profile: profile, Remedy: remedy,
	}
}
