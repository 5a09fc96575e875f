package adapt

import (
	"slices"

	"github.com/toolrest/toolrest/schema/tree"
)

// isObject reports whether a schema speaks of objects: by its type, or by what
// it says where it has none.
func isObject(n *tree.Node) bool {
	if !n.Is(tree.Object) {
		return false
	}
	if typ := n.Get("type"); typ != nil {
		return contains(typeNames(typ), "object")
	}
	return n.Get("properties").Is(tree.Object) || n.Get("required").Is(tree.Array) || n.Get("additionalProperties") != nil
}

// flat is an object schema whose unions are merged into it. Its property
// schemas are not converted yet.
type flat struct {
	properties []tree.Member
	index      map[string]int // of the properties, once there are many
	required   []string
	closed     bool    // by additionalProperties: false
	variants   []*flat // of its first union
}

// flatten merges the unions of n, which is opened, and its allOf. All
// properties of all variants are there; required is what every variant wants.
func (c *converter) flatten(n *tree.Node, depth int) *flat {
	n, pop := c.mergeAll(modern(n))
	defer pop()
	f := &flat{closed: n.Get("additionalProperties").IsFalse()}
	if p := n.Get("properties"); p.Is(tree.Object) {
		f.properties = p.Members()[:p.Len():p.Len()] // appending copies
	}
	f.require(n.Get("required").Strings()...)
	if depth > maxDepth {
		c.fail("", "unions nested too deeply")
		return f
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if union := n.Get(key); union.Is(tree.Array) && union.Len() > 0 {
			f.union(c, union, depth)
		}
	}
	return f
}

// at gives the place of a property.
func (f *flat) at(key string) (int, bool) {
	if len(f.properties) <= 32 {
		i := slices.IndexFunc(f.properties, func(m tree.Member) bool { return m.Key == key })
		return i, i >= 0
	}
	for i := len(f.index); i < len(f.properties); i++ {
		if f.index == nil {
			f.index = map[string]int{}
		}
		f.index[f.properties[i].Key] = i
	}
	i, ok := f.index[key]
	return i, ok
}

func (f *flat) require(keys ...string) {
	for _, key := range keys {
		if !slices.Contains(f.required, key) {
			f.required = append(f.required, key)
		}
	}
}

// union merges the variants of a union into f.
func (f *flat) union(c *converter, union *tree.Node, depth int) {
	merged := map[string]*choice{}
	var order []string
	wanted := map[string]int{}
	var wantedOrder []string
	var all []*flat
	closed := true
	for _, m := range union.Members() {
		v := f.variant(c, m.Value, depth)
		if v == nil {
			continue
		}
		all = append(all, v)
		closed = closed && v.closed
		for _, p := range v.properties {
			if merged[p.Key] == nil {
				merged[p.Key] = &choice{}
				order = append(order, p.Key)
			}
			merged[p.Key].add(p.Value)
		}
		for _, key := range v.required {
			if wanted[key]++; wanted[key] == 1 {
				wantedOrder = append(wantedOrder, key)
			}
		}
	}
	for _, key := range order {
		f.offer(key, merged[key].schema())
	}
	f.closed = f.closed || closed && len(all) > 0
	for _, key := range wantedOrder {
		if wanted[key] == len(all) {
			f.require(key)
		}
	}
	if f.variants == nil {
		f.variants = all
	}
}

// variant flattens a member of a union; nil where no object fits it.
func (f *flat) variant(c *converter, n *tree.Node, depth int) *flat {
	if c.visited++; c.visited > maxValues {
		c.fail("", "more than %d schemas, counted with those that references put in", maxValues)
		return nil
	}
	opened, pop := c.open(n)
	defer pop()
	switch {
	case c.fault != nil, opened.IsFalse():
		return nil
	case !opened.Is(tree.Object):
		return &flat{}
	}
	if typ := opened.Get("type"); typ != nil && !contains(typeNames(typ), "object") {
		return nil
	}
	return c.flatten(opened, depth+1)
}

// offer takes what the variants say of a property. Where the object itself
// says something of it, that stays, narrowed by theirs if it lists no values.
func (f *flat) offer(key string, n *tree.Node) {
	i, ok := f.at(key)
	if !ok {
		f.properties = append(f.properties, tree.Member{Key: key, Value: n})
		return
	}
	own := f.properties[i].Value
	if _, listed := literals(own); !listed && own.Is(tree.Object) && n.Is(tree.Object) && refless(own) && refless(n) {
		f.properties = slices.Clone(f.properties)
		f.properties[i].Value = intersect(own, n)
	}
}

func refless(n *tree.Node) bool {
	_, _, ok := refOf(n)
	return !ok
}

// choice collects what the variants say of one property.
type choice struct {
	members []*tree.Node
	seen    map[string]bool // texts of the members, from the second on
}

func (ch *choice) add(n *tree.Node) {
	if len(ch.members) == 0 {
		ch.members = append(ch.members, n)
		return
	}
	if n == ch.members[0] || ch.seen == nil && tree.Equal(n, ch.members[0]) {
		return
	}
	if ch.seen == nil {
		ch.seen = map[string]bool{ch.members[0].String(): true}
	}
	if text := n.String(); !ch.seen[text] {
		ch.seen[text] = true
		ch.members = append(ch.members, n)
	}
}

// schema allows what any variant does: one list of values where all list
// theirs, else a union.
func (ch *choice) schema() *tree.Node {
	if len(ch.members) == 1 {
		return ch.members[0]
	}
	if enum := enumOf(ch.members); enum != nil {
		return enum
	}
	return tree.Map(tree.Member{Key: "anyOf", Value: tree.List(ch.members...)})
}

// enumOf makes one enum of schemas that all list their values; nil where one
// does not. The first words win.
func enumOf(members []*tree.Node) *tree.Node {
	out := tree.Empty
	set := newValues()
	var all []*tree.Node
	typ := ""
	for _, m := range members {
		listed, ok := literals(m)
		if !ok {
			return nil
		}
		for _, v := range listed {
			if set.add(v) {
				all = append(all, v)
				if t := typeOf(v); len(all) == 1 {
					typ = t
				} else if t != typ {
					typ = ""
				}
			}
		}
		for _, key := range []string{"title", "description"} {
			if v := m.Get(key); v.Is(tree.String) && !out.Has(key) {
				out = out.With(key, v)
			}
		}
	}
	if typ != "" {
		out = out.With("type", tree.Text(typ))
	}
	return out.With("enum", tree.List(all...))
}

// literals are the values that a schema lists.
func literals(n *tree.Node) ([]*tree.Node, bool) {
	if !n.Is(tree.Object) {
		return nil, false
	}
	if v := n.Get("const"); v != nil {
		return []*tree.Node{v}, true
	}
	if enum := n.Get("enum"); enum.Is(tree.Array) && enum.Len() > 0 {
		return items(enum), true
	}
	return nil, false
}

// into writes the flat object over n, whose unions it replaces.
func (f *flat) into(n *tree.Node) *tree.Node {
	n = n.Without("anyOf", "oneOf", "allOf").With("type", tree.Text("object"))
	n = n.With("properties", tree.Map(f.properties...))
	if len(f.required) > 0 {
		n = n.With("required", tree.Texts(f.required...))
	} else {
		n = n.Without("required")
	}
	if f.closed {
		n = n.With("additionalProperties", tree.False)
	}
	return n
}
