package adapt

import "github.com/toolrest/toolrest/schema/tree"

// mergeAll makes one schema of an allOf and what stands beside it. The
// references of its members count as being followed until pop is called.
func (c *converter) mergeAll(n *tree.Node) (merged *tree.Node, pop func()) {
	depth := len(c.refs)
	return c.all(n, 0), func() { c.refs = c.refs[:depth] }
}

func (c *converter) all(n *tree.Node, depth int) *tree.Node {
	list := n.Get("allOf")
	if !list.Is(tree.Array) || depth > maxDepth {
		return n
	}
	n = n.Without("allOf")
	for _, m := range list.Members() {
		if c.visited++; c.visited > maxValues {
			return c.fail("allOf", "more than %d schemas, counted with those that references put in", maxValues)
		}
		opened, _ := c.open(m.Value)
		if !opened.Is(tree.Object) {
			continue
		}
		n = intersect(n, c.all(modern(opened), depth+1))
	}
	return n
}

// intersect gives a schema that allows what both allow, as far as one schema
// can say it. Words of a win.
func intersect(a, b *tree.Node) *tree.Node {
	if a.Len() == 0 {
		return b
	}
	for _, m := range b.Members() {
		own := a.Get(m.Key)
		switch {
		case own == nil:
			a = a.With(m.Key, m.Value)
		case !tree.Equal(own, m.Value):
			a = a.With(m.Key, both(m.Key, own, m.Value))
		}
	}
	return a
}

// both is what a keyword says when two schemas say different things with it.
func both(key string, a, b *tree.Node) *tree.Node {
	kw := keywordOf(key)
	if !wellFormed(kw, a) || !wellFormed(kw, b) {
		return a
	}
	switch kw {
	case kwType:
		return bothTypes(a, b)
	case kwEnum:
		allowed := newValues(items(b)...)
		if rest := a.Filter(func(m tree.Member) bool { return allowed.has(m.Value) }); rest.Len() > 0 {
			return rest
		}
	case kwRequired:
		return unique(tree.List(append(items(a), items(b)...)...))
	case kwProperties, kwPatternProperties, kwDependentSchemas:
		return bothMaps(a, b)
	case kwMinimum, kwExclusiveMinimum, kwMinLength, kwMinItems, kwMinProperties, kwMinContains:
		return pick(a, b, func(x, y float64) bool { return y > x })
	case kwMaximum, kwExclusiveMaximum, kwMaxLength, kwMaxItems, kwMaxProperties, kwMaxContains:
		return pick(a, b, func(x, y float64) bool { return y < x })
	case kwUniqueItems:
		return tree.True
	case kwItems, kwContains, kwAdditionalProperties, kwPropertyNames:
		return bothSchemas(a, b)
	}
	return a
}

func pick(a, b *tree.Node, second func(x, y float64) bool) *tree.Node {
	x, _ := a.Float()
	y, _ := b.Float()
	if second(x, y) {
		return b
	}
	return a
}

func bothSchemas(a, b *tree.Node) *tree.Node {
	switch {
	case a.IsTrue() || b.IsFalse():
		return b
	case a.IsFalse() || b.IsTrue():
		return a
	}
	return tree.Map(tree.Member{Key: "allOf", Value: tree.List(a, b)})
}

func bothMaps(a, b *tree.Node) *tree.Node {
	has := a.Index()
	for _, m := range b.Members() {
		switch own := has[m.Key]; {
		case own == nil:
			a = a.With(m.Key, m.Value)
		case !tree.Equal(own, m.Value):
			a = a.With(m.Key, bothSchemas(own, m.Value))
		}
	}
	return a
}

// bothTypes are the types that both lists have. integer is a number.
func bothTypes(a, b *tree.Node) *tree.Node {
	var out []*tree.Node
	other := typeNames(b)
	for _, name := range typeNames(a) {
		switch {
		case contains(other, name):
		case name == "integer" && contains(other, "number"):
		case name == "number" && contains(other, "integer"):
			name = "integer"
		default:
			continue
		}
		out = append(out, tree.Text(name))
	}
	switch len(out) {
	case 0:
		return a
	case 1:
		return out[0]
	}
	return tree.List(out...)
}

// typeNames are the types that a type keyword lists.
func typeNames(n *tree.Node) []string {
	if name, ok := n.Str(); ok {
		return []string{name}
	}
	return n.Strings()
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
