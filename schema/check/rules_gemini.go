package check

import "github.com/toolrest/toolrest/schema/tree"

// Gemini are the rules for function declarations: the subset of OpenAPI that
// Google's Schema type has. A field that it lacks refuses the whole request.
func Gemini(n *tree.Node) []Breach {
	l := everywhere(n, geminiKeywords, geminiType, geminiEnum, geminiRequired, geminiUnion, noReferences)
	if !n.Is(tree.Object) || !n.Get("type").IsText("object") {
		l.add("", "type", `must be "object" at the root`)
	}
	return l
}

var geminiKeywords = onlyKeywords("type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems",
	"properties", "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf",
	"propertyOrdering", "default", "items", "minimum", "maximum")

var geminiFormats = map[string]map[string]bool{
	"string":  {"enum": true, "date-time": true},
	"number":  {"float": true, "double": true},
	"integer": {"int32": true, "int64": true},
}

func geminiType(path string, n *tree.Node, l *list) {
	if !n.Is(tree.Object) {
		l.add(path, "", "a schema is an object")
		return
	}
	typ, ok := n.Get("type").Str()
	switch {
	case !ok && !n.Has("anyOf"):
		l.add(path, "type", "must be a single type")
	case ok && (!types[typ] || typ == "null"):
		l.add(path, "type", "is no type of Gemini's")
	}
	if typ == "array" && !n.Get("items").Is(tree.Object) {
		l.add(path, "items", "missing field")
	}
	if format, ok := n.Get("format").Str(); ok && !geminiFormats[typ][format] {
		l.add(path, "format", "is not supported for this type")
	}
	if p := n.Get("properties"); p != nil && !p.Is(tree.Object) {
		l.add(path, "properties", "is no object")
	}
}

func geminiEnum(path string, n *tree.Node, l *list) {
	enum := n.Get("enum")
	if enum == nil {
		return
	}
	if !n.Get("type").IsText("string") {
		l.add(path, "enum", "only allowed for the type string")
	}
	if !enum.Is(tree.Array) || enum.Len() == 0 {
		l.add(path, "enum", "must be a list that is not empty")
	}
	for _, m := range enum.Members() {
		if s, ok := m.Value.Str(); !ok || s == "" {
			l.add(path, "enum", "must list texts that are not empty")
			return
		}
	}
}

func geminiRequired(path string, n *tree.Node, l *list) {
	required := n.Get("required")
	if required == nil {
		return
	}
	if reason := kinds["names"](required); reason != "" {
		l.add(path, "required", reason)
	}
	properties := n.Get("properties").Index()
	for _, key := range required.Strings() {
		if properties[key] == nil {
			l.add(path, "required", tree.Short(key)+": property is not defined")
		}
	}
}

func geminiUnion(path string, n *tree.Node, l *list) {
	if !n.Has("anyOf") {
		return
	}
	for _, m := range n.Members() {
		if m.Key != "anyOf" {
			l.add(path, "anyOf", "must be the only field, and there is "+tree.Short(m.Key))
			return
		}
	}
}
