package config

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// outline is what is known of the keys below a place in an OpenClaw config,
// used by us or not: their names alone. A nil outline knows none.
type outline struct {
	keys map[string]*outline
	// any stands for every name, and items for every entry of an array.
	any, items *outline
	// open is set where OpenClaw takes whatever is written.
	open bool
}

// The file has a key a line, moved in by one column for each level. "*" is any
// name, "[]" the entries of an array, and " **" follows an open key.
//
//go:embed openclaw_keys.txt
var openclawKeys string

// openclaw gives the outline of the whole config. It is read on first need:
// most files use only keys of the table.
var openclaw = sync.OnceValue(func() *outline { return parseOutline(openclawKeys) })

func parseOutline(text string) *outline {
	levels := []*outline{{}}
	for line := range strings.Lines(text) {
		word := strings.TrimLeft(line, " ")
		depth := len(line) - len(word)
		name, open := strings.CutSuffix(strings.TrimSpace(word), " **")
		levels = append(levels[:depth+1], levels[depth].add(name, open))
	}
	return levels[0]
}

func (o *outline) add(name string, open bool) *outline {
	child := &outline{open: open}
	switch name {
	case "*":
		o.any = child
	case "[]":
		o.items = child
	default:
		if o.keys == nil {
			o.keys = map[string]*outline{}
		}
		o.keys[name] = child
	}
	return child
}

// named reports whether a key has a place of its own: not only because any
// name may stand there.
func (o *outline) named(key string) bool { return o != nil && o.keys[key] != nil }

func (o *outline) key(name string) *outline {
	switch {
	case o == nil:
		return nil
	case o.keys[name] != nil:
		return o.keys[name]
	case o.any != nil:
		return o.any
	case o.open:
		return &outline{open: true}
	}
	return nil
}

func (o *outline) item() *outline {
	if o == nil || o.items == nil && !o.open {
		return nil
	}
	if o.items != nil {
		return o.items
	}
	return o
}

// holds reports whether an object may stand here, its keys known by name or
// of a known form.
func (o *outline) holds(n *json5.Node) bool {
	return o != nil && n.Kind == json5.Object && (len(o.keys) > 0 || o.any != nil)
}

// names gives the known names.
func (o *outline) names() []string {
	if o == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(o.keys))
}

// Unused is a key of OpenClaw's that has no effect here.
type Unused struct {
	Path string
	Pos  toolrest.Pos
}

// spot is a place in the file while it is checked: its path, and what OpenClaw
// knows there.
type spot struct {
	path  string
	known func() *outline
}

func (s spot) key(name string) spot {
	return spot{json5.JoinKey(s.path, name), func() *outline { return s.known().key(name) }}
}

func (s spot) index(i int) spot {
	return spot{json5.JoinIndex(s.path, i), func() *outline { return s.known().item() }}
}

// unused notes a key that OpenClaw knows and we do not use, and looks for what
// OpenClaw does not know below it.
func (c *checker) unused(n *json5.Node, at spot) {
	if at.path != "env" || c.dialect != policy.OpenClaw { // whose variables count
		c.unusedKeys = append(c.unusedKeys, Unused{Path: at.path, Pos: c.pos(n)})
	}
	c.foreign(n, at.path, at.known())
}

func (c *checker) foreign(n *json5.Node, path string, o *outline) {
	for i, item := range n.Items {
		c.foreign(item, json5.JoinIndex(path, i), o.item())
	}
	for _, m := range n.Members {
		at, child := json5.JoinKey(path, m.Key), o.key(m.Key)
		if c.full() {
			return
		}
		if child == nil {
			c.addKey(m, at, "unknown key "+json5.Excerpt(m.Key), o.suggest(m.Key))
			continue
		}
		c.foreign(m.Value, at, child)
	}
}
