package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// MergeProperty makes one schema of those that two variants have for the same
// property: all their literal values where either has some, else the first.
func MergeProperty(existing, incoming *tree.Node) *tree.Node {
	var m merging
	m.add(existing)
	m.add(incoming)
	return m.schema()
}

// merging is a property while variants add to it.
type merging struct {
	first  *tree.Node // as long as no two were merged
	words  []tree.Member
	values *distinct // once any listed its values
}

func (m *merging) add(n *tree.Node) {
	switch {
	case falsy(n) && m.first != nil:
		return
	case falsy(m.first):
		m.first = n
		return
	}
	more, listed := literals(n)
	if m.values == nil {
		own, hasOwn := literals(m.first)
		if !hasOwn && !listed {
			return
		}
		m.values = &distinct{}
		m.values.add(own)
		m.describe(m.first)
	}
	m.values.add(more)
	m.describe(n)
}

// describe takes the words of n that are not there yet.
func (m *merging) describe(n *tree.Node) {
	for _, key := range []string{"title", "description", "default"} {
		if v := n.Get(key); v != nil && !has(m.words, key) {
			m.words = append(m.words, tree.Member{Key: key, Value: v})
		}
	}
}

func (m *merging) schema() *tree.Node {
	if m.values == nil {
		return m.first
	}
	out := m.words
	if typ := typeOfAll(m.values.all); typ != "" {
		out = append(out, tree.Member{Key: "type", Value: tree.Text(typ)})
	}
	return tree.Map(append(out, tree.Member{Key: "enum", Value: tree.List(m.values.all...)})...)
}

func has(members []tree.Member, key string) bool {
	for _, m := range members {
		if m.Key == key {
			return true
		}
	}
	return false
}

func falsy(n *tree.Node) bool {
	if f, ok := n.Float(); ok && f == 0 {
		return true
	}
	return n == nil || n.Is(tree.Null) || n.IsFalse() || n.IsText("")
}

// literals are the values that a schema lists, and whether it lists any.
func literals(n *tree.Node) ([]*tree.Node, bool) {
	if !n.Is(tree.Object) {
		return nil, false
	}
	if enum := n.Get("enum"); enum.Is(tree.Array) {
		return values(enum), true
	}
	if c := n.Get("const"); c != nil {
		return []*tree.Node{c}, true
	}
	union := n.Get("anyOf")
	if !union.Is(tree.Array) {
		union = n.Get("oneOf")
	}
	if !union.Is(tree.Array) {
		return nil, false
	}
	var out []*tree.Node
	for _, m := range union.Members() {
		more, _ := literals(m.Value)
		out = append(out, more...)
	}
	return out, len(out) > 0
}

func values(list *tree.Node) []*tree.Node {
	out := make([]*tree.Node, list.Len())
	for i, m := range list.Members() {
		out[i] = m.Value
	}
	return out
}

// distinct are values without repeated scalars. Objects and arrays are all
// different, as the identity of the original's values has it.
type distinct struct {
	all   []*tree.Node
	texts map[string]bool
	other map[any]bool // floats, nodes, and the texts of true, false and null under their kind
}

func (d *distinct) add(nodes []*tree.Node) {
	if d.texts == nil {
		d.texts, d.other = map[string]bool{}, map[any]bool{}
	}
	for _, n := range nodes {
		if s, ok := n.Str(); ok {
			if !d.texts[s] {
				d.texts[s] = true
				d.all = append(d.all, n)
			}
			continue
		}
		var key any = n
		if f, ok := n.Float(); ok {
			key = f
		} else if n.Kind() < tree.Array {
			key = n.String()
		}
		if !d.other[key] {
			d.other[key] = true
			d.all = append(d.all, n)
		}
	}
}

// typeOfAll is the one type of all values in JavaScript's words, or nothing.
func typeOfAll(values []*tree.Node) string {
	var typ string
	for i, v := range values {
		t := "object"
		switch v.Kind() {
		case tree.String, tree.Number:
			t = v.Kind().String()
		case tree.Bool:
			t = "boolean"
		}
		if i > 0 && t != typ {
			return ""
		}
		typ = t
	}
	return typ
}
