package policy

import (
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// What begins with groupPrefix may be a group; pluginsGroup names the tools of
// all plugins, MCP servers among them.
const (
	groupPrefix  = "group:"
	pluginsGroup = groupPrefix + "plugins"
)

// vocabulary is what decides how an entry is read.
type vocabulary struct {
	dialect Dialect
	// plugins are ids that an entry means even where a tool has that name.
	plugins map[string]bool
}

// kind is how an entry is read.
type kind uint8

const (
	unusable   kind = iota // blank
	exactly                // as it is written
	anyTool                // "*"
	anyPlugin              // group:plugins
	pattern                // a glob
	group                  // a core group
	bare                   // a tool's name or a plugin's id
	pluginOnly             // the id of a plugin that is there
	nothing                // usable, but its layer gives it no meaning
)

// read gives the form of an entry in which it is compared, and how.
func (v vocabulary) read(l *Layer, e Entry) (string, kind) {
	if l.Exact {
		if e.Text == "" {
			return "", unusable
		}
		return e.Text, exactly
	}
	name := names.Normalise(e.Text)
	k := v.kind(name)
	if l.Named && (k == pattern || k == group || k == anyTool && v.dialect == Default) {
		k = nothing
	}
	return name, k
}

func (v vocabulary) kind(name string) kind {
	switch {
	case name == "":
		return unusable
	case name == "*":
		return anyTool
	case name == pluginsGroup:
		return anyPlugin
	case v.plugins[name]:
		return pluginOnly
	case isGlob(name):
		return pattern
	}
	if strings.HasPrefix(name, groupPrefix) {
		if _, ok := v.group(name); ok {
			return group
		}
	}
	return bare
}

// group gives the members of a core group.
func (v vocabulary) group(name string) ([]string, bool) { return v.dialect.catalogue().Group(name) }

// means reports whether e, as an entry of l, matches s. It is the plain
// reading of one entry, which the index of a pipeline answers for all at once;
// the link from write to apply_patch is no part of it.
func (v vocabulary) means(l *Layer, e Entry, s *Subject) bool {
	name, kind := v.read(l, e)
	switch kind {
	case exactly:
		return name == s.tool.Name
	case anyTool:
		return true
	case anyPlugin:
		return s.fromPlugin
	case pattern:
		g := compileGlob(name)
		return g.matches(s.name, s.breaks)
	case group:
		members, _ := v.group(name)
		return slices.Contains(members, s.name)
	case bare:
		return name == s.name || s.plugin != "" && name == s.plugin
	case pluginOnly:
		return s.plugin != "" && name == s.plugin
	}
	return false
}
