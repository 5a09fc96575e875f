package policy

import "slices"

// Removal is what one layer took away by one kind of rule, for an audit log.
type Removal struct {
	// Rule is the label of the list that decided.
	Rule string `json:"rule"`
	// Kind is "deny" or "allow": whether a deny entry matched, or no allow
	// entry did.
	Kind string `json:"ruleKind"`
	// Tools are the normalised names, sorted, each once, at most 50.
	Tools []string `json:"tools"`
	// Matched are the deny entries that decided, sorted, each once; an entry
	// that means a plugin's tools is given as the tools that it met.
	Matched []string `json:"matched,omitempty"`
	// More is how many tools are left out of Tools.
	More int `json:"more,omitempty"`
}

// The kinds of removals.
const (
	RemovedByDeny  = "deny"
	RemovedByAllow = "allow"
)

const maxRemoved = 50

// Removals sums up what p takes away from tools, in the order of the layers;
// inside one the kind that struck first comes first. A tool counts for the
// first layer that removes it.
func Removals(p *Pipeline, tools []Tool) []Removal {
	byLayer := make([][]Removal, len(p.layers))
	for _, t := range tools {
		s := Prepare(t)
		v := p.Judge(&s)
		if v.Kept() {
			continue
		}
		layer := &byLayer[v.removedBy-1]
		step := p.Reason(&s, v)
		at := slices.IndexFunc(*layer, func(r Removal) bool { return r.Rule == step.Layer && r.Kind == removalKind(step) })
		if at < 0 {
			at = len(*layer)
			*layer = append(*layer, Removal{Rule: step.Layer, Kind: removalKind(step)})
		}
		(*layer)[at].add(p, &s, step)
	}
	out := []Removal{} // for JSON: nothing is an empty list
	for _, removals := range byLayer {
		out = append(out, removals...)
	}
	for i := range out {
		out[i].finish()
	}
	return out
}

func removalKind(step Step) string {
	if step.Effect == Denied {
		return RemovedByDeny
	}
	return RemovedByAllow
}

func (r *Removal) add(p *Pipeline, s *Subject, step Step) {
	if step.Effect == Denied {
		r.Matched = append(r.Matched, p.matchedForm(s, step))
	}
	r.Tools = append(r.Tools, s.name)
}

// matchedForm is the entry as it is compared, once plugins have been replaced
// by their tools.
func (p *Pipeline) matchedForm(s *Subject, step Step) string {
	name, kind := p.read(&Layer{}, Entry{Text: step.Rule})
	if kind == anyPlugin || step.Via == viaPlugin {
		return s.name
	}
	return name
}

func (r *Removal) finish() {
	r.Tools, r.Matched = sortedSet(r.Tools), sortedSet(r.Matched)
	if len(r.Tools) > maxRemoved {
		r.More = len(r.Tools) - maxRemoved
		r.Tools = r.Tools[:maxRemoved]
	}
}

func sortedSet(in []string) []string {
	slices.Sort(in)
	return slices.Compact(in)
}
