package adapt

import (
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// modern says in the words of draft 2020-12 what older drafts and OpenAPI say
// in others: tuples, dependencies, excluded bounds, nullable. It looks at one
// schema, not below it.
func modern(n *tree.Node) *tree.Node {
	if !dated(n) {
		return n
	}
	n = modernPatterns(modernTuple(n))
	n = modernBound(n, "minimum", "exclusiveMinimum")
	n = modernBound(n, "maximum", "exclusiveMaximum")
	n = modernDependencies(n)
	if n.Get("nullable").IsTrue() {
		n = withNull(n)
	}
	return n.Without("nullable", "additionalItems", "dependencies")
}

func dated(n *tree.Node) bool {
	for _, m := range n.Members() {
		switch m.Key {
		case "nullable", "additionalItems", "dependencies":
			return true
		case "items":
			if m.Value.Is(tree.Array) {
				return true
			}
		case "patternProperties":
			return true
		case "exclusiveMinimum", "exclusiveMaximum":
			if m.Value.Is(tree.Bool) {
				return true
			}
		}
	}
	return false
}

func modernTuple(n *tree.Node) *tree.Node {
	tuple := n.Get("items")
	if !tuple.Is(tree.Array) {
		return n
	}
	rest := n.Get("additionalItems")
	n = n.Without("items")
	if tuple.Len() > 0 {
		n = n.With("prefixItems", tuple)
	}
	if rest != nil {
		n = n.With("items", rest)
	}
	return n
}

// modernPatterns says of all properties what a pattern says that matches every
// name.
func modernPatterns(n *tree.Node) *tree.Node {
	patterns := n.Get("patternProperties")
	if !patterns.Is(tree.Object) {
		return n
	}
	var every *tree.Node
	rest := patterns.Filter(func(m tree.Member) bool {
		if matchesAll(m.Key) {
			every = m.Value
			return false
		}
		return true
	})
	switch {
	case every == nil:
		return n
	case rest.Len() == 0:
		n = n.Without("patternProperties")
	default:
		n = n.With("patternProperties", rest)
	}
	return n.With("additionalProperties", every)
}

func matchesAll(pattern string) bool {
	switch strings.Trim(pattern, "^$()") {
	case "", ".*", ".+":
		return true
	}
	return false
}

func modernBound(n *tree.Node, bound, exclusive string) *tree.Node {
	if e := n.Get(exclusive); !e.Is(tree.Bool) {
		return n
	} else if limit := n.Get(bound); e.IsTrue() && limit != nil {
		return n.With(exclusive, limit).Without(bound)
	}
	return n.Without(exclusive)
}

func modernDependencies(n *tree.Node) *tree.Node {
	all := n.Get("dependencies")
	if !all.Is(tree.Object) {
		return n
	}
	var names, schemas []tree.Member
	for _, m := range all.Members() {
		if m.Value.Is(tree.Array) {
			names = append(names, m)
		} else {
			schemas = append(schemas, m)
		}
	}
	if len(names) > 0 && !n.Has("dependentRequired") {
		n = n.With("dependentRequired", tree.Map(names...))
	}
	if len(schemas) > 0 && !n.Has("dependentSchemas") {
		n = n.With("dependentSchemas", tree.Map(schemas...))
	}
	return n
}

// withNull lets a schema allow null as well.
func withNull(n *tree.Node) *tree.Node {
	null := tree.Text("null")
	if enum := n.Get("enum"); enum.Is(tree.Array) && !newValues(items(enum)...).has(tree.NullNode) {
		n = n.With("enum", tree.List(append(items(enum), tree.NullNode)...))
	}
	switch typ := n.Get("type"); {
	case typ.Is(tree.String) && !typ.IsText("null"):
		return n.With("type", tree.List(typ, null))
	case typ.Is(tree.Array) && !newValues(items(typ)...).has(null):
		return n.With("type", tree.List(append(items(typ), null)...))
	case typ != nil:
		return n
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if union := n.Get(key); union.Is(tree.Array) {
			for _, m := range union.Members() {
				if isNull(m.Value) {
					return n
				}
			}
			return n.With(key, tree.List(append(items(union), tree.Map(tree.Member{Key: "type", Value: null}))...))
		}
	}
	return n
}

// isNull reports whether a schema allows null alone.
func isNull(n *tree.Node) bool {
	typ, enum := n.Get("type"), n.Get("enum")
	switch {
	case typ.IsText("null"), n.Get("const").Is(tree.Null):
		return true
	case typ.Is(tree.Array):
		return typ.Len() == 1 && typ.Members()[0].Value.IsText("null")
	}
	return enum.Is(tree.Array) && enum.Len() == 1 && enum.Members()[0].Value.Is(tree.Null)
}
