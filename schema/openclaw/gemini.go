package openclaw

import (
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

func geminiDrops(key string) bool {
	switch key {
	case "patternProperties", "additionalProperties", "$schema", "$id", "$ref", "$defs", "definitions", "examples",
		"minLength", "maxLength", "minimum", "maximum", "multipleOf", "pattern", "format", "minItems", "maxItems",
		"uniqueItems", "minProperties", "maxProperties", "not":
		return true
	}
	return false
}

// CleanGemini brings a schema to the form that the original takes for
// Gemini's. It fails with [ErrTooLarge] alone.
func CleanGemini(n *tree.Node) (*tree.Node, error) {
	c := &cleaner{}
	out := c.any(n, nil, nil)
	if c.visited > maxInlined {
		return nil, ErrTooLarge
	}
	return out, nil
}

type cleaner struct{ visited int }

func (c *cleaner) any(n *tree.Node, s *scope, refs *chain) *tree.Node {
	switch {
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node { return c.any(m.Value, s, refs) })
	case n.Is(tree.Object):
		return c.object(n, s, refs)
	}
	return n
}

func (c *cleaner) object(n *tree.Node, s *scope, refs *chain) *tree.Node {
	if c.visited++; c.visited > maxInlined {
		return n
	}
	if defs, definitions := n.Get("$defs"), n.Get("definitions"); defs.Is(tree.Object) || definitions.Is(tree.Object) {
		s = &scope{s, defs, definitions}
	}
	if ref, ok := n.Get("$ref").Str(); ok && ref != "" {
		return c.reference(n, ref, s, refs)
	}
	union := c.unions(n, s, refs)
	if union.replaced != nil {
		return union.replaced
	}
	out := c.copy(n, union, s, refs)
	if union.anyOf != nil || union.oneOf != nil {
		if collapsed := collapse(out); collapsed != nil {
			return collapsed
		}
	}
	return cleanRequired(out)
}

func (c *cleaner) reference(n *tree.Node, ref string, s *scope, refs *chain) *tree.Node {
	if refs.has(ref) {
		return tree.Empty
	}
	target := sharedDef(ref, s)
	if falsy(target) {
		return overlay(tree.Empty, n, "description", "title", "default").Node
	}
	out := c.any(target, s, &chain{ref, refs})
	if !out.Is(tree.Object) {
		return out
	}
	return overlay(out, n, "description", "title", "default").Node
}

// sharedDef looks a definition up where both keywords name one space.
func sharedDef(ref string, s *scope) *tree.Node {
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	if !ok {
		if name, ok = strings.CutPrefix(ref, "#/definitions/"); !ok {
			return nil
		}
	}
	name = unescape(name)
	for ; s != nil; s = s.outer {
		if found := s.definitions.Get(name); found != nil {
			return found
		}
		if found := s.defs.Get(name); found != nil {
			return found
		}
	}
	return nil
}

// unions are the cleaned unions of a node, or what stands for the whole node.
type unions struct {
	anyOf, oneOf *tree.Node
	replaced     *tree.Node
}

func (c *cleaner) unions(n *tree.Node, s *scope, refs *chain) unions {
	var u unions
	if list := n.Get("anyOf"); list.Is(tree.Array) {
		u.anyOf = c.any(list, s, refs)
	}
	if list := n.Get("oneOf"); list.Is(tree.Array) {
		u.oneOf = c.any(list, s, refs)
	}
	for _, list := range []**tree.Node{&u.anyOf, &u.oneOf} {
		if *list == nil {
			continue
		}
		rest := (*list).Filter(func(m tree.Member) bool { return !isNullMember(m.Value) })
		if flat := flatLiterals(rest); flat != nil {
			u.replaced = overlay(flat, n, "description", "title", "default").Node
			return u
		}
		if rest != *list && rest.Len() == 1 {
			only := rest.Members()[0].Value
			if only.Is(tree.Object) {
				only = overlay(only, n, "description", "title", "default").Node
			}
			u.replaced = only
			return u
		}
		if rest != *list {
			*list = rest
		}
	}
	return u
}

// isNullMember reports whether a cleaned member stands for null. A single
// literal decides alone, whatever the type beside it says.
func isNullMember(n *tree.Node) bool {
	if enum := n.Get("enum"); enum.Is(tree.Array) && enum.Len() == 1 {
		return enum.Members()[0].Value.Is(tree.Null)
	}
	typ := n.Get("type")
	return typ.IsText("null") || typ.Is(tree.Array) && typ.Len() == 1 && hasText(typ, "null")
}

// flatLiterals makes one enum of a union of literals of one type.
func flatLiterals(union *tree.Node) *tree.Node {
	var typ *tree.Node
	var out []*tree.Node
	for _, m := range union.Members() {
		value := m.Value.Get("const")
		if enum := m.Value.Get("enum"); value == nil && enum.Is(tree.Array) && enum.Len() == 1 {
			value = enum.Members()[0].Value
		}
		t := m.Value.Get("type")
		if value == nil || !t.Is(tree.String) || typ != nil && !tree.Equal(typ, t) {
			return nil
		}
		typ = t
		out = append(out, value)
	}
	if typ == nil {
		return nil
	}
	return tree.Map(tree.Member{Key: "type", Value: typ}, tree.Member{Key: "enum", Value: tree.List(out...)})
}

// copy takes over the keys that stay.
func (c *cleaner) copy(n *tree.Node, u unions, s *scope, refs *chain) *tree.Node {
	hasUnion := u.anyOf != nil || u.oneOf != nil
	out := make([]tree.Member, 0, n.Len())
	for _, m := range n.Members() {
		if v, keep := c.member(n, m, u, hasUnion, s, refs); keep {
			if m.Key == "const" {
				m.Key = "enum"
			}
			if i := indexOf(out, m.Key); i >= 0 {
				out[i].Value = v
				continue
			}
			out = append(out, tree.Member{Key: m.Key, Value: v})
		}
	}
	return tree.Map(out...)
}

func indexOf(members []tree.Member, key string) int {
	for i := range members {
		if members[i].Key == key {
			return i
		}
	}
	return -1
}

func (c *cleaner) member(n *tree.Node, m tree.Member, u unions, hasUnion bool, s *scope, refs *chain) (*tree.Node, bool) {
	v := m.Value
	switch {
	case geminiDrops(m.Key):
		return nil, false
	case m.Key == "const":
		return tree.List(v), true
	case m.Key == "required":
		return v, !v.Is(tree.Array) || v.Len() > 0
	case m.Key == "type":
		return withoutNull(v), !hasUnion
	case m.Key == "properties":
		if !v.Is(tree.Object) {
			return tree.Empty, true
		}
		return v.Each(func(m tree.Member) *tree.Node { return c.any(m.Value, s, refs) }), true
	case m.Key == "items":
		return c.any(v, s, refs), true
	case m.Key == "anyOf" && u.anyOf != nil:
		return u.anyOf, true
	case m.Key == "oneOf" && u.oneOf != nil:
		return u.oneOf, true
	case m.Key == "allOf" && v.Is(tree.Array):
		return c.any(v, s, refs), true
	}
	return v, true
}

// withoutNull takes null out of a list of types.
func withoutNull(typ *tree.Node) *tree.Node {
	if !typ.Is(tree.Array) {
		return typ
	}
	for _, m := range typ.Members() {
		if !m.Value.Is(tree.String) {
			return typ
		}
	}
	rest := typ.Filter(func(m tree.Member) bool { return !m.Value.IsText("null") })
	if rest.Len() == 1 {
		return rest.Members()[0].Value
	}
	return rest
}

// collapse makes a single type of a union that is still there; nil where it
// cannot.
func collapse(n *tree.Node) *tree.Node {
	for _, key := range []string{"anyOf", "oneOf"} {
		union := n.Get(key)
		if !union.Is(tree.Array) {
			continue
		}
		members := values(union.Filter(func(m tree.Member) bool { return m.Value.Is(tree.Object) }))
		out := tree.Empty
		switch typ := commonType(members); {
		case len(members) == 0:
			continue
		case len(members) == 1:
			out = members[0]
		case typ != nil:
			out = tree.Map(tree.Member{Key: "type", Value: typ})
		}
		return overlay(out, n, "description", "title", "default").Node
	}
	return nil
}

// commonType is the one type that all members with one have, else that of the
// first, where it has one.
func commonType(members []*tree.Node) *tree.Node {
	var typ *tree.Node
	same := true
	for _, m := range members {
		t := m.Get("type")
		if falsy(t) {
			continue
		}
		if typ != nil && (t != typ && (!t.Is(tree.String) || !tree.Equal(t, typ))) {
			same = false
		}
		if typ == nil {
			typ = t
		}
	}
	if same {
		return typ
	}
	if len(members) > 0 && !falsy(members[0].Get("type")) {
		return members[0].Get("type")
	}
	return nil
}

// cleanRequired leaves among the required only what is a property.
func cleanRequired(n *tree.Node) *tree.Node {
	required, properties := n.Get("required"), n.Get("properties")
	if !required.Is(tree.Array) {
		return n
	}
	if properties == nil {
		if n.Get("type").IsText("object") {
			return n.Without("required")
		}
		return n
	}
	has := properties.Index()
	rest := required.Filter(func(m tree.Member) bool {
		key, ok := m.Value.Str()
		return ok && has[key] != nil
	})
	if rest.Len() == 0 {
		return n.Without("required")
	}
	return n.With("required", rest)
}
