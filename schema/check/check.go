package check

import (
	"encoding/json"
	"strconv"

	"github.com/toolrest/toolrest/schema/tree"
)

// Breach is a rule that a schema breaks.
type Breach struct {
	// Path is where: "properties.a.items"; empty for the root.
	Path string
	// Keyword is the key at fault there, or the one that is missing.
	Keyword string
	Reason  string
}

func (b Breach) String() string {
	at := b.Path
	if at != "" && b.Keyword != "" {
		at += "."
	}
	if at += b.Keyword; at == "" {
		return b.Reason
	}
	return at + ": " + b.Reason
}

// Rules are those of one provider. They give the breaches of a schema in the
// order of its text, none where it may be sent.
type Rules func(*tree.Node) []Breach

// Raw applies rules to the text of a schema.
func (r Rules) Raw(raw json.RawMessage) []Breach {
	n, err := tree.Parse(raw, nil)
	if err != nil {
		return []Breach{{Reason: err.Error()}}
	}
	return r(n)
}

var byName = map[string]Rules{
	"openai": OpenAI, "anthropic": Anthropic, "gemini": Gemini, "deepseek": DeepSeek,
	"mistral": Mistral, "xai": XAI, "volcengine": Volcengine, "xiaomi": Xiaomi,
}

// Known reports whether there are rules of this name.
func Known(name string) bool { return byName[name] != nil }

// For gives the rules of a family by its name; those of OpenAI, which most
// servers follow, for a name that is none.
func For(name string) Rules {
	if r := byName[name]; r != nil {
		return r
	}
	return OpenAI
}

// list collects breaches.
type list []Breach

func (l *list) add(path, keyword, reason string) {
	*l = append(*l, Breach{path, keyword, reason})
}

// rule judges one schema. It does not go below it.
type rule func(path string, n *tree.Node, l *list)

// everywhere applies rules to a schema and all below it.
func everywhere(n *tree.Node, rules ...rule) list {
	l := list{}
	visit(n, "", &l, rules)
	return l
}

func visit(n *tree.Node, path string, l *list, rules []rule) {
	for _, r := range rules {
		r(path, n, l)
	}
	if !n.Is(tree.Object) {
		return
	}
	for _, m := range n.Members() {
		at := join(path, m.Key)
		switch m.Key {
		case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
			if m.Value.Is(tree.Object) {
				for _, p := range m.Value.Members() {
					visit(p.Value, join(at, p.Key), l, rules)
				}
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			if m.Value.Is(tree.Array) {
				for i, p := range m.Value.Members() {
					visit(p.Value, at+"["+strconv.Itoa(i)+"]", l, rules)
				}
			}
		case "items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames",
			"not", "if", "then", "else", "additionalItems":
			visit(m.Value, at, l, rules)
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return tree.Short(key)
	}
	return path + "." + tree.Short(key)
}

// refusing makes a rule that refuses keywords.
func refusing(reason string, keywords ...string) rule {
	return func(path string, n *tree.Node, l *list) {
		for _, k := range keywords {
			if n.Has(k) {
				l.add(path, k, reason)
			}
		}
	}
}

// onlyKeywords makes a rule that refuses all others.
func onlyKeywords(keywords ...string) rule {
	known := map[string]bool{}
	for _, k := range keywords {
		known[k] = true
	}
	return func(path string, n *tree.Node, l *list) {
		for _, m := range n.Members() {
			if n.Is(tree.Object) && !known[m.Key] {
				l.add(path, m.Key, "is not among the keywords that are supported")
			}
		}
	}
}

// isObjectRoot wants an object at the root.
func isObjectRoot(n *tree.Node, l *list) {
	switch {
	case !n.Is(tree.Object):
		l.add("", "", "the parameters are no object")
	case !n.Get("type").IsText("object"):
		l.add("", "type", `must be "object" at the root`)
	case !n.Get("properties").Is(tree.Object):
		l.add("", "properties", "an object without properties")
	}
}

// hasItems wants items for every array.
func hasItems(path string, n *tree.Node, l *list) {
	if saysType(n, "array") && !n.Has("items") && !n.Has("prefixItems") {
		l.add(path, "items", "an array without items")
	}
}

func saysType(n *tree.Node, name string) bool {
	typ := n.Get("type")
	if typ.IsText(name) {
		return true
	}
	for _, t := range typ.Strings() {
		if t == name {
			return true
		}
	}
	return false
}

// noReferences wants none that leave the schema or lead nowhere.
func noReferences(path string, n *tree.Node, l *list) {
	for _, k := range []string{"$ref", "$dynamicRef"} {
		if n.Has(k) {
			l.add(path, k, "references are not resolved")
		}
	}
}
