package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// wants reads a list of tools, groups, globs and plugins.
func (r *reader) wants(n *json5.Node, path string) []Want {
	if n.Kind != json5.Array {
		r.wrong(n, path, "expected an array, found "+n.Kind.String(), "put it in brackets: ['…']")
		return nil
	}
	var out []Want
	for i, item := range n.Items {
		at := json5.JoinIndex(path, i)
		if text := r.string(item, at); text != "" {
			w := Want{Text: text, Pos: r.pos(item)}
			if r.find(&w, at) {
				out = append(out, w)
			}
		}
	}
	return out
}

// removals reads which layer takes which tool away.
func (r *reader) removals(n *json5.Node, path string) []Removal {
	var out []Removal
	for _, m := range r.object(n, path, nil) {
		at := json5.JoinKey(path, m.Key)
		w := Want{Text: m.Key}
		w.Pos = r.pos(m.Value)
		w.Pos.Line, w.Pos.Col = m.Line, m.Col
		layer := r.string(m.Value, at)
		if r.find(&w, at) && layer != "" {
			out = append(out, Removal{Tool: w, Layer: layer, Pos: r.pos(m.Value)})
		}
	}
	return out
}

// find fills the tools that are meant. A want that means none is a mistake: it
// would hold or fail whatever the config says.
func (r *reader) find(w *Want, path string) bool {
	name := names.Normalise(w.Text)
	for _, t := range r.inv.Tools {
		if names.Normalise(t.Name) == name {
			w.tools = append(w.tools, t)
		}
	}
	if len(w.tools) == 0 {
		w.tools = r.meant(w.Text)
	}
	if len(w.tools) == 0 && !strings.Contains(name, "*") && r.ofServer(name) {
		w.tools = []policy.Tool{{Name: name, Plugin: catalog.MCPPlugin}}
	}
	if len(w.tools) > 0 {
		return true
	}
	what := "is no known tool, group or plugin"
	if strings.HasPrefix(name, "group:") {
		what = "is not a group"
	}
	r.add(w.Pos, path, fmt.Sprintf("%s %s", json5.Excerpt(w.Text), what), nearest(w.Text, r.vocabulary(), ""))
	return false
}

// meant gives the tools that an entry of a list would match, but for the link
// from write to apply_patch.
func (r *reader) meant(text string) []policy.Tool {
	p := r.inv.Compile(r.cfg.Dialect, []policy.Layer{{Place: policy.PlaceTools, Allow: []policy.Entry{{Text: text}}}})
	var out []policy.Tool
	for _, t := range slices.Concat(r.inv.Tools, r.inv.Guess(r.cfg, []string{text})) {
		if s := p.Decide(t).Steps[0]; s.Effect == policy.Allowed && s.Via != "write" {
			out = append(out, t)
		}
	}
	return out
}

// ofServer reports whether a name is one that a server of the config could
// give to a tool.
func (r *reader) ofServer(name string) bool {
	return slices.ContainsFunc(survey.ServerNames(r.cfg), func(s string) bool {
		return strings.HasPrefix(name, names.Fold(s)+names.Between)
	})
}

func (r *reader) vocabulary() []string {
	var out []string
	for _, t := range r.inv.Tools {
		out = append(out, t.Name)
	}
	return slices.Concat(out, catalog.GroupNames(), r.inv.Plugins())
}
