package openclaw

import (
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// Strip takes keywords out of a schema and of those that stand below it in
// properties, items and unions. It leaves what stands anywhere else.
func Strip(n *tree.Node, keywords []string) *tree.Node { return strip(n, set(keywords...)) }

func strip(n *tree.Node, drop map[string]bool) *tree.Node {
	switch {
	case n.Is(tree.Array):
		return n.Each(func(m tree.Member) *tree.Node { return strip(m.Value, drop) })
	case !n.Is(tree.Object):
		return n
	}
	return n.Filter(func(m tree.Member) bool { return !drop[m.Key] }).Each(func(m tree.Member) *tree.Node {
		switch m.Key {
		case "properties":
			if m.Value.Is(tree.Object) {
				return m.Value.Each(func(m tree.Member) *tree.Node { return strip(m.Value, drop) })
			}
		case "items":
			return strip(m.Value, drop)
		case "anyOf", "oneOf", "allOf":
			if m.Value.Is(tree.Array) {
				return strip(m.Value, drop)
			}
		}
		return m.Value
	})
}

// FindKeywords gives the paths of all keywords below path, whatever they mean
// where they stand: also inside literal values.
func FindKeywords(n *tree.Node, path string, keywords []string) []string {
	out := []string{}
	findKeywords(n, path, set(keywords...), &out)
	return out
}

func findKeywords(n *tree.Node, path string, want map[string]bool, out *[]string) {
	if n.Is(tree.Object) {
		for _, p := range n.Get("properties").Members() {
			if n.Get("properties").Is(tree.Object) {
				findKeywords(p.Value, path+".properties."+p.Key, want, out)
			}
		}
	}
	for i, m := range n.Members() {
		switch {
		case n.Is(tree.Array):
			findKeywords(m.Value, path+"["+itoa(i)+"]", want, out)
		case m.Key != "properties":
			if want[m.Key] {
				*out = append(*out, path+"."+m.Key)
			}
			findKeywords(m.Value, path+"."+m.Key, want, out)
		}
	}
}

// usable are the keywords of a configuration that can be keywords.
func usable(keywords []string) []string {
	var out []string
	for _, k := range keywords {
		if k = strings.TrimSpace(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}
