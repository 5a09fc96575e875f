package adapt

import "github.com/toolrest/toolrest/schema/tree"

// tool converts the root: an object without unions for every provider. The
// note names the combinations that it no longer tells.
func (c *converter) tool() (out *tree.Node, note string) {
	if !c.root.Is(tree.Object) {
		return c.fail("", "a tool's schema is an object, not %s", kindOf(c.root)), ""
	}
	n, pop := c.open(c.root)
	defer pop()
	if c.fault != nil {
		return n, ""
	}
	if !n.Is(tree.Object) {
		return c.fail("$ref", "names no object"), ""
	}
	n, popAll := c.mergeAll(modern(n))
	defer popAll()
	if typ := n.Get("type"); typ != nil && !saysType(typ, "object") {
		return c.fail("type", "must be object: arguments are an object"), ""
	}
	n, note = c.flatRoot(n)
	n = rootForm(n)
	var told telling
	out = c.members(n, &told)
	if c.fault != nil {
		return out, ""
	}
	if !out.Has("properties") {
		out = out.With("properties", tree.Empty)
	}
	return c.named(c.finish(out)), note
}

// flatRoot merges the unions of the root.
func (c *converter) flatRoot(n *tree.Node) (*tree.Node, string) {
	unions := 0
	for _, key := range []string{"anyOf", "oneOf"} {
		union := n.Get(key)
		if union != nil && !union.Is(tree.Null) && !union.Is(tree.Array) {
			return c.fail(key, notSchemas), ""
		}
		unions += union.Len()
	}
	if unions == 0 {
		return n.Without("anyOf", "oneOf"), ""
	}
	f := c.flatten(n, 0)
	return f.into(n), f.combinations()
}

// rootForm drops what no provider takes at the root.
func rootForm(n *tree.Node) *tree.Node {
	n = n.Without("not", "enum", "const", "if", "then", "else", "dependentSchemas", "default", "examples")
	if p := n.Get("properties"); p.Is(tree.Null) {
		n = n.Without("properties")
	}
	if !n.Get("type").IsText("object") {
		return n.With("type", tree.Text("object"))
	}
	return n
}

// named leaves out properties whose names the provider does not take. One that
// is required makes the tool unusable there.
func (c *converter) named(n *tree.Node) *tree.Node {
	if c.profile.names == nil || c.fault != nil {
		return n
	}
	required := newValues(items(n.Get("required"))...)
	properties := n.Get("properties").Filter(func(m tree.Member) bool {
		if c.profile.names(m.Key) {
			return true
		}
		if required.has(tree.Text(m.Key)) {
			c.path = []string{"properties", m.Key}
			c.fail("", "the provider takes no property of this name, and it is required")
		}
		return false
	})
	if properties == n.Get("properties") {
		return n
	}
	return n.With("properties", properties)
}
