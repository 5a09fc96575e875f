package openclaw

import "github.com/toolrest/toolrest/schema/tree"

func ofOpenAPI(key string) bool {
	switch key {
	case "discriminator", "externalDocs", "readOnly", "writeOnly", "xml", "example", "nullable":
		return true
	}
	return false
}

// dropOpenAPI takes out what OpenAPI adds to JSON Schema, and says nullable in
// the words of the latter.
func dropOpenAPI(n *tree.Node) *tree.Node {
	if n.Is(tree.Array) {
		return n.Each(func(m tree.Member) *tree.Node { return dropOpenAPI(m.Value) })
	}
	if !n.Is(tree.Object) {
		return n
	}
	out := below(n, dropOpenAPI)
	nullable := n.Get("nullable").IsTrue()
	out = out.Filter(func(m tree.Member) bool { return !ofOpenAPI(m.Key) })
	if !nullable {
		return out
	}
	if out.Get("anyOf").Is(tree.Array) || out.Get("oneOf").Is(tree.Array) || out.Get("allOf").Is(tree.Array) {
		return nullableUnion(out)
	}
	return nullableType(out)
}

// below applies f to the schemas below n.
func below(n *tree.Node, f func(*tree.Node) *tree.Node) *tree.Node {
	return n.Each(func(m tree.Member) *tree.Node {
		switch named, direct := holds(m); {
		case named:
			return m.Value.Each(func(m tree.Member) *tree.Node { return f(m.Value) })
		case direct:
			return f(m.Value)
		}
		return m.Value
	})
}

func nullableUnion(n *tree.Node) *tree.Node {
	for _, key := range []string{"anyOf", "oneOf"} {
		if !n.Get(key).Is(tree.Array) {
			continue
		}
		for _, m := range n.Get(key).Members() {
			if allowsNull(m.Value) {
				return n
			}
		}
	}
	null := tree.Map(tree.Member{Key: "type", Value: tree.Text("null")})
	wrapper := tree.Map(tree.Member{Key: "anyOf", Value: tree.List(n, null)})
	return overlay(wrapper, n, "title", "description", "default").Node
}

func allowsNull(n *tree.Node) bool {
	typ, enum := n.Get("type"), n.Get("enum")
	return typ.IsText("null") || hasText(typ, "null") || n.Get("const").Is(tree.Null) || hasNull(enum)
}

func nullableType(n *tree.Node) *tree.Node {
	switch typ := n.Get("type"); {
	case typ.Is(tree.String) && !typ.IsText("null"):
		n = n.With("type", tree.List(typ, tree.Text("null")))
	case typ.Is(tree.Array) && !hasText(typ, "null"):
		n = n.With("type", appended(typ, tree.Text("null")))
	}
	if enum := n.Get("enum"); enum.Is(tree.Array) && !hasNull(enum) {
		n = n.With("enum", appended(enum, tree.NullNode))
	}
	return n
}

func appended(list, item *tree.Node) *tree.Node {
	items := make([]*tree.Node, 0, list.Len()+1)
	for _, m := range list.Members() {
		items = append(items, m.Value)
	}
	return tree.List(append(items, item)...)
}

func hasText(list *tree.Node, s string) bool {
	if list.Is(tree.Array) {
		for _, m := range list.Members() {
			if m.Value.IsText(s) {
				return true
			}
		}
	}
	return false
}

func hasNull(list *tree.Node) bool {
	if list.Is(tree.Array) {
		for _, m := range list.Members() {
			if m.Value.Is(tree.Null) {
				return true
			}
		}
	}
	return false
}
