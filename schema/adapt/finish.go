package adapt

import (
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// finish adds to a converted schema what the profile wants to be there.
func (c *converter) finish(n *tree.Node) *tree.Node {
	if c.fault != nil || !n.Is(tree.Object) {
		return n
	}
	typ := n.Get("type")
	if typ == nil && n.Get("properties").Is(tree.Object) {
		typ = tree.Text("object")
		n = n.With("type", typ)
	}
	if c.profile.typed {
		n = c.typedForm(n)
		typ = n.Get("type")
	}
	if saysType(typ, "array") || !c.profile.emptyItems {
		n = c.withItems(n)
	}
	if c.profile.typed && typ.IsText("object") && n.Has("required") {
		n = c.requireOnlyKnown(n)
	}
	return n
}

func saysType(typ *tree.Node, name string) bool {
	return typ.IsText(name) || typ.Is(tree.Array) && contains(typ.Strings(), name)
}

func (c *converter) withItems(n *tree.Node) *tree.Node {
	items := n.Get("items")
	if !c.profile.emptyItems {
		if items.Is(tree.Object) && items.Len() == 0 || items.IsTrue() {
			return n.Without("items")
		}
		return n
	}
	switch {
	case items == nil && n.Has("prefixItems") && c.profile.takes[kwPrefixItems]:
		return n // a tuple says what its items are
	case items == nil, items.Is(tree.Bool) && c.profile.typed:
		return n.With("items", c.finish(tree.Empty))
	}
	return n
}

// typedForm gives a schema a type, and an enum that fits it.
func (c *converter) typedForm(n *tree.Node) *tree.Node {
	if enum := n.Get("enum"); enum != nil {
		n = c.typedEnum(n, enum)
	}
	if !n.Has("type") && !(n.Has("anyOf") && c.profile.takes[kwAnyOf]) {
		n = n.With("type", tree.Text(inferred(n)))
	}
	if typ := n.Get("type"); typ != nil && !typ.IsText("object") {
		n = n.Without("properties", "required", "additionalProperties")
	}
	if typ := n.Get("type"); typ != nil && !typ.IsText("array") {
		n = n.Without("items")
	}
	return n
}

// inferred guesses the type from the other keywords. Text is what remains:
// every JSON value can be written as one.
func inferred(n *tree.Node) string {
	for _, m := range n.Members() {
		switch keywordOf(m.Key) {
		case kwProperties, kwRequired, kwAdditionalProperties:
			return "object"
		case kwItems:
			return "array"
		case kwMinimum, kwMaximum, kwExclusiveMinimum, kwExclusiveMaximum, kwMultipleOf:
			return "number"
		}
	}
	return "string"
}

// typedEnum leaves the values of one type, and of texts alone where the
// profile wants that. Others are told in words.
func (c *converter) typedEnum(n, enum *tree.Node) *tree.Node {
	typ, _ := n.Get("type").Str()
	if typ == "" {
		typ = commonType(enum)
		n = n.With("type", tree.Text(typ))
	}
	rest := unique(enum.Filter(func(m tree.Member) bool { return fitsType(m.Value, typ) }))
	if c.profile.textEnums {
		rest = rest.Filter(func(m tree.Member) bool { return !m.Value.IsText("") })
	}
	switch {
	case rest.Len() == 0:
		return n.Without("enum")
	case c.profile.textEnums && typ != "string":
		return describe(n.Without("enum"), oneOfText(rest))
	}
	return n.With("enum", rest)
}

func fitsType(v *tree.Node, typ string) bool {
	t := typeOf(v)
	return t == typ || t == "integer" && typ == "number"
}

// commonType is the type of all values that are not null, or the first one
// that has texts.
func commonType(enum *tree.Node) string {
	typ := ""
	for _, m := range enum.Members() {
		switch t := typeOf(m.Value); {
		case t == "null" || t == typ:
		case typ == "":
			typ = t
		case typ == "integer" && t == "number", typ == "number" && t == "integer":
			typ = "number"
		default:
			return "string"
		}
	}
	if typ == "" {
		return "string"
	}
	return typ
}

// requireOnlyKnown adds properties for what is required and told nowhere.
func (c *converter) requireOnlyKnown(n *tree.Node) *tree.Node {
	properties := n.Get("properties")
	get := properties.Get
	if properties.Len() > 32 {
		index := properties.Index()
		get = func(key string) *tree.Node { return index[key] }
	}
	var added []tree.Member
	for _, key := range n.Get("required").Strings() {
		if get(key) == nil {
			added = append(added, tree.Member{Key: key, Value: c.finish(tree.Empty)})
		}
	}
	switch {
	case len(n.Get("required").Strings()) == 0:
		return n.Without("required")
	case len(added) == 0:
		return n.With("required", unique(n.Get("required")))
	}
	all := append(append([]tree.Member(nil), properties.Members()...), added...)
	return n.With("properties", tree.Map(all...)).With("required", unique(n.Get("required")))
}

// describe adds a line to the description of a schema.
func describe(n *tree.Node, line string) *tree.Node {
	if line == "" {
		return n
	}
	if text, ok := n.Get("description").Str(); ok && strings.TrimSpace(text) != "" {
		if strings.Contains(text, line) {
			return n
		}
		line = strings.TrimRight(text, " \n") + "\n" + line
	}
	return n.With("description", tree.Text(line))
}
