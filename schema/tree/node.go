package tree

import (
	"slices"
	"strconv"
)

// Kind is what a node is.
type Kind uint8

// The kinds of JSON.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Node is a JSON value. Methods accept nil, which stands for what is absent.
type Node struct {
	kind Kind
	text string   // the JSON text, compact; empty for an object or array that was made
	kids []Member // of an object: its members; of an array: its items, without keys
}

// Member is a key of an object with its value.
type Member struct {
	Key   string
	Value *Node
}

// Values that need no text of their own.
var (
	NullNode = &Node{kind: Null, text: "null"}
	True     = &Node{kind: Bool, text: "true"}
	False    = &Node{kind: Bool, text: "false"}
	Empty    = &Node{kind: Object} // {}
)

// Text makes a string.
func Text(s string) *Node { return &Node{kind: String, text: string(appendQuoted(nil, s))} }

// Int makes a number.
func Int(i int) *Node { return &Node{kind: Number, text: strconv.Itoa(i)} }

// Map makes an object of members, whose keys must differ. It keeps the slice.
func Map(members ...Member) *Node { return &Node{kind: Object, kids: members} }

// List makes an array.
func List(items ...*Node) *Node {
	kids := make([]Member, len(items))
	for i, item := range items {
		kids[i].Value = item
	}
	return &Node{kind: Array, kids: kids}
}

// Texts makes an array of strings.
func Texts(texts ...string) *Node {
	kids := make([]Member, len(texts))
	for i, t := range texts {
		kids[i].Value = Text(t)
	}
	return &Node{kind: Array, kids: kids}
}

// Kind tells what n is. It must not be nil.
func (n *Node) Kind() Kind { return n.kind }

// Is reports whether n is there and of kind k.
func (n *Node) Is(k Kind) bool { return n != nil && n.kind == k }

// Members are those of an object, or the items of an array under empty keys.
// They must not be changed.
func (n *Node) Members() []Member {
	if n == nil {
		return nil
	}
	return n.kids
}

// Len is the number of members or items.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.kids)
}

// Get gives the value of a key, nil where n is no object or has none.
func (n *Node) Get(key string) *Node {
	if n == nil || n.kind != Object {
		return nil
	}
	for i := range n.kids {
		if n.kids[i].Key == key {
			return n.kids[i].Value
		}
	}
	return nil
}

// Has reports whether n is an object with this key.
func (n *Node) Has(key string) bool { return n.Get(key) != nil }

// Index is the members of an object by their keys, for those who look up many.
func (n *Node) Index() map[string]*Node {
	out := make(map[string]*Node, n.Len())
	if n.Is(Object) {
		for _, m := range n.kids {
			out[m.Key] = m.Value
		}
	}
	return out
}

// Str gives the text of a string.
func (n *Node) Str() (string, bool) {
	if n == nil || n.kind != String {
		return "", false
	}
	return unquote(n.text), true
}

// IsText reports whether n is the string s.
func (n *Node) IsText(s string) bool {
	if n == nil || n.kind != String {
		return false
	}
	if len(n.text) == len(s)+2 && n.text[1:len(n.text)-1] == s {
		return true
	}
	got, _ := n.Str()
	return got == s
}

// IsTrue reports whether n is true, and IsFalse whether it is false.
func (n *Node) IsTrue() bool { return n != nil && n.kind == Bool && n.text == "true" }

// IsFalse reports whether n is false.
func (n *Node) IsFalse() bool { return n != nil && n.kind == Bool && n.text == "false" }

// Float gives the value of a number, rounded to the nearest.
func (n *Node) Float() (float64, bool) {
	if n == nil || n.kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	return f, err == nil
}

// Strings are the strings among the items of an array.
func (n *Node) Strings() []string {
	if !n.Is(Array) {
		return nil
	}
	out := make([]string, 0, len(n.kids))
	for _, m := range n.kids {
		if s, ok := m.Value.Str(); ok {
			out = append(out, s)
		}
	}
	return out
}

// With gives n, an object, with key set to value: in its place where it has
// one, else at the end.
func (n *Node) With(key string, value *Node) *Node {
	kids := make([]Member, len(n.kids), len(n.kids)+1)
	copy(kids, n.kids)
	for i := range kids {
		if kids[i].Key == key {
			kids[i].Value = value
			return &Node{kind: n.kind, kids: kids}
		}
	}
	return &Node{kind: n.kind, kids: append(kids, Member{key, value})}
}

// Without gives n without keys; n itself where it has none of them.
func (n *Node) Without(keys ...string) *Node {
	return n.Filter(func(m Member) bool { return !slices.Contains(keys, m.Key) })
}

// Filter gives n with the members or items that keep wants; n itself when it
// wants all.
func (n *Node) Filter(keep func(Member) bool) *Node {
	for i := range n.kids {
		if keep(n.kids[i]) {
			continue
		}
		kids := append(make([]Member, 0, len(n.kids)-1), n.kids[:i]...)
		for _, m := range n.kids[i+1:] {
			if keep(m) {
				kids = append(kids, m)
			}
		}
		return &Node{kind: n.kind, kids: kids}
	}
	return n
}

// Each gives n with every member's or item's value replaced by f's; n itself
// when f changes none.
func (n *Node) Each(f func(Member) *Node) *Node {
	var kids []Member
	for i, m := range n.Members() {
		v := f(m)
		if v != m.Value && kids == nil {
			kids = slices.Clone(n.kids)
		}
		if kids != nil {
			kids[i].Value = v
		}
	}
	if kids == nil {
		return n
	}
	return &Node{kind: n.kind, kids: kids}
}
