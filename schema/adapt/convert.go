package adapt

import (
	"fmt"
	"strconv"

	"github.com/toolrest/toolrest/schema/tree"
)

// Bounds of one conversion.
const (
	maxValues = 50_000 // schemas visited, those put in for references included
	maxDepth  = 250    // of schemas below schemas
)

// converter turns one schema into the form of a profile. After a fault its
// methods do nothing that counts.
type converter struct {
	root    *tree.Node
	profile *profile
	fault   *Fault
	path    []string
	refs    []string // that led to where we are
	visited int
	cuts    int // references cut because they lead back
	done    map[*tree.Node]conversion
}

// conversion is what a referenced schema became.
type conversion struct {
	out     *tree.Node
	visited int
}

func (c *converter) fail(keyword, format string, args ...any) *tree.Node {
	if c.fault == nil {
		c.fault = &Fault{Path: pathOf(c.path), Keyword: keyword, Reason: fmt.Sprintf(format, args...)}
	}
	return tree.Empty
}

// at converts what stands below a part of the path.
func (c *converter) at(part string, n *tree.Node) *tree.Node {
	c.path = append(c.path, part)
	out := c.schema(n)
	c.path = c.path[:len(c.path)-1]
	return out
}

// schema converts a schema at any place but the root. A schema that allows
// nothing stays false: who holds it knows what that means.
func (c *converter) schema(n *tree.Node) *tree.Node {
	if c.fault != nil {
		return tree.Empty
	}
	if c.visited++; c.visited > maxValues {
		return c.fail("", "more than %d schemas, counted with those that references put in", maxValues)
	}
	if len(c.path) > 2*maxDepth {
		return c.fail("", "nested too deeply when its references are put in place")
	}
	switch {
	case n.IsFalse():
		return n
	case n.IsTrue(), n.Is(tree.Null):
		return c.finish(tree.Empty)
	case !n.Is(tree.Object):
		return c.fail("", "a schema is an object or a boolean, not %s", kindOf(n))
	case n.Has("$ref") || n.Has("$dynamicRef"):
		return c.reference(n)
	}
	return c.object(n)
}

func kindOf(n *tree.Node) string {
	switch n.Kind() {
	case tree.Array, tree.Object:
		return "an " + n.Kind().String()
	}
	return "a " + n.Kind().String()
}

// reference converts what a reference names, once for all that name it where
// no cycle was cut inside.
func (c *converter) reference(n *tree.Node) *tree.Node {
	target := c.target(n)
	alone := n.Len() == 1
	if known, ok := c.done[target]; ok && alone && target != nil {
		c.visited += known.visited
		return known.out
	}
	cuts, visited := c.cuts, c.visited
	opened, pop := c.open(n)
	defer pop()
	if c.fault != nil || !opened.Is(tree.Object) {
		return c.schema(opened)
	}
	out := c.object(opened)
	if alone && c.cuts == cuts && target != nil {
		if c.done == nil {
			c.done = map[*tree.Node]conversion{}
		}
		c.done[target] = conversion{out, c.visited - visited}
	}
	return out
}

// object converts a schema without a reference of its own.
func (c *converter) object(n *tree.Node) *tree.Node {
	n, pop := c.simplify(n)
	defer pop()
	if n.IsFalse() {
		return n
	}
	var told telling
	out := c.members(n, &told)
	if text := told.String(); text != "" {
		out = describe(out, text)
	}
	return c.finish(out)
}

// simplify says in today's words what older drafts say, and makes one schema
// of an allOf or a union where the profile wants one.
func (c *converter) simplify(n *tree.Node) (*tree.Node, func()) {
	n = modern(n)
	pop := func() {}
	if all := n.Get("allOf"); all.Is(tree.Array) && (c.profile.mergeAll || all.Len() <= 1) {
		n, pop = c.mergeAll(n)
	}
	if c.profile.unions != keepUnions {
		n = c.noTuple(c.narrowUnions(n))
	}
	if c.profile.typed {
		n = c.oneType(n)
	}
	return n, pop
}

// members converts the members of a schema and leaves out what the profile
// does not take.
func (c *converter) members(n *tree.Node, told *telling) *tree.Node {
	var out []tree.Member
	for i, m := range n.Members() {
		v := c.member(m, told)
		if c.fault != nil {
			return tree.Empty
		}
		if out == nil {
			if v == m.Value {
				continue
			}
			out = append(make([]tree.Member, 0, n.Len()+2), n.Members()[:i]...)
		}
		if v != nil {
			out = append(out, tree.Member{Key: m.Key, Value: v})
		}
	}
	if out == nil {
		return n
	}
	return tree.Map(out...)
}

// member gives the value of a member in the profile's form, nil to leave it
// out.
func (c *converter) member(m tree.Member, told *telling) *tree.Node {
	kw := keywordOf(m.Key)
	if kw == unknown || m.Value.Is(tree.Null) && kw != kwConst && kw != kwDefault {
		return nil
	}
	if !wellFormed(kw, m.Value) {
		switch kw {
		case kwTitle, kwDescription, kwExamples, kwRequired:
			return nil // what says nothing cannot be wrong
		}
		return c.fail(m.Key, "%s", malformed[kw])
	}
	if !c.profile.takes[kw] {
		told.lost(kw, m.Value)
		return nil
	}
	switch kw {
	case kwType:
		return c.types(m.Value)
	case kwRequired:
		return unique(m.Value)
	case kwProperties:
		return c.properties(m)
	case kwPatternProperties, kwDependentSchemas:
		return c.below(m.Key, m.Value)
	case kwAnyOf, kwOneOf, kwAllOf, kwPrefixItems:
		return c.list(m)
	case kwItems, kwContains, kwAdditionalProperties, kwUnevaluatedProperties, kwUnevaluatedItems,
		kwPropertyNames, kwNot, kwIf, kwThen, kwElse:
		if m.Value.Is(tree.Bool) {
			return m.Value
		}
		return c.at(m.Key, m.Value)
	}
	return m.Value
}

// properties converts those of an object. One that allows no value is not
// told: nobody can give it.
func (c *converter) properties(m tree.Member) *tree.Node {
	return c.below(m.Key, m.Value).Filter(func(m tree.Member) bool { return !m.Value.IsFalse() })
}

// below converts a map of schemas.
func (c *converter) below(key string, n *tree.Node) *tree.Node {
	c.path = append(c.path, key)
	out := n.Each(func(m tree.Member) *tree.Node { return c.at(m.Key, m.Value) })
	c.path = c.path[:len(c.path)-1]
	return out
}

// list converts a list of schemas. An empty one says nothing.
func (c *converter) list(m tree.Member) *tree.Node {
	if m.Value.Len() == 0 {
		return nil
	}
	c.path = append(c.path, m.Key)
	i := -1
	out := m.Value.Each(func(m tree.Member) *tree.Node {
		i++
		return c.at(strconv.Itoa(i), m.Value)
	})
	c.path = c.path[:len(c.path)-1]
	return out
}

// types checks the names of types.
func (c *converter) types(n *tree.Node) *tree.Node {
	if n.Is(tree.String) {
		if !isType(n) {
			return c.fail("type", "%s is no type", tree.Short(n.String()))
		}
		return n
	}
	for _, m := range n.Members() {
		if !isType(m.Value) {
			return c.fail("type", "%s is no type", tree.Short(m.Value.String()))
		}
	}
	if n.Len() == 0 {
		return nil
	}
	return unique(n)
}

func isType(n *tree.Node) bool {
	name, ok := n.Str()
	if !ok {
		return false
	}
	switch name {
	case "string", "number", "integer", "boolean", "object", "array", "null":
		return true
	}
	return false
}

// repeats reports whether an item stands twice in a short list.
func repeats(list []tree.Member) bool {
	for i := range list {
		for j := range i {
			if tree.Equal(list[i].Value, list[j].Value) {
				return true
			}
		}
	}
	return false
}

// unique is a list without repeated items.
func unique(list *tree.Node) *tree.Node {
	if n := list.Len(); n < 2 || n <= 16 && !repeats(list.Members()) {
		return list
	}
	seen := newValues()
	return list.Filter(func(m tree.Member) bool { return seen.add(m.Value) })
}
