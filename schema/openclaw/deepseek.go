package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// DeepSeek takes the unions out of a schema.
func DeepSeek(n *tree.Node) *tree.Node {
	switch {
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node { return DeepSeek(m.Value) })
	case !n.Is(tree.Object):
		return n
	}
	key := "anyOf"
	if !n.Get(key).Is(tree.Array) {
		key = "oneOf"
	}
	union := n.Get(key)
	if !union.Is(tree.Array) {
		return n.Each(func(m tree.Member) *tree.Node { return DeepSeek(m.Value) })
	}
	rest := n.Without(key).Each(func(m tree.Member) *tree.Node { return DeepSeek(m.Value) })
	var members []*tree.Node
	null := false
	for _, m := range union.Members() {
		if v := DeepSeek(m.Value); saysNull(v) {
			null = true
		} else {
			members = append(members, v)
		}
	}
	out := rest
	if enum := textConsts(members); enum != nil {
		out = out.With("type", tree.Text("string")).With("enum", enum)
	} else if first := firstOf(members, union); first.Is(tree.Object) {
		out = spread(first, rest)
	} else {
		return rest
	}
	if null {
		out = out.With("nullable", tree.True)
	}
	return out
}

// saysNull reports whether a member allows null alone, by any of its keywords.
func saysNull(n *tree.Node) bool {
	enum, typ := n.Get("enum"), n.Get("type")
	return n.Get("const").Is(tree.Null) || enum.Is(tree.Array) && enum.Len() == 1 && hasNull(enum) ||
		typ.IsText("null") || typ.Is(tree.Array) && typ.Len() == 1 && hasText(typ, "null")
}

// textConsts is the enum of more than one string constants, else nil.
func textConsts(members []*tree.Node) *tree.Node {
	if len(members) < 2 {
		return nil
	}
	var out []*tree.Node
	for _, m := range members {
		c := m.Get("const")
		if !c.Is(tree.String) {
			return nil
		}
		out = append(out, c)
	}
	return tree.List(out...)
}

func firstOf(members []*tree.Node, union *tree.Node) *tree.Node {
	if len(members) > 0 && !members[0].Is(tree.Null) {
		return members[0]
	}
	if union.Len() > 0 {
		return DeepSeek(union.Members()[0].Value)
	}
	return nil
}

// spread puts the keys of first below those of n, which win.
func spread(first, n *tree.Node) *tree.Node {
	out := first
	for _, m := range n.Members() {
		out = out.With(m.Key, m.Value)
	}
	return out
}
