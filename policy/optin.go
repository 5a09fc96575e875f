package policy

import (
	"maps"
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// Known are the plugins that exist and their tools. Nil knows none. It is
// immutable and safe for use by several goroutines.
type Known struct {
	entries map[string]bool
	plugins []string // ids, normalised, each once
}

// NewKnown gives the plugins that the tools name, and those named besides that
// exist although no tool of theirs is loaded.
func NewKnown(tools []Tool, plugins ...string) *Known {
	k := &Known{entries: map[string]bool{}}
	ids := map[string]bool{}
	for _, t := range tools {
		if t.Plugin != "" || t.FromPlugin {
			k.entries[names.Normalise(t.Name)] = true
			ids[names.Normalise(t.Plugin)] = true
		}
	}
	for _, id := range plugins {
		ids[names.Normalise(id)] = true
	}
	delete(ids, "")
	k.plugins = slices.Sorted(maps.Keys(ids))
	for id := range ids {
		k.entries[id] = true
	}
	delete(k.entries, "")
	return k
}

// Plugins gives the ids of the plugins, sorted. The slice must not be changed.
func (k *Known) Plugins() []string {
	if k == nil {
		return nil
	}
	return k.plugins
}

// Has reports whether an entry of a list names a known plugin, one of its
// tools, or all of them. Globs do not.
func (k *Known) Has(entry string) bool {
	name := names.Normalise(entry)
	return name == pluginsGroup || k != nil && k.entries[name]
}

// optsIn reports whether an allow list names plugin entries alone and is thus,
// in the Default dialect, an opt-in: nobody who writes the name of one plugin
// means to lose every core tool. A misspelt entry is no plugin entry, so that
// a list with one stays a restriction.
func (r *resolver) optsIn(s *Section) bool {
	if r.cfg.Dialect != Default || !usable(s.Allow.Entries) {
		return false
	}
	return !slices.ContainsFunc(s.Allow.Entries, func(e Entry) bool {
		return names.Trim(e.Text) != "" && !r.ctx.Known.Has(e.Text)
	})
}

// optedIn turns the allow list of a section into one that adds. Edits of the
// list still go where it was written.
func optedIn(s Section) Section {
	s.AlsoAllow.Entries = union(s.Allow.Entries, s.AlsoAllow.Entries)
	s.Allow.Set, s.Allow.Entries = false, nil
	return s
}

// optIns are the entries that join the profile because a list opts in.
func (r *resolver) optIns() []Entry {
	var out []Entry
	if s := &r.cfg.Tools.Section; r.optsIn(s) {
		out = append(out, s.Allow.Entries...)
	}
	if r.agent != nil && r.optsIn(&r.agent.Tools.Section) {
		out = append(out, r.agent.Tools.Allow.Entries...)
	}
	return out
}
