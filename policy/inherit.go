package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// inherited adds the layer of what the session that started this one hands
// down. No edit of a config changes it: it was fixed at the start.
func (r *resolver) inherited() {
	key := names.Trim(r.ctx.Session)
	if !isSpawnedKey(key) {
		return
	}
	s, _ := r.stored(key)
	l := Layer{Place: PlaceInherited, Allow: normalised(s.InheritedAllow), Deny: normalised(s.InheritedDeny)}
	if l.Allow == nil && l.Deny == nil {
		return
	}
	l.Remedy = "let the session that started this one have the tool, and start a new one"
	r.add(l)
}

// normalised gives the entries of a stored list, each once; nil for none.
func normalised(texts []string) []Entry {
	seen := make(map[string]bool, len(texts))
	var out []Entry
	for _, text := range texts {
		if name := names.Normalise(text); name != "" && !seen[name] {
			seen[name] = true
			out = append(out, Entry{Text: name})
		}
	}
	return out
}

// HandDown gives what a session hands down to those that it starts, to be
// stored with them: everything that its layers deny, and, when one of them or
// the run itself allows only some tools, the names of those that it has.
// Layers are all that were applied to it, and has the names that were left.
func HandDown(layers []Layer, run Run, has []string) (allow, deny []string) {
	only := run.Allow.written()
	var denied []Entry
	for i := range layers {
		l := &layers[i]
		if !l.handsDown() {
			continue
		}
		only = only || restricts(l)
		denied = append(denied, l.Deny...)
	}
	if only {
		allow = textsOf(normalised(has))
	}
	if only && len(allow) == 0 { // an empty list would be none
		denied = append(denied, Entry{Text: everything})
	}
	return allow, textsOf(normalised(textsOf(denied)))
}

// handsDown is set for the layers of a config. What a door, a chat or a model
// takes away concerns this session alone.
func (l *Layer) handsDown() bool {
	return l.Place == PlaceBaseline || PlaceProfile <= l.Place && l.Place <= PlaceInherited
}

// restricts reports whether an allow list names anything but everything.
func restricts(l *Layer) bool {
	return slices.ContainsFunc(l.Allow, func(e Entry) bool {
		name := names.Normalise(e.Text)
		return name != "" && name != everything
	})
}

func textsOf(list []Entry) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Text)
	}
	return out
}
