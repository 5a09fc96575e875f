package adapt

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// refOf gives the reference of a schema and its keyword. Dynamic ones are
// followed like others: within one schema they differ for extensions alone.
func refOf(n *tree.Node) (ref, keyword string, ok bool) {
	for _, keyword = range []string{"$ref", "$dynamicRef"} {
		if ref, ok = n.Get(keyword).Str(); ok {
			return ref, keyword, true
		}
	}
	return "", "", false
}

// target gives what the reference of n names; nil where it names nothing.
func (c *converter) target(n *tree.Node) *tree.Node {
	ref, _, ok := refOf(n)
	if !ok {
		return nil
	}
	fragment, local := strings.CutPrefix(ref, "#")
	switch {
	case !local:
		return nil
	case fragment == "":
		return c.root
	case fragment[0] != '/':
		return anchor(c.root, fragment, 0)
	}
	return pointer(c.root, fragment)
}

// pointer walks a JSON pointer.
func pointer(n *tree.Node, text string) *tree.Node {
	for part := range strings.SplitSeq(text[1:], "/") {
		if plain, err := url.PathUnescape(part); err == nil {
			part = plain
		}
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		if n.Is(tree.Array) {
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= n.Len() {
				return nil
			}
			n = n.Members()[i].Value
		} else if n = n.Get(part); n == nil {
			return nil
		}
	}
	return n
}

// anchor finds the schema with this anchor.
func anchor(n *tree.Node, name string, depth int) *tree.Node {
	if depth > maxDepth {
		return nil
	}
	if n.Get("$anchor").IsText(name) || n.Get("$dynamicAnchor").IsText(name) {
		return n
	}
	for _, m := range n.Members() {
		if m.Value.Kind() < tree.Array || m.Key == "enum" || m.Key == "const" || m.Key == "default" {
			continue
		}
		if found := anchor(m.Value, name, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// open gives n with what its reference names in its place, that one's
// reference followed as well. The references count as being followed until
// pop is called.
func (c *converter) open(n *tree.Node) (opened *tree.Node, pop func()) {
	depth := len(c.refs)
	pop = func() { c.refs = c.refs[:depth] }
	for c.fault == nil && n.Is(tree.Object) {
		ref, keyword, ok := refOf(n)
		if !ok {
			break
		}
		found := c.target(n)
		if found == nil {
			if strings.HasPrefix(ref, "#") {
				return c.fail(keyword, "%q names nothing in this schema", tree.Short(ref)), pop
			}
			return c.fail(keyword, "%q leads out of this schema and is not followed", tree.Short(ref)), pop
		}
		if found == c.root {
			ref = "#"
		}
		if slices.Contains(c.refs, ref) || ref == "#" {
			c.cuts++
			n = beside(n.Without("$ref", "$dynamicRef"), stub(found))
			break
		}
		c.refs = append(c.refs, ref)
		n = beside(n.Without("$ref", "$dynamicRef"), found)
	}
	return n, pop
}

// stub is what stands for a schema that leads back into itself: its type.
func stub(n *tree.Node) *tree.Node {
	switch typ := n.Get("type"); {
	case typ.IsText("array"):
		return tree.Map(tree.Member{Key: "type", Value: typ}, tree.Member{Key: "items", Value: tree.Empty})
	case typ.Is(tree.String):
		return tree.Map(tree.Member{Key: "type", Value: typ})
	case n.Has("properties"):
		return tree.Map(tree.Member{Key: "type", Value: tree.Text("object")})
	}
	return tree.Empty
}

// beside gives a referenced schema with what stood beside the reference:
// words replace its words, constraints add to its own.
func beside(siblings, target *tree.Node) *tree.Node {
	if siblings.Len() == 0 || !target.Is(tree.Object) {
		return target
	}
	var limits []tree.Member
	for _, m := range siblings.Members() {
		switch keywordOf(m.Key) {
		case kwTitle, kwDescription, kwDefault, kwExamples:
			target = target.With(m.Key, m.Value)
		case unknown:
			if m.Key == "nullable" {
				target = target.With(m.Key, m.Value)
			}
		default:
			limits = append(limits, m)
		}
	}
	if len(limits) == 0 {
		return target
	}
	if _, _, more := refOf(target); more {
		// The target's own reference comes first; what limits it waits in allOf.
		all := append(items(target.Get("allOf")), tree.Map(limits...))
		return target.With("allOf", tree.List(all...))
	}
	return intersect(target, tree.Map(limits...))
}
