package openclaw

import (
	"errors"
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// ErrTooLarge says that a schema grows beyond all measure when its references
// are put in place.
var ErrTooLarge = errors.New("the schema grows too large when its references are put in place")

// maxInlined is how many objects inlining may visit.
const maxInlined = 100_000

// holds reports how schemas stand below a key: under names of their own, or in
// the value, which is one or a list of them.
func holds(m tree.Member) (named, direct bool) {
	switch m.Key {
	case "properties", "$defs", "definitions", "dependentSchemas", "patternProperties":
		return m.Value.Is(tree.Object), false
	case "items":
		return false, true
	case "additionalProperties", "contains", "else", "if", "not", "propertyNames", "then":
		return false, m.Value.Is(tree.Object)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return false, m.Value.Is(tree.Array)
	}
	return false, false
}

func set(keys ...string) map[string]bool {
	out := make(map[string]bool, len(keys))
	for _, k := range keys {
		out[k] = true
	}
	return out
}

// InlineRefs puts what local references name in their place. A reference back
// into itself becomes {}; one that leads nowhere stays, together with the
// definitions. It fails with [ErrTooLarge] alone.
func InlineRefs(root *tree.Node) (*tree.Node, error) {
	w := &inliner{root: root}
	out := w.any(root, nil, nil)
	if w.visited > maxInlined {
		return nil, ErrTooLarge
	}
	return out, nil
}

type inliner struct {
	root       *tree.Node
	unresolved bool // a local reference led nowhere
	visited    int
}

// scope is the definitions that an object adds to those around it.
type scope struct {
	outer             *scope
	defs, definitions *tree.Node
}

// chain is the references that led to where we are.
type chain struct {
	ref   string
	outer *chain
}

func (c *chain) has(ref string) bool {
	for ; c != nil; c = c.outer {
		if c.ref == ref {
			return true
		}
	}
	return false
}

func (w *inliner) any(n *tree.Node, s *scope, c *chain) *tree.Node {
	switch {
	case n.Is(tree.Object):
		return w.object(n, s, c)
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node { return w.any(m.Value, s, c) })
	}
	return n
}

func (w *inliner) object(n *tree.Node, s *scope, c *chain) *tree.Node {
	if w.visited++; w.visited > maxInlined {
		return n
	}
	var defs, definitions, ref *tree.Node
	kept := false // definitions that go, unless a reference leads nowhere
	for _, m := range n.Members() {
		switch m.Key {
		case "$defs":
			defs, kept = m.Value, true
		case "definitions":
			definitions, kept = m.Value, true
		case "components":
			kept = true
		case "$ref":
			ref = m.Value
		}
	}
	if defs.Is(tree.Object) || definitions.Is(tree.Object) {
		s = &scope{s, defs, definitions}
	}
	if ref.Is(tree.String) && !ref.IsText("") {
		return w.reference(n, ref, s, c)
	}
	out := n.Each(func(m tree.Member) *tree.Node {
		named, direct := holds(m)
		switch {
		case m.Key == "$defs" || m.Key == "definitions":
			return m.Value // what nobody names does not count
		case named:
			return m.Value.Each(func(m tree.Member) *tree.Node { return w.any(m.Value, s, c) })
		case direct:
			return w.any(m.Value, s, c)
		}
		return m.Value
	})
	if !kept {
		return out
	}
	rest := out.Without("$defs", "definitions", "components")
	if w.unresolved {
		return overlay(rest, n, "$defs", "definitions", "components").Node
	}
	return rest
}

func (w *inliner) reference(n, ref *tree.Node, s *scope, c *chain) *tree.Node {
	name, _ := ref.Str()
	if c.has(name) {
		return tree.Empty
	}
	target := w.resolve(name, s)
	if target == nil {
		w.unresolved = w.unresolved || strings.HasPrefix(name, "#/")
		return n
	}
	out := w.any(target, s, &chain{name, c})
	if !out.Is(tree.Object) {
		return out
	}
	return overlay(out, n, "title", "description", "default").withNullable(n)
}

// overlaid is a node that took keys of another one.
type overlaid struct{ *tree.Node }

func overlay(n, from *tree.Node, keys ...string) overlaid {
	for _, key := range keys {
		if v := from.Get(key); v != nil {
			n = n.With(key, v)
		}
	}
	return overlaid{n}
}

func (o overlaid) withNullable(from *tree.Node) *tree.Node {
	if from.Get("nullable").IsTrue() {
		return o.With("nullable", tree.True)
	}
	return o.Node
}

// resolve gives what a reference names, nil where it names nothing here.
func (w *inliner) resolve(ref string, s *scope) *tree.Node {
	pointer, local := strings.CutPrefix(ref, "#/")
	if !local {
		return nil
	}
	parts := strings.Split(pointer, "/")
	if len(parts) >= 2 && (parts[0] == "$defs" || parts[0] == "definitions") {
		for ; s != nil; s = s.outer {
			defs := s.defs
			if parts[0] == "definitions" {
				defs = s.definitions
			}
			if found := defs.Get(unescape(parts[1])); found != nil {
				return walk(found, parts[2:])
			}
		}
		return nil
	}
	return walk(w.root, parts)
}

func walk(n *tree.Node, parts []string) *tree.Node {
	for _, part := range parts {
		part = unescape(part)
		if n.Is(tree.Array) {
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= n.Len() || strconv.Itoa(i) != part {
				return nil
			}
			n = n.Members()[i].Value
		} else if n = n.Get(part); n == nil {
			return nil
		}
	}
	return n
}

func unescape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}
