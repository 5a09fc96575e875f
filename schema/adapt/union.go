package adapt

import "github.com/toolrest/toolrest/schema/tree"

// narrowUnions makes one schema of the unions of n, or leaves an anyOf alone,
// as the profile wants.
func (c *converter) narrowUnions(n *tree.Node) *tree.Node {
	for _, key := range []string{"anyOf", "oneOf"} {
		union := n.Get(key)
		if !union.Is(tree.Array) || c.fault != nil {
			continue
		}
		n = c.narrowUnion(n.Without(key), union)
	}
	return n
}

// narrowUnion puts a union into n, which is what stood beside it.
func (c *converter) narrowUnion(n, union *tree.Node) *tree.Node {
	members, all := c.choices(union)
	if all || len(members) == 0 {
		return n
	}
	if enum := enumOf(members); enum != nil {
		return intersect(n, enum)
	}
	if len(members) == 1 {
		return intersect(n, members[0])
	}
	objects := 0
	for _, m := range members {
		if isObject(m) {
			objects++
		}
	}
	if objects == len(members) || objects > 0 && isObject(n) {
		f := c.flatten(n.With("anyOf", union), 0)
		return describe(f.into(n), f.combinations())
	}
	if c.profile.unions == anyOfAlone && !n.Has("anyOf") {
		return n.With("anyOf", tree.List(members...))
	}
	// One of them has to do: what fits it fits the union.
	return intersect(n, members[0])
}

// choices opens the members of a union that allow something else than null.
// All is true when one of them allows everything.
func (c *converter) choices(union *tree.Node) (members []*tree.Node, all bool) {
	for _, m := range union.Members() {
		if c.visited++; c.visited > maxValues {
			c.fail("", "more than %d schemas, counted with those that references put in", maxValues)
			return nil, true
		}
		opened, pop := c.open(m.Value)
		pop()
		switch {
		case opened.IsTrue():
			return nil, true
		case !opened.Is(tree.Object):
			continue
		}
		if opened = modern(opened); !isNull(opened) {
			members = append(members, opened)
		}
	}
	return members, false
}

// noTuple says of all items what a tuple says of each, for a profile that
// takes no tuples.
func (c *converter) noTuple(n *tree.Node) *tree.Node {
	tuple := n.Get("prefixItems")
	if !tuple.Is(tree.Array) || c.profile.takes[kwPrefixItems] {
		return n
	}
	n = n.Without("prefixItems")
	if tuple.Len() == 0 {
		return n
	}
	var any choice
	for _, m := range tuple.Members() {
		any.add(m.Value)
	}
	return n.With("items", any.schema())
}

// oneType leaves a single type, not null, and makes an enum of a const.
func (c *converter) oneType(n *tree.Node) *tree.Node {
	if v := n.Get("const"); v != nil {
		n = n.Without("const").With("enum", tree.List(v))
	}
	typ := n.Get("type")
	if isNull(n) && !n.Has("anyOf") {
		return tree.False // nobody can give it
	}
	if typ.IsText("null") {
		return n.Without("type") // the union beside it says more
	}
	if !typ.Is(tree.Array) {
		return n
	}
	var rest []string
	for _, name := range typ.Strings() {
		if name != "null" {
			rest = append(rest, name)
		}
	}
	switch {
	case len(rest) == 0:
		return n.Without("type")
	case c.profile.takes[kwAnyOf] && len(rest) > 1 && !n.Has("anyOf") && !n.Has("enum"):
		return n.Without("type").With("anyOf", alternatives(rest, n))
	case len(rest) > 1 && n.Has("enum"):
		return n.Without("type") // the values say it
	}
	return n.With("type", tree.Text(rest[0]))
}

// alternatives are schemas of single types.
func alternatives(types []string, n *tree.Node) *tree.Node {
	var out []*tree.Node
	for _, name := range types {
		alt := tree.Map(tree.Member{Key: "type", Value: tree.Text(name)})
		for _, key := range partsOf[name] {
			if v := n.Get(key); v != nil {
				alt = alt.With(key, v)
			}
		}
		out = append(out, alt)
	}
	return tree.List(out...)
}

// partsOf are the keywords that build up a value of a type.
var partsOf = map[string][]string{
	"array":  {"items", "prefixItems"},
	"object": {"properties", "required", "additionalProperties"},
}
