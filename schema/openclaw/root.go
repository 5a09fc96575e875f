package openclaw

import "github.com/toolrest/toolrest/schema/tree"

// shapeRoot makes the root an object with properties, where it means one.
func shapeRoot(n *tree.Node) *tree.Node {
	properties, typ := n.Get("properties"), n.Get("type")
	if n.Get("anyOf").Is(tree.Array) {
		return flatten(n, n.Get("anyOf"))
	}
	if n.Get("oneOf").Is(tree.Array) {
		return flatten(n, n.Get("oneOf"))
	}
	if n.Get("allOf").Is(tree.Array) {
		return n
	}
	switch {
	case typ.IsText("object"):
		if !properties.Is(tree.Object) {
			return n.With("properties", tree.Empty)
		}
	case typ == nil && (properties.Is(tree.Object) || n.Get("required").Is(tree.Array)):
		n = n.With("type", tree.Text("object"))
		if !properties.Is(tree.Object) {
			n = n.With("properties", tree.Empty)
		}
	case n.Kind() < tree.Array:
		return n
	case n.Len() == 0:
		return tree.Map(tree.Member{Key: "type", Value: tree.Text("object")}, tree.Member{Key: "properties", Value: tree.Empty})
	}
	return n
}

// objectLike is what the original takes for an object of properties: a list is
// one to JavaScript.
func objectLike(n *tree.Node) bool { return n.Is(tree.Object) || n.Is(tree.Array) }

// flatten makes one object of the members of a root union.
func flatten(n, union *tree.Node) *tree.Node {
	merged := mergeVariants(union)
	out := []tree.Member{{Key: "type", Value: tree.Text("object")}}
	for _, key := range []string{"title", "description"} {
		if v := n.Get(key); v.Is(tree.String) {
			out = append(out, tree.Member{Key: key, Value: v})
		}
	}
	properties := tree.Map(merged.properties()...)
	if own := n.Get("properties"); len(merged.keys) == 0 && own != nil && !own.Is(tree.Null) {
		properties = own
	} else if len(merged.keys) == 0 {
		properties = tree.Empty
	}
	out = append(out, tree.Member{Key: "properties", Value: properties})
	required := n.Get("required").Strings()
	if len(required) == 0 {
		required = merged.required()
	}
	if len(required) > 0 {
		out = append(out, tree.Member{Key: "required", Value: tree.Texts(required...)})
	}
	additional := n.Get("additionalProperties")
	if additional == nil {
		additional = tree.True
	}
	return tree.Map(append(out, tree.Member{Key: "additionalProperties", Value: additional})...)
}

// variants are the objects of a union, merged.
type variants struct {
	count  int
	keys   []string
	merged map[string]*merging
	needs  map[string]int // by how many variants a key is required
	needed []string       // in the order of their first sight
}

func mergeVariants(union *tree.Node) *variants {
	v := &variants{merged: map[string]*merging{}, needs: map[string]int{}}
	for _, m := range union.Members() {
		properties := m.Value.Get("properties")
		if !objectLike(properties) {
			continue
		}
		v.count++
		for i, p := range properties.Members() {
			if properties.Is(tree.Array) {
				p.Key = itoa(i)
			}
			v.property(p)
		}
		for _, key := range m.Value.Get("required").Strings() {
			if v.needs[key]++; v.needs[key] == 1 {
				v.needed = append(v.needed, key)
			}
		}
	}
	return v
}

func (v *variants) property(p tree.Member) {
	m := v.merged[p.Key]
	if m == nil {
		m = &merging{}
		v.merged[p.Key] = m
		v.keys = append(v.keys, p.Key)
	}
	m.add(p.Value)
}

func (v *variants) properties() []tree.Member {
	out := make([]tree.Member, len(v.keys))
	for i, key := range v.keys {
		out[i] = tree.Member{Key: key, Value: v.merged[key].schema()}
	}
	return out
}

// required are the keys that every variant requires.
func (v *variants) required() []string {
	var out []string
	for _, key := range v.needed {
		if v.needs[key] == v.count {
			out = append(out, key)
		}
	}
	return out
}
