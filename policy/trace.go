package policy

import (
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// Effect is what a layer did to a tool.
type Effect string

// The effects.
const (
	Passed     Effect = "passed"      // the layer has no allow list and denies nothing that matches
	Allowed    Effect = "allowed"     // an entry of the allow list matches
	Denied     Effect = "denied"      // an entry of the deny list matches
	NotAllowed Effect = "not-allowed" // there is an allow list and nothing in it matches
	Stopped    Effect = "stopped"     // the run does not start at all
)

// Removes reports whether the effect takes the tool away.
func (e Effect) Removes() bool { return e == Denied || e == NotAllowed || e == Stopped }

// Step is what one layer did to one tool.
type Step struct {
	Layer  string `json:"layer"`
	Effect Effect `json:"effect"`
	// Rule is the entry that decided, as it was written; empty for Passed and
	// NotAllowed.
	Rule string `json:"rule,omitempty"`
	// Via says how a rule that is not the tool's own name matched it:
	// "group", "glob", "plugin", "alias", or "write" for the link from write
	// to apply_patch.
	Via string `json:"via,omitempty"`
	// Pos is where the rule stands, or the allow list that lacks one.
	Pos toolrest.Pos `json:"pos,omitzero"`
	// Member is the tool that a group or a plugin entry stood for, and Members
	// how many tools the group has; it is 0 where that depends on what the
	// plugins bring.
	Member  string `json:"member,omitempty"`
	Members int    `json:"members,omitempty"`
	// Place is the layer's place in the pipeline.
	Place Place `json:"-"`
	// Why is the layer's own reason for what it does, where it has one.
	Why string `json:"why,omitempty"`
}

// rule is an entry that decided, and how it came to match.
type rule struct {
	entry   Entry
	via     string
	member  string
	members int
}

// The words of Step.Via.
const (
	viaAlias  = "alias"
	viaGroup  = "group"
	viaGlob   = "glob"
	viaPlugin = "plugin"
	viaWrite  = "write"
)

func (s *Step) by(r rule) {
	s.Rule, s.Pos, s.Via, s.Member, s.Members = r.entry.Text, r.entry.Pos, r.via, r.member, r.members
}

// explain tells how e, of which h is the hit, came to match s.
func explain(s *Subject, e Entry, h hit) rule {
	r := rule{entry: e, members: int(h.members)}
	switch h.kind {
	case anyTool, pattern:
		r.via = viaGlob
	case anyPlugin, group:
		r.via, r.member = viaGroup, s.name
	case pluginOnly:
		r.via, r.member = viaPlugin, s.name
	case bare:
		if e.Text != s.name && names.Fold(e.Text) != s.name {
			r.via = viaAlias
		}
	}
	return r
}

// Trace is what the pipeline did to one tool: one step a layer.
type Trace struct {
	Tool  string `json:"tool"`
	Kept  bool   `json:"kept"`
	Steps []Step `json:"steps"`
}

// Removing gives the steps that took the tool away, in order. The first is
// the one that is enforced and named; the others would be next.
func (t Trace) Removing() []Step {
	var out []Step
	for _, s := range t.Steps {
		if s.Effect.Removes() {
			out = append(out, s)
		}
	}
	return out
}

// Reason tells in one line what the step did.
func (s Step) Reason() string {
	if s.Why != "" && s.Effect.Removes() {
		return fmt.Sprintf("removed by %s: %s", s.Layer, s.Why)
	}
	switch s.Effect {
	case Denied:
		return fmt.Sprintf("denied by %s, rule %s", s.Layer, s.quoted())
	case NotAllowed:
		if strings.Contains(s.Layer, "profile") {
			return "not part of " + s.Layer
		}
		return "not in the allow list of " + s.Layer
	case Allowed:
		return fmt.Sprintf("allowed by %s, rule %s", s.Layer, s.quoted())
	}
	return "not restricted by " + s.Layer
}

func (s Step) quoted() string {
	switch s.Via {
	case "":
		return fmt.Sprintf("'%s'", s.Rule)
	case viaWrite:
		return fmt.Sprintf("'%s', which covers apply_patch as well", s.Rule)
	}
	return fmt.Sprintf("'%s' (%s)", s.Rule, s.Via)
}
