package tree

import "math"

// Equal reports whether two values are the same to JSON Schema: numbers by
// their value, objects whatever the order of their keys. Two absent ones are.
func Equal(a, b *Node) bool {
	if a == b {
		return true
	}
	if a != nil && b != nil && a.text != "" && a.text == b.text {
		return true
	}
	if a == nil || b == nil || a.kind != b.kind || len(a.kids) != len(b.kids) {
		return false
	}
	switch a.kind {
	case Number:
		x, _ := a.Float()
		y, _ := b.Float()
		return a.text == b.text || x == y && math.Abs(x) < 1<<53 // beyond, a float is no longer the number
	case String:
		return a.text == b.text || unquote(a.text) == unquote(b.text)
	case Array:
		for i := range a.kids {
			if !Equal(a.kids[i].Value, b.kids[i].Value) {
				return false
			}
		}
		return true
	case Object:
		return equalObjects(a, b)
	}
	return a.text == b.text
}

func equalObjects(a, b *Node) bool {
	get := b.Get
	if len(b.kids) > 16 {
		index := b.Index()
		get = func(key string) *Node { return index[key] }
	}
	for i := range a.kids {
		m := a.kids[i]
		if i < len(b.kids) && b.kids[i].Key == m.Key {
			if !Equal(m.Value, b.kids[i].Value) {
				return false
			}
			continue
		}
		if v := get(m.Key); v == nil || !Equal(m.Value, v) {
			return false
		}
	}
	return true
}
