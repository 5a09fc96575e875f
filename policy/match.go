package policy

import (
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
)

// pluginsGroup names the tools of all plugins, MCP servers among them.
const pluginsGroup = "group:plugins"

// matcher answers which entries of one list match a tool. Entries are kept
// by index, so that the answer is the entry that a person wrote first.
type matcher struct {
	entries []Entry
	exact   map[string][]int // tool names, those of group members too
	plugins map[string][]int // plugin ids
	any     []int            // "*"
	all     []int            // group:plugins
	globs   []indexedGlob
}

type indexedGlob struct {
	index int
	glob  glob
}

// newMatcher compiles the usable entries; nil means that there are none.
func newMatcher(entries []Entry) *matcher {
	m := &matcher{exact: map[string][]int{}, plugins: map[string][]int{}}
	for _, e := range entries {
		name := names.Normalise(e.Text)
		if name == "" {
			continue
		}
		m.add(len(m.entries), name)
		m.entries = append(m.entries, e)
	}
	if len(m.entries) == 0 {
		return nil
	}
	return m
}

func (m *matcher) add(index int, name string) {
	switch {
	case name == "*":
		m.any = append(m.any, index)
	case name == pluginsGroup:
		m.all = append(m.all, index)
	case isGlob(name):
		m.globs = append(m.globs, indexedGlob{index, compileGlob(name)})
	default:
		members, ok := catalog.Group(name)
		if !ok {
			members = []string{name}
			m.plugins[name] = append(m.plugins[name], index)
		}
		for _, id := range members {
			m.exact[id] = append(m.exact[id], index)
		}
	}
}

// first gives the earliest entry that matches t, or -1. It is safe on nil.
func (m *matcher) first(t subject) int {
	best := -1
	m.each(t, func(i int) {
		if best < 0 || i < best {
			best = i
		}
	})
	return best
}

func (m *matcher) each(t subject, yield func(index int)) {
	if m == nil {
		return
	}
	give := func(list []int) {
		for _, i := range list {
			yield(i)
		}
	}
	give(m.exact[t.name])
	give(m.any)
	if t.plugin != "" {
		give(m.plugins[t.plugin])
	}
	if t.fromPlugin {
		give(m.all)
	}
	for _, g := range m.globs {
		if g.glob.match(t.name) {
			yield(g.index)
		}
	}
}

// subject is a tool as the matchers see it.
type subject struct {
	name       string // normalised
	plugin     string // folded
	fromPlugin bool
}
