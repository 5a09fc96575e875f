package policy

import (
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
)

// Dialect chooses between the two sets of decisions. They are listed in
// docs/policy.md; all else is the same.
type Dialect uint8

// The dialects.
const (
	Default  Dialect = iota // loses nothing, opens nothing by accident
	OpenClaw                // decides as OpenClaw v2026.6.11 does
)

// Layer is a policy with its label and its place in the pipeline.
type Layer struct {
	// Label is the config path that people know the layer by: "tools.allow",
	// "agents.ops.tools.allow". It stands for the whole layer.
	Label string
	Allow []Entry
	Deny  []Entry
	// Profile is set for a layer that a profile gave.
	Profile string
	// AllowPath and DenyPath are where an edit of the lists would go, and
	// AllowPos where the allow list, or the profile, was written.
	AllowPath, DenyPath string
	AllowPos            toolrest.Pos
	// Widen is the edit that lets one more tool through, where adding to the
	// allow list is not it. Its Value is filled with the tool's name when it
	// is empty.
	Widen *Edit
	// Remedy, where it is set, says what a person does instead of editing.
	Remedy string
	// Place is where the layer stands in the pipeline.
	Place Place
	// Exact compares the entries with the raw name of a tool: no normalising,
	// no groups, no globs, no link from write to apply_patch.
	Exact bool
	// Closed makes an allow list without usable entries let nothing through;
	// otherwise such a list restricts nothing.
	Closed bool
	// Named judges optional tools alone, and wants them named in the allow
	// list: by name, by plugin id or by group:plugins; never by a glob, and by
	// "*" only in the dialect OpenClaw.
	Named bool
	// Why is said in the reason of a removal: "a voice channel cannot carry
	// it".
	Why string
	// Implicit is set when the "*" at the head of Allow was not written but
	// follows from an alsoAllow without an allow list.
	Implicit bool
}

// Scopes are the parts of a config that make up a pipeline.
type Scopes struct {
	Dialect Dialect
	// Baseline, when set, stands before all others: what a config that is not
	// trusted cannot widen.
	Baseline *Layer
	// DefaultProfile counts where no scope sets a profile.
	DefaultProfile string
	Global         Section
	// AgentID and Agent are the caller's; Agent is nil when the config has
	// no entry for it.
	AgentID string
	Agent   *Section
}

// Layers gives the layers in the order of the pipeline, those without a
// policy left out.
func Layers(s Scopes) []Layer {
	var out []Layer
	if s.Baseline != nil {
		out = append(out, *s.Baseline)
	}
	if l, ok := profileLayer(s); ok {
		out = append(out, l)
	}
	if !s.Global.empty() {
		out = append(out, sectionLayer("tools.allow", s.Global))
	}
	if s.Agent != nil && !s.Agent.empty() {
		out = append(out, sectionLayer(agentLabel(s.AgentID)+".allow", *s.Agent))
	}
	return out
}

func agentLabel(id string) string {
	if id = strings.TrimSpace(id); id == "" {
		return "agent tools"
	}
	return "agents." + id + ".tools"
}

func sectionLayer(label string, s Section) Layer {
	p := pick(s)
	return Layer{
		Label: label, Allow: p.allow, Deny: p.deny, Implicit: p.implicit,
		AllowPath: s.Path + ".allow", DenyPath: s.Path + ".deny", AllowPos: s.Allow.Pos,
	}
}

// BaselineLayer is the layer that holds an untrusted config to the built-in
// profile. Remedy tells how the user lifts it.
func BaselineLayer(profile, remedy string) Layer {
	return Layer{
		Label:   "built-in profile (" + profile + ") until the config is trusted",
		Allow:   profileEntries(profile, toolrest.Pos{}),
		Profile: profile, Remedy: remedy,
	}
}

func profileEntries(profile string, pos toolrest.Pos) []Entry {
	allowed, _ := catalog.ProfileAllow(profile)
	out := make([]Entry, len(allowed))
	for i, name := range allowed {
		out[i] = Entry{Text: name, Pos: pos}
	}
	return out
}

// profileLayer takes the agent's profile over the global one, and the agent's
// alsoAllow, where it was written at all, over the global one.
func profileLayer(s Scopes) (Layer, bool) {
	profile, pos := s.Global.Profile, s.Global.ProfilePos
	if s.Agent != nil && s.Agent.Profile != "" {
		profile, pos = s.Agent.Profile, s.Agent.ProfilePos
	}
	if profile == "" {
		profile, pos = s.DefaultProfile, toolrest.Pos{}
	}
	if _, ok := catalog.ProfileAllow(profile); !ok {
		return Layer{}, false
	}
	l := Layer{Label: "tools.profile (" + profile + ")", Profile: profile, AllowPos: pos}
	if profile == "full" && s.Dialect == Default {
		return l, true // no restriction
	}
	also := s.Global
	if s.Agent != nil && s.Agent.AlsoAllow.Set {
		also = *s.Agent
	}
	l.Allow = append(profileEntries(profile, pos), also.AlsoAllow.Entries...)
	l.Widen = widenProfile(s, also)
	return l, true
}

// widenProfile finds the scope that can take an alsoAllow: the one in force,
// unless it has an allow list, beside which alsoAllow is refused.
func widenProfile(s Scopes, inForce Section) *Edit {
	if len(inForce.Allow.Entries) == 0 {
		return &Edit{Op: EditAdd, Path: path(inForce, "tools") + ".alsoAllow", Pos: inForce.AlsoAllow.Pos}
	}
	scope, value := s.Global, "full"
	if s.Agent != nil && s.Agent.Profile != "" {
		scope = *s.Agent
	}
	return &Edit{Op: EditSet, Path: path(scope, "tools") + ".profile", Value: value, Pos: scope.ProfilePos}
}

func path(s Section, fallback string) string {
	if s.Path == "" {
		return fallback
	}
	return s.Path
}

// DenyLabel is the layer's label when one of its deny entries decided.
func DenyLabel(label string) string {
	if strings.Contains(label, ".allow") {
		return strings.Replace(label, ".allow", ".deny", 1)
	}
	return label + ".deny"
}

// normaliseTool gives the form in which the engine compares t.
func normaliseTool(t Tool) subject {
	return subject{
		name:       names.Normalise(t.Name),
		plugin:     names.Fold(t.Plugin),
		fromPlugin: t.FromPlugin || t.Plugin != "",
	}
}
