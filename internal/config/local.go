package config

import (
	"slices"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// drafts are the files of a config while edits are made in them.
type drafts []*draft

func (c *Config) drafts() drafts {
	out := make(drafts, len(c.parts))
	for i, p := range c.parts {
		out[i] = &draft{file: p.path, text: p.text}
	}
	return out
}

func (ds drafts) of(file string) *draft {
	i := slices.IndexFunc(ds, func(d *draft) bool { return d.file == file })
	return ds[max(i, 0)]
}

// localEdit is an edit with its path inside one file.
type localEdit struct {
	policy.Edit
	file string
}

// local tells in which file an edit belongs, and at which path there: a key
// that is written goes where its object stands, an entry that is removed is
// where it was written. An edit that leads nowhere stays as it is.
func (c *Config) local(e policy.Edit) localEdit {
	as := localEdit{Edit: e, file: c.File}
	steps, err := json5.ParsePath(e.Path)
	if err != nil || c.tree == nil {
		return as
	}
	node, at := walk(c.tree, steps)
	rest := steps[at:]
	if e.Op == policy.EditRemove && len(rest) == 0 {
		if item := entryOf(node, e); item != nil {
			path := c.pathOf(item)
			return as.in(item.File(), path[:max(len(path)-1, 0)], nil)
		}
	}
	return as.in(node.File(), c.pathOf(node), rest)
}

func (l localEdit) in(file string, path, rest []json5.Step) localEdit {
	l.file, l.Path = file, json5.FormatPath(slices.Concat(path, rest))
	return l
}

// entryOf finds the entry that an edit removes, best at the place that it
// names.
func entryOf(list *json5.Node, e policy.Edit) *json5.Node {
	var found *json5.Node
	for _, item := range list.Items {
		if item.Kind != json5.String || item.Text != e.Value {
			continue
		}
		if item.File() == e.Pos.File && item.Line == e.Pos.Line && item.Col == e.Pos.Col {
			return item
		}
		if found == nil {
			found = item
		}
	}
	return found
}

// pathOf gives the path of a value inside its own file.
func (c *Config) pathOf(n *json5.Node) []json5.Step {
	for _, p := range c.parts {
		if p.path == n.File() {
			tree, _ := json5.Parse(p.path, p.text)
			return descend(tree, n.Offset, n.End)
		}
	}
	return nil
}

// descend gives the way to the value that spans start to end.
func descend(tree *json5.Node, start, end int) []json5.Step {
	var path []json5.Step
	for tree != nil && (tree.Offset != start || tree.End != end) {
		var next *json5.Node
		for i, item := range tree.Items {
			if item.Offset <= start && end <= item.End {
				next, path = item, append(path, json5.IndexStep(i))
				break
			}
		}
		for _, m := range tree.Members {
			if m.Value.Offset <= start && end <= m.Value.End {
				next, path = m.Value, append(path, json5.KeyStep(m.Key))
				break
			}
		}
		tree = next
	}
	return path
}
