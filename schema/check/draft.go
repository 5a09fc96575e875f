package check

import "github.com/toolrest/toolrest/schema/tree"

// The keywords of draft 2020-12 by what they may hold.
var draftKeywords = func() map[string]func(*tree.Node) string {
	out := map[string]func(*tree.Node) string{}
	for want, keys := range map[string][]string{
		"string": {"$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$comment", "title", "description",
			"format", "pattern", "contentEncoding", "contentMediaType"},
		"number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
		"count": {"minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains",
			"minProperties", "maxProperties"},
		"boolean": {"uniqueItems", "deprecated", "readOnly", "writeOnly"},
		"schema": {"items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems",
			"propertyNames", "not", "if", "then", "else", "contentSchema"},
		"schemas": {"allOf", "anyOf", "oneOf", "prefixItems"},
		"map":     {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"},
		"names":   {"required"},
		"array":   {"enum", "examples"},
		"type":    {"type"},
	} {
		for _, key := range keys {
			out[key] = kinds[want]
		}
	}
	return out
}()

// kinds give what is wrong with a value, nothing where nothing is.
var kinds = map[string]func(*tree.Node) string{
	"string":  is(tree.String, "must be a string"),
	"number":  is(tree.Number, "must be a number"),
	"boolean": is(tree.Bool, "must be true or false"),
	"array":   is(tree.Array, "must be a list"),
	"map":     is(tree.Object, "must be an object of schemas"),
	"count": func(n *tree.Node) string {
		if f, ok := n.Float(); !ok || f < 0 || f != float64(int64(f)) {
			return "must be a whole number from 0"
		}
		return ""
	},
	"schema": func(n *tree.Node) string {
		if !n.Is(tree.Object) && !n.Is(tree.Bool) {
			return "must be a schema"
		}
		return ""
	},
	"schemas": func(n *tree.Node) string {
		if !n.Is(tree.Array) || n.Len() == 0 {
			return "must be a list of schemas that is not empty"
		}
		return ""
	},
	"names": func(n *tree.Node) string {
		if !n.Is(tree.Array) || len(n.Strings()) != n.Len() || repeats(n.Strings()) {
			return "must be a list of different names"
		}
		return ""
	},
	"type": func(n *tree.Node) string {
		names := n.Strings()
		if name, ok := n.Str(); ok {
			names = []string{name}
		}
		if len(names) == 0 || n.Is(tree.Array) && len(names) != n.Len() || repeats(names) {
			return "must be a type or a list of different ones"
		}
		for _, name := range names {
			if !types[name] {
				return "is no type"
			}
		}
		return ""
	},
}

var types = map[string]bool{
	"string": true, "number": true, "integer": true, "boolean": true, "object": true, "array": true, "null": true,
}

func is(kind tree.Kind, reason string) func(*tree.Node) string {
	return func(n *tree.Node) string {
		if n.Is(kind) {
			return ""
		}
		return reason
	}
}

func repeats(names []string) bool {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			return true
		}
		seen[n] = true
	}
	return false
}

// draft wants what the meta-schema of draft 2020-12 wants. Keywords that it
// does not know mean nothing to it.
func draft(path string, n *tree.Node, l *list) {
	if !n.Is(tree.Object) {
		if !n.Is(tree.Bool) {
			l.add(path, "", "a schema is an object or a boolean")
		}
		return
	}
	for _, m := range n.Members() {
		if wrong := draftKeywords[m.Key]; wrong != nil {
			if reason := wrong(m.Value); reason != "" {
				l.add(path, m.Key, reason)
			}
		}
	}
	if f, ok := n.Get("multipleOf").Float(); n.Has("multipleOf") && (!ok || f <= 0) {
		l.add(path, "multipleOf", "must be a number above 0")
	}
}
