package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// searchTools are the controls of tool search.
var searchTools = []string{"tool_search_code", "tool_search", "tool_describe", "tool_call"}

// others are names that mean something although no tool has them: those that
// the HTTP door denies by itself.
var others = []string{"spawn", "shell", "fs_write", "fs_delete", "fs_move"}

const pluginsGroup = "group:plugins"

// describeUnknown says what is wrong with an entry that names nothing that
// exists. It answers false for all others.
func (c *checker) describeUnknown(f *Finding, l list, e policy.Entry) bool {
	name := names.Normalise(e.Text)
	if name == "" || name == "*" || c.means(l.kind, name, e) {
		return false
	}
	f.Code = UnknownName
	f.Text = fmt.Sprintf("%s in %s is no known tool, group, plugin or server", quote(e.Text), l.path)
	switch {
	case strings.HasPrefix(name, "group:"):
		c.unknownGroup(f, l, name)
		return true
	case strings.Contains(name, "*"):
		f.Text = fmt.Sprintf("%s in %s matches no known tool", quote(e.Text), l.path)
	case slices.Contains(c.servers(), name):
		f.Text = fmt.Sprintf("%s in %s is a server, which no entry names alone", quote(e.Text), l.path)
		c.replace(f, l, name+names.Between+"*")
		f.Hint = "its tools are written " + name + names.Between + "*"
		return true
	}
	near := c.nearest(name)
	switch {
	case len(near) > 0:
		f.Hint = "did you mean " + strings.Join(near, ", ") + "?"
		if len(near) == 1 {
			c.replace(f, l, near[0])
		}
	case c.isOff(name):
		f.Hint = "its server is switched off in mcp.servers"
	default:
		f.Hint = "if it comes with a plugin or a server that is not here yet, leave it"
	}
	return true
}

// nearest gives what was probably meant. Of a glob that ends in a star the
// beginning is compared.
func (c *checker) nearest(name string) []string {
	word, glob := strings.CutSuffix(name, "*")
	if !glob {
		return names.Nearest(name, c.vocabulary(), 3)
	}
	var beginnings []string
	for _, v := range c.vocabulary() {
		if n := len(word); n > 2 && len(v) > n && !strings.HasPrefix(v, "group:") {
			beginnings = append(beginnings, v[:n])
		}
	}
	near := names.Nearest(word, beginnings, 1)
	for i := range near {
		near[i] += "*"
	}
	return near
}

// isOff reports whether an entry is about a server that is switched off.
func (c *checker) isOff(name string) bool {
	return slices.ContainsFunc(c.cfg.MCPServers, func(s policy.Server) bool {
		var taken names.Taken
		return s.Off && strings.HasPrefix(name, names.Fold(taken.Server(s.Name))+names.Between)
	})
}

// unknownGroup says which groups there are, and what was meant where that is
// plain: a profile is no group.
func (c *checker) unknownGroup(f *Finding, l list, name string) {
	bare := strings.TrimPrefix(name, "group:")
	groups := append(catalog.GroupNames(), pluginsGroup)
	f.Text = fmt.Sprintf("%s in %s is not a group", quote(f.Entry), f.Path)
	if slices.Contains(catalog.Profiles, bare) {
		f.Text += fmt.Sprintf("; %s is a profile", bare)
		f.Hint = "a profile is chosen with profile: '" + bare + "'; the groups are: " + strings.Join(groups, ", ")
		return
	}
	if near := names.Nearest(name, groups, 2); len(near) > 0 {
		f.Hint = "did you mean " + strings.Join(near, " or ") + "?"
		if len(near) == 1 {
			c.replace(f, l, near[0])
		}
		return
	}
	f.Hint = "the groups are: " + strings.Join(groups, ", ")
}

// replace proposes another entry in the place of the finding's.
func (c *checker) replace(f *Finding, l list, with string) {
	f.Fix.Edits = []policy.Edit{
		{Op: policy.EditRemove, Path: f.Path, Value: f.Entry, Pos: f.Pos},
		{Op: policy.EditAdd, Path: f.Path, Value: with, Pos: l.Pos},
	}
}

// means reports whether an entry says anything: it matches a known tool, or is
// a name that exists without one.
func (c *checker) means(k kind, name string, e policy.Entry) bool {
	if len(c.matches(k, e)) > 0 || name == pluginsGroup || name == catalog.MCPPlugin {
		return true
	}
	if slices.Contains(catalog.GroupNames(), name) || slices.Contains(others, name) || c.inv.IsPlugin(name) {
		return true
	}
	if strings.Contains(name, "*") {
		return slices.ContainsFunc(others, func(o string) bool { return matchesName(c.cfg.Dialect, e, o) })
	}
	return slices.ContainsFunc(c.servers(), func(s string) bool { return strings.HasPrefix(name, s+names.Between) })
}

func matchesName(d policy.Dialect, e policy.Entry, name string) bool {
	p := policy.Compile(d, []policy.Layer{{Place: policy.PlaceTools, Allow: []policy.Entry{e}}})
	return p.Decide(policy.Tool{Name: name}).Kept
}

// servers are the safe names of the servers that the config switches on, in
// lower case.
func (c *checker) servers() []string {
	var out []string
	for _, s := range survey.ServerNames(c.cfg) {
		out = append(out, names.Fold(s))
	}
	return out
}

// vocabulary is all that an entry can name.
func (c *checker) vocabulary() []string {
	var out []string
	for i := range c.inv.Tools {
		if c.real(i) {
			out = append(out, c.name(i))
		}
	}
	return slices.Concat(out, catalog.GroupNames(), []string{pluginsGroup, catalog.MCPPlugin}, c.inv.Plugins(), others)
}
