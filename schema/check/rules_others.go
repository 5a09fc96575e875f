package check

import "github.com/toolrest/toolrest/schema/tree"

// DeepSeek are the rules of its documentation: single types without null,
// anyOf as the only union, and few keywords.
func DeepSeek(n *tree.Node) []Breach {
	l := everywhere(n, draft, deepSeekKeywords, deepSeekType, hasItems, noReferences)
	isObjectRoot(n, &l)
	refusing("is not taken at the root", "anyOf", "enum")("", n, &l)
	return l
}

var deepSeekKeywords = onlyKeywords("type", "title", "description", "default", "properties", "required",
	"additionalProperties", "items", "enum", "const", "anyOf", "pattern", "format", "minimum", "maximum",
	"exclusiveMinimum", "exclusiveMaximum", "multipleOf")

func deepSeekType(path string, n *tree.Node, l *list) {
	if !n.Is(tree.Object) {
		return
	}
	typ, ok := n.Get("type").Str()
	switch {
	case !ok && !n.Has("anyOf"):
		l.add(path, "type", "must be a single type")
	case ok && typ == "null":
		l.add(path, "type", "null is not supported")
	}
}

// Mistral are the rules of OpenAI without references, which it does not
// resolve.
func Mistral(n *tree.Node) []Breach {
	return append(OpenAI(n), everywhere(n, noReferences)...)
}

// counted are the keywords that xAI and Volcengine refuse.
var counted = refusing("is not supported", "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains")

// XAI are the rules of OpenAI without counts of characters and items, and
// without allOf.
func XAI(n *tree.Node) []Breach {
	return append(Mistral(n), everywhere(n, counted, refusing("is not supported", "allOf"))...)
}

// Volcengine are the rules of OpenAI without counts of characters and items.
func Volcengine(n *tree.Node) []Breach { return append(Mistral(n), everywhere(n, counted)...) }

// Xiaomi are the rules of OpenAI, but arrays must not have empty items.
func Xiaomi(n *tree.Node) []Breach {
	l := everywhere(n, draft, noEmptyItems, noReferences)
	isObjectRoot(n, &l)
	refusing("is not taken at the root", "oneOf", "anyOf", "allOf", "enum", "not")("", n, &l)
	return l
}

func noEmptyItems(path string, n *tree.Node, l *list) {
	if items := n.Get("items"); items.Is(tree.Object) && items.Len() == 0 {
		l.add(path, "items", "is empty")
	}
}
