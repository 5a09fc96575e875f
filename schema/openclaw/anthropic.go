package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// Anthropic gives the input_schema as the original's transport sends it: type,
// properties and required of the root, and nothing else. It reports false for
// a schema that the original does not send.
func Anthropic(n *tree.Node) (*tree.Node, bool) {
	if n == nil || !n.Is(tree.Object) {
		return nil, false
	}
	for _, v := range Violations(n, "", false) {
		if !v.Dynamic {
			return nil, false
		}
	}
	properties, required := n.Get("properties"), n.Get("required")
	switch {
	case properties == nil || properties.Is(tree.Null):
		properties = tree.Empty
	case !properties.Is(tree.Object):
		return nil, false
	}
	switch {
	case required == nil || required.Is(tree.Null):
		required = tree.List()
	case !required.Is(tree.Array) || len(required.Strings()) != required.Len():
		return nil, false
	}
	return tree.Map(
		tree.Member{Key: "type", Value: tree.Text("object")},
		tree.Member{Key: "properties", Value: properties},
		tree.Member{Key: "required", Value: required}), true
}
