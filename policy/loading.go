package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// named is a list as loading plugins reads it: exact names, no groups but
// group:plugins, no globs but "*".
type named map[string]bool

func newNamed(entries []Entry) named {
	n := make(named, len(entries))
	for _, e := range entries {
		if name := names.Normalise(e.Text); name != "" {
			n[name] = true
		}
	}
	return n
}

// all reports whether the list names everything that plugin has.
func (n named) all(plugin string) bool {
	return n[everything] || n[pluginsGroup] || n[names.Normalise(plugin)]
}

// tool reports whether the list names the tool of the plugin.
func (n named) tool(tool, plugin string) bool {
	return n.all(plugin) || n[names.Normalise(tool)]
}

// Loading decides which tools of plugins come into a run at all, in the
// dialect OpenClaw. It is made once for all plugins and then only read, so
// several goroutines may use it.
type Loading struct {
	allow named
	deny  *words
	// silent is set when no list allows anything, and defaults when what comes
	// without being named does come.
	silent, defaults bool
}

// NewLoading prepares the lists.
func NewLoading(e Explicit) *Loading {
	l := &Loading{allow: newNamed(e.Allow), deny: newWords(e.Deny)}
	l.silent = len(l.allow) == 0 && !e.Defaults
	l.defaults = l.silent || e.Defaults
	return l
}

// words are patterns that are compared with one word each: what stands for a
// group of tools elsewhere is here a word as any other.
type words struct {
	any   bool
	exact map[string]bool
	globs []glob
}

func newWords(entries []Entry) *words {
	w := &words{exact: map[string]bool{}}
	for _, e := range entries {
		switch name := names.Normalise(e.Text); {
		case name == "":
		case name == everything:
			w.any = true
		case isGlob(name):
			w.globs = append(w.globs, compileGlob(name))
		default:
			w.exact[name] = true
		}
	}
	return w
}

// match reports whether a pattern fits the word; nothing fits a blank one.
func (w *words) match(word string) bool {
	name := names.Normalise(word)
	if name == "" || w.any || w.exact[name] {
		return name != ""
	}
	return slices.ContainsFunc(w.globs, func(g glob) bool { return g.match(name) })
}

// Optional reports whether an optional tool is named, so that it may come.
func (l *Loading) Optional(tool, plugin string) bool { return l.allow.tool(tool, plugin) }

// Entry reports whether a registration that promises these tools may be asked
// for them. One that promises none by name may, when anything is named at all.
func (l *Loading) Entry(tools []string, plugin string, optional bool) bool {
	if !optional && l.defaults {
		return true
	}
	if l.silent {
		return false
	}
	if l.allow.all(plugin) || len(tools) == 0 {
		return true
	}
	for _, tool := range tools {
		if l.allow[names.Normalise(tool)] {
			return true
		}
	}
	return false
}

// DeniesPlugin reports whether the deny lists keep the whole plugin out.
func (l *Loading) DeniesPlugin(plugin string) bool {
	return l.deny.match(plugin) || l.deny.match(pluginsGroup)
}

// DeniesTool reports whether they keep out one of its tools.
func (l *Loading) DeniesTool(tool, plugin string) bool {
	return l.DeniesPlugin(plugin) || l.deny.match(tool)
}

// selects gives those of a plugin's declared tools that the lists want.
func (l *Loading) selects(p Plugin) []string {
	var out []string
	all := l.allow.all(p.ID)
	for _, tool := range p.Declares {
		wanted := all || l.allow[names.Normalise(tool)] || l.defaults && !p.Traits[tool].Optional
		if wanted && !l.DeniesTool(tool, p.ID) {
			out = append(out, tool)
		}
	}
	return out
}
