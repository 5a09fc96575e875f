package openclaw

import (
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// Route is where a request to OpenAI goes.
type Route struct{ Provider, API, BaseURL string }

// native reports whether the route is one for which the plugin rewrites.
func (r Route) native() bool {
	if fold(r.Provider) != "openai" {
		return false
	}
	base := strings.ToLower(strings.TrimSpace(r.BaseURL))
	official := base == "" || under("https://api.openai.com", base)
	switch r.API {
	case "openai-responses":
		return official
	case "openai-chatgpt-responses":
		return official || under("https://chatgpt.com/backend-api", base)
	}
	return false
}

// under reports whether base is prefix or a path below it.
func under(prefix, base string) bool { return base == prefix || strings.HasPrefix(base, prefix+"/") }

// Plugin applies what the original's plugin for OpenAI does to a schema on
// this route. Absent parameters are nil.
func Plugin(n *tree.Node, r Route) *tree.Node {
	if !r.native() {
		return n
	}
	switch {
	case n == nil, n.Is(tree.Null), n.Is(tree.Object) && n.Len() == 0:
		return tree.Map(
			tree.Member{Key: "type", Value: tree.Text("object")}, tree.Member{Key: "properties", Value: tree.Empty},
			tree.Member{Key: "required", Value: tree.List()}, tree.Member{Key: "additionalProperties", Value: tree.False})
	case n.Is(tree.Object):
		return pluginObject(n)
	}
	return n
}

// pluginHolds is holds for the plugin, which looks into whatever stands there.
func pluginHolds(key string) (named, direct bool) {
	switch key {
	case "properties", "$defs", "definitions", "dependentSchemas", "patternProperties":
		return true, false
	case "additionalProperties", "allOf", "anyOf", "contains", "else", "if", "items", "not", "oneOf", "prefixItems",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties":
		return false, true
	}
	return false, false
}

func pluginAny(n *tree.Node) *tree.Node {
	switch {
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node { return pluginAny(m.Value) })
	case n.Is(tree.Object):
		return pluginObject(n)
	}
	return n
}

func pluginObject(n *tree.Node) *tree.Node {
	out := n.Each(func(m tree.Member) *tree.Node {
		switch named, direct := pluginHolds(m.Key); {
		case named && m.Value.Is(tree.Object):
			return m.Value.Each(func(m tree.Member) *tree.Node { return pluginAny(m.Value) })
		case direct:
			return pluginAny(m.Value)
		}
		return m.Value
	})
	if !out.Has("type") && (out.Get("properties").Is(tree.Object) || out.Get("required").Is(tree.Array)) {
		out = out.With("type", tree.Text("object"))
	}
	if out.Get("type").IsText("object") && !out.Has("properties") {
		out = out.With("properties", tree.Empty)
	}
	if p := out.Get("properties"); out.Get("type").IsText("object") && p.Is(tree.Object) && p.Len() == 0 {
		if !out.Get("required").Is(tree.Array) {
			out = out.With("required", tree.List())
		}
		if !out.Has("additionalProperties") {
			out = out.With("additionalProperties", tree.False)
		}
	}
	return out
}

// OpenAI gives the parameters as the original's transport sends them, strict
// or not. Of compat only the keywords and the items count. It fails with
// [ErrTooLarge] alone.
func OpenAI(n *tree.Node, strict bool, compat Compat) (*tree.Node, error) {
	if n == nil || n.Is(tree.Null) {
		n = tree.Empty
	}
	compat.Profile = ""
	out, err := Normalize(n, Options{Compat: compat})
	if err != nil || !strict {
		return out, err
	}
	return strictForm(out, 0), nil
}

// StrictViolations gives the paths below path that keep a schema from being
// sent as strict. It fails with [ErrTooLarge] alone.
func StrictViolations(n *tree.Node, path string) ([]string, error) {
	out, err := OpenAI(n, true, Compat{})
	if err != nil {
		return nil, err
	}
	found := []string{}
	strictViolations(out, path, &found)
	return found, nil
}
