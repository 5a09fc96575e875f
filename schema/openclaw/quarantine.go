package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// Violation is why a tool is left out of a run.
type Violation struct {
	// Path is where, with the keyword at its end.
	Path string
	// Reason is empty for a dynamic reference.
	Reason string
	// Dynamic is set for $dynamicRef and $dynamicAnchor.
	Dynamic bool
}

func (v Violation) String() string {
	if v.Reason == "" {
		return v.Path
	}
	return v.Path + " " + v.Reason
}

// Violations gives the reasons to leave a tool out. Its parameters stand at
// path; nil where it has none. Lenient is the rule before a provider's own
// rewriting, which tolerates what that may mend.
func Violations(n *tree.Node, path string, lenient bool) []Violation {
	if n == nil && lenient {
		return nil
	}
	if n == nil || !n.Is(tree.Object) {
		return []Violation{{Path: path, Reason: "must be a JSON object schema"}}
	}
	var out []Violation
	if typ := n.Get("type"); typ != nil && !typ.IsText("object") {
		out = append(out, Violation{Path: path + ".type", Reason: `must be "object"`})
	}
	if !lenient && isDynamic(n) {
		dynamic(n, path, &out)
	}
	return out
}

// isDynamic reports whether there is anything to find, without the paths.
func isDynamic(n *tree.Node) bool {
	for _, m := range n.Members() {
		if m.Key == "$dynamicRef" || m.Key == "$dynamicAnchor" || m.Value.Len() > 0 && isDynamic(m.Value) {
			return true
		}
	}
	return false
}

func dynamic(n *tree.Node, path string, out *[]Violation) {
	for _, key := range []string{"$dynamicRef", "$dynamicAnchor"} {
		if n.Has(key) {
			*out = append(*out, Violation{Path: path + "." + key, Dynamic: true})
		}
	}
	for i, m := range n.Members() {
		at := path + "." + m.Key
		if n.Is(tree.Array) {
			at = path + "[" + itoa(i) + "]"
		}
		dynamic(m.Value, at, out)
	}
}
