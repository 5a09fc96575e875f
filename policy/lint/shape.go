package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// shapes reports lists that do not do what they seem to say.
func (c *checker) shapes() {
	for _, l := range c.lists {
		if l.kind != allow || l.scope.kind == scopeDoor {
			continue
		}
		also := l.scope.AlsoAllow
		switch {
		case len(l.Entries) > 0 && len(also.Entries) > 0:
			c.report(Finding{
				Code: AllowAndAlsoAllow, Pos: also.Pos, Path: l.path,
				Text: fmt.Sprintf("allow and alsoAllow stand side by side in %s: it is one or the other", strings.TrimSuffix(l.path, ".allow")),
				Hint: "allow names the only tools that are left, alsoAllow adds to the profile; put all entries into one of them",
				Fix:  policy.Fix{Edits: move(also.Entries, l.scope.Path+".alsoAllow", l.path, l.Pos)},
			})
		case !usable(l.Entries) && len(also.Entries) == 0:
			c.report(Finding{
				Code: EmptyAllow, Pos: l.Pos, Path: l.path,
				Text: l.path + " is empty, which restricts nothing: it does not mean 'no tools'",
				Hint: "write deny: ['*'] for no tools, or delete the list",
			})
		}
		if usable(l.Entries) && !slices.ContainsFunc(l.Entries, func(e policy.Entry) bool { return !c.isPluginEntry(e) }) {
			c.pluginOnly(l)
		}
	}
}

// isPluginEntry reports whether an entry names plugins or servers, or one of
// their tools, also where the plugin is not loaded. Globs that begin with the
// name of a server do.
func (c *checker) isPluginEntry(e policy.Entry) bool {
	name := names.Normalise(e.Text)
	if name == "" || c.inv.Known.Has(name) || name == catalog.MCPPlugin || c.inv.IsPlugin(name) {
		return true
	}
	if slices.ContainsFunc(c.inv.Tools, func(t policy.Tool) bool { return t.Plugin != "" && names.Normalise(t.Name) == name }) {
		return true
	}
	return slices.ContainsFunc(c.servers(), func(s string) bool { return strings.HasPrefix(name, s+names.Between) })
}

// pluginOnly reports a list of plugin entries alone: as an opt-in, where it is
// taken for one, else as what it is.
func (c *checker) pluginOnly(l list) {
	optsIn := false
	for i := range c.sits {
		optsIn = optsIn || l.concerns(&c.sits[i]) && slices.ContainsFunc(c.layers(i), func(layer policy.Layer) bool {
			return layer.AllowPath == l.path && layer.Implicit
		})
	}
	f := Finding{
		Code: PluginOnlyList, Pos: l.Pos, Path: l.path,
		Text: l.path + " names tools of plugins alone, so that every core tool is gone",
		Hint: "to add them to what is there, use alsoAllow",
		Fix:  policy.Fix{Edits: move(l.Entries, l.path, strings.TrimSuffix(l.path, "allow")+"alsoAllow", beside(l.scope.AlsoAllow, l.scope.Section))},
	}
	if optsIn {
		f.Text = l.path + " names tools of plugins alone: it is taken as an addition, and the core tools stay"
		f.Hint = "say so with alsoAllow; or name a core tool as well, if only these are meant"
	}
	c.report(f)
}

// beside is where an edit of a list goes: the list, or the section that will
// have it.
func beside(l policy.List, s *policy.Section) pos {
	if l.Set {
		return l.Pos
	}
	return s.Pos
}

// move gives the edits that take entries from one list to another.
func move(entries []policy.Entry, from, to string, at pos) []policy.Edit {
	var out []policy.Edit
	for _, e := range entries {
		out = append(out, policy.Edit{Op: policy.EditAdd, Path: to, Value: e.Text, Pos: at})
	}
	for _, e := range entries {
		out = append(out, policy.Edit{Op: policy.EditRemove, Path: from, Value: e.Text, Pos: e.Pos})
	}
	return out
}

// senders reports keys of toolsBySender that do not say what they name.
func (c *checker) senders() {
	for _, s := range scopesOf(c.cfg) {
		key := names.Trim(s.key.Key)
		if key == "" || key == "*" || s.kind != scopeSender && s.kind != scopeGroup {
			continue
		}
		kind, _, ok := strings.Cut(key, ":")
		if ok && slices.Contains([]string{"channel", "id", "e164", "username", "name"}, names.Fold(kind)) {
			continue
		}
		c.report(Finding{
			Code: BareSender, Pos: s.key.KeyPos, Path: s.Path,
			Text: fmt.Sprintf("%s does not say what it names, and is taken as an id", quote(key)),
			Hint: "write 'id:" + strings.TrimPrefix(key, "@") + "', or username:, name:, e164: or channel:NAME: in front",
		})
	}
}
