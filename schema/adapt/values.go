package adapt

import (
	"math"
	"strconv"

	"github.com/toolrest/toolrest/schema/tree"
)

// values is a set of JSON values.
type values struct{ buckets map[string][]*tree.Node }

func newValues(nodes ...*tree.Node) *values {
	v := &values{buckets: map[string][]*tree.Node{}}
	for _, n := range nodes {
		v.add(n)
	}
	return v
}

// add puts a value in and reports whether it was new.
func (v *values) add(n *tree.Node) bool {
	key := bucket(n)
	for _, known := range v.buckets[key] {
		if tree.Equal(known, n) {
			return false
		}
	}
	v.buckets[key] = append(v.buckets[key], n)
	return true
}

func (v *values) has(n *tree.Node) bool {
	for _, known := range v.buckets[bucket(n)] {
		if tree.Equal(known, n) {
			return true
		}
	}
	return false
}

// bucket is the same for equal values.
func bucket(n *tree.Node) string {
	switch n.Kind() {
	case tree.String:
		s, _ := n.Str()
		return s
	case tree.Number:
		f, _ := n.Float()
		return strconv.FormatFloat(f+0, 'g', -1, 64)
	case tree.Array, tree.Object:
		return n.Kind().String() + strconv.Itoa(n.Len()) + "/" + strconv.Itoa(n.Size()/64)
	}
	return n.String()
}

func items(list *tree.Node) []*tree.Node {
	out := make([]*tree.Node, list.Len(), list.Len()+1)
	for i, m := range list.Members() {
		out[i] = m.Value
	}
	return out
}

// typeOf is the JSON Schema type of a value.
func typeOf(n *tree.Node) string {
	if f, ok := n.Float(); ok && f == math.Trunc(f) {
		return "integer"
	}
	return n.Kind().String()
}
