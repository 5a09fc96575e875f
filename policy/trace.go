package policy

import (
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
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
)

// Removes reports whether the effect takes the tool away.
func (e Effect) Removes() bool { return e == Denied || e == NotAllowed }

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
	// Member is what of a group or a plugin entry matched, and Members how
	// many tools a group stands for; empty for other rules, and Members is 0
	// for an entry whose tools are not known beforehand.
	Member  string `json:"member,omitempty"`
	Members int    `json:"members,omitempty"`
	// Place is the layer's place in the pipeline.
	Place Place `json:"-"`
	// Why is the layer's own reason for removing, where it has one.
	Why string `json:"why,omitempty"`
}

func (s Step) by(e Effect, t subject, rule Entry) Step {
	s.Effect, s.Rule, s.Pos, s.Via = e, rule.Text, rule.Pos, via(rule.Text, t)
	return s
}

func via(text string, t subject) string {
	name := names.Normalise(text)
	members, group := catalog.Group(name)
	switch {
	case name == t.name && names.Fold(text) != name:
		return "alias"
	case name == t.name:
		return ""
	case name == pluginsGroup:
		return "group"
	case group:
		for _, m := range members {
			if m == t.name {
				return "group"
			}
		}
	case name == "*":
		return "glob"
	case isGlob(name) && compileGlob(name).match(t.name):
		return "glob"
	case name == t.plugin:
		return "plugin"
	}
	return "write"
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
	case "write":
		return fmt.Sprintf("'%s', which covers apply_patch as well", s.Rule)
	}
	return fmt.Sprintf("'%s' (%s)", s.Rule, s.Via)
}
