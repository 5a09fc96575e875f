package policy

import (
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
)

// GuardReason says why no tool is left although lists ask for some.
type GuardReason string

// The reasons.
const (
	GuardToolsOff GuardReason = "tools-disabled"      // the run has its tools switched off
	GuardNoMatch  GuardReason = "no-match"            // no tool that exists matched
	GuardModel    GuardReason = "model-without-tools" // the model cannot call any
)

// ListSource is an allow list that somebody wrote: a reason to expect tools.
type ListSource struct {
	Label   string
	Entries []Entry // trimmed, none blank
	// Pos is where the list begins.
	Pos toolrest.Pos
	// Forced is set for a list that counts also in a run with tools switched
	// off.
	Forced bool
}

// NewListSource gives the source that a list is. A list without a usable entry
// is none.
func NewListSource(label string, list List, forced bool) (ListSource, bool) {
	s := ListSource{Label: label, Pos: list.Pos, Forced: forced}
	for _, e := range list.Entries {
		if e.Text = names.Trim(e.Text); e.Text != "" {
			s.Entries = append(s.Entries, e)
		}
	}
	return s, len(s.Entries) > 0
}

// ListSources gives the allow lists among the config's layers and the run's
// own, in the order of the pipeline. Profiles are none of them, and neither is
// what a sender is allowed: nobody wrote them to ask for a tool.
func ListSources(layers []Layer, run Run) []ListSource {
	var out []ListSource
	add := func(label string, list List, forced bool) {
		if s, ok := NewListSource(label, list, forced); ok {
			out = append(out, s)
		}
	}
	for _, l := range layers {
		if l.Place < PlaceTools || l.Place > PlaceInherited || l.Place == PlaceSender {
			continue
		}
		label := l.Label
		if l.Place == PlaceInherited {
			label += ".allow"
		}
		add(label, List{Entries: l.Allow, Pos: l.asksAt()}, false)
	}
	add(LabelRun, run.RunAllow(), true)
	return out
}

// asksAt is where the allow list was written: where it begins, or else its
// first entry that stands in a file.
func (l *Layer) asksAt() toolrest.Pos {
	for i := 0; l.AllowPos.IsZero() && i < len(l.Allow); i++ {
		if p := l.Allow[i].Pos; !p.IsZero() {
			return p
		}
	}
	return l.AllowPos
}

// GuardFacts are the circumstances that Guard asks about.
type GuardFacts struct {
	ToolsOff     bool // the run has its tools switched off
	ModelNoTools bool // the model cannot call any
}

// Guard refuses a turn in which lists ask for tools and none is left to call:
// a model without its tools would make up what they say. Callable are the
// names that are left. It gives nil when there is nothing to refuse.
func Guard(sources []ListSource, callable []string, f GuardFacts) *GuardError {
	for _, name := range callable {
		if names.Normalise(name) != "" {
			return nil
		}
	}
	e := &GuardError{Reason: GuardNoMatch}
	switch {
	case f.ToolsOff:
		e.Reason = GuardToolsOff
	case f.ModelNoTools:
		e.Reason = GuardModel
	}
	for _, s := range sources {
		if s.Forced || !f.ToolsOff {
			e.Sources = append(e.Sources, s)
		}
	}
	if len(e.Sources) == 0 {
		return nil
	}
	return e
}

// GuardError is what [Guard] refuses a turn with.
type GuardError struct {
	Sources []ListSource // those that ask for tools, at least one
	Reason  GuardReason
}

// Requested gives all that the sources ask for, in one line: "label: a, b;
// label: c", with the names normalised.
func (e *GuardError) Requested() string {
	parts := make([]string, len(e.Sources))
	for i, s := range e.Sources {
		wanted := make([]string, len(s.Entries))
		for j, entry := range s.Entries {
			wanted[j] = names.Normalise(entry.Text)
		}
		parts[i] = s.Label + ": " + strings.Join(wanted, ", ")
	}
	return strings.Join(parts, "; ")
}

// Error names every source with its place and its first entries, says why
// nothing is left, and what to do.
func (e *GuardError) Error() string {
	parts := make([]string, len(e.Sources))
	for i, s := range e.Sources {
		parts[i] = s.Label
		if at := s.Pos.String(); at != "" {
			parts[i] += " (" + at + ")"
		}
		parts[i] += " asks for " + s.fewEntries()
	}
	return fmt.Sprintf("no tool is left to call: %s; %s", strings.Join(parts, "; "), e.reason())
}

func (e *GuardError) reason() string {
	switch e.Reason {
	case GuardToolsOff:
		return "but this run has its tools switched off: start it with tools, or without a list of them"
	case GuardModel:
		return "but the model cannot call tools: choose one that can, or remove the lists"
	}
	return "but no tool that is there matches: correct the lists, or enable the plugin or server that brings the tools"
}

// fewEntries shows the first entries, and what was probably meant by a name
// that nobody knows.
func (s ListSource) fewEntries() string {
	text := shown(textsOf(s.Entries))
	for _, e := range s.Entries[:min(len(s.Entries), maxShown)] {
		near := names.Nearest(e.Text, catalogueIDs, 1)
		if len(near) > 0 && near[0] != names.Normalise(e.Text) {
			text += " (did you mean " + near[0] + "?)"
		}
	}
	return text
}

// maxShown is how many names one message shows of a list.
const maxShown = 10

// shown gives the first names of a list, harmless to print.
func shown(all []string) string {
	var out []string
	for _, name := range all[:min(len(all), maxShown)] {
		out = append(out, names.Show(name))
	}
	if more := len(all) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// catalogueIDs are the tools that a misspelt name may have meant.
var catalogueIDs = func() []string {
	var ids []string
	for _, row := range catalog.Default.All() {
		ids = append(ids, row.ID)
	}
	return ids
}()
