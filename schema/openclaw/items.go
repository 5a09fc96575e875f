package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// addItems gives every array schema items.
func addItems(n *tree.Node) *tree.Node {
	out := itemsBelow(n, addItems)
	if out.Is(tree.Object) && out.Get("type").IsText("array") && !out.Has("items") {
		return out.With("items", tree.Empty)
	}
	return out
}

// dropEmptyItems takes the empty ones away again.
func dropEmptyItems(n *tree.Node) *tree.Node {
	out := itemsBelow(n, dropEmptyItems)
	if !out.Is(tree.Object) {
		return out
	}
	typ, items := out.Get("type"), out.Get("items")
	if (typ.IsText("array") || hasText(typ, "array")) && items.Is(tree.Object) && items.Len() == 0 {
		return out.Without("items")
	}
	return out
}

func itemsBelow(n *tree.Node, f func(*tree.Node) *tree.Node) *tree.Node {
	switch {
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node {
			if m.Value.Is(tree.Object) {
				return f(m.Value)
			}
			return m.Value
		})
	case !n.Is(tree.Object):
		return n
	}
	return below(n, f)
}
