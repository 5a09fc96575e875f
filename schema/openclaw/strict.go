package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// strictForm closes the root and completes empty objects. Depth 0 is the root,
// and by an accident of the original also the schema of a property that is
// named "properties".
func strictForm(n *tree.Node, depth int) *tree.Node {
	switch {
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node { return strictForm(m.Value, depth+1) })
	case !n.Is(tree.Object):
		return n
	}
	out := n.Each(func(m tree.Member) *tree.Node {
		if m.Key == "properties" {
			return strictForm(m.Value, depth)
		}
		return strictForm(m.Value, depth+1)
	})
	if !out.Get("type").IsText("object") {
		return out
	}
	if p := out.Get("properties"); p.Is(tree.Object) && p.Len() == 0 && !out.Get("required").Is(tree.Array) {
		out = out.With("required", tree.List())
	}
	if depth == 0 && !out.Has("additionalProperties") {
		out = out.With("additionalProperties", tree.False)
	}
	return out
}

func strictViolations(n *tree.Node, path string, out *[]string) {
	if n.Is(tree.Array) {
		for i, m := range n.Members() {
			strictViolations(m.Value, path+"["+itoa(i)+"]", out)
		}
		return
	}
	if !n.Is(tree.Object) {
		return
	}
	add := func(key string) { *out = append(*out, path+"."+key) }
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if n.Has(key) {
			add(key)
		}
	}
	if n.Get("type").Is(tree.Array) {
		add("type")
	}
	if n.Get("type").IsText("object") {
		if !n.Get("additionalProperties").IsFalse() {
			add("additionalProperties")
		}
		for _, key := range unrequired(n) {
			add(key)
		}
	}
	if properties := n.Get("properties"); properties.Is(tree.Object) {
		for _, p := range properties.Members() {
			strictViolations(p.Value, path+".properties."+p.Key, out)
		}
	}
	for _, m := range n.Members() {
		if m.Key != "properties" {
			strictViolations(m.Value, path+"."+m.Key, out)
		}
	}
}

// unrequired names the required list where it is missing, else what it lacks.
func unrequired(n *tree.Node) []string {
	required := n.Get("required")
	if !required.Is(tree.Array) {
		return []string{"required"}
	}
	has := map[string]bool{}
	for _, key := range required.Strings() {
		has[key] = true
	}
	var out []string
	for _, m := range n.Get("properties").Members() {
		if n.Get("properties").Is(tree.Object) && !has[m.Key] {
			out = append(out, "required."+m.Key)
		}
	}
	return out
}
