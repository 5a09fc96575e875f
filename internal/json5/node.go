package json5

import (
	"sort"
	"strings"
)

// Kind is what a value is.
type Kind int

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the kind with its article, as error texts want it.
func (k Kind) String() string {
	switch k {
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	case Object:
		return "an object"
	}
	return "null"
}

// Node is a value and its place. The tree is immutable by convention and may
// then be read by several goroutines.
type Node struct {
	Kind Kind
	// Line and Col are 1-based; Col counts characters. A byte order mark at
	// the start of the file takes no column.
	Line, Col int
	// Offset and End are the value's bytes in the source.
	Offset, End int

	Bool    bool     // of a Bool
	Number  float64  // of a Number; may be an infinity or NaN
	Text    string   // of a String, decoded; always valid UTF-8
	Items   []*Node  // of an Array
	Members []Member // of an Object, in the order of the source

	doc *document
}

// Member is a key and its value.
type Member struct {
	Key         string // decoded
	Line, Col   int    // of the key
	Offset, End int    // of the key
	Value       *Node

	doc *document
}

// File gives the name that the source of the key was parsed under.
func (m Member) File() string { return m.doc.file }

// Get gives the value of a key, or nil where n is nil, is no object or has no
// such key. With a duplicate key it is the first.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// File gives the name that the source of n was parsed under.
func (n *Node) File() string { return n.doc.file }

// WithItems gives an array that stands where n stands and has other entries,
// which may come from other files. It is for reading: an edit of it would go
// astray.
func (n *Node) WithItems(items []*Node) *Node {
	out := *n
	out.Items = items
	return &out
}

// WithMembers does the same for an object.
func (n *Node) WithMembers(members []Member) *Node {
	out := *n
	out.Members = members
	return &out
}

// Plain gives the value as encoding/json would. Of a duplicate key the last
// counts.
func (n *Node) Plain() any {
	switch n.Kind {
	case Bool:
		return n.Bool
	case Number:
		return n.Number
	case String:
		return n.Text
	case Array:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = item.Plain()
		}
		return out
	case Object:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = m.Value.Plain()
		}
		return out
	}
	return nil
}

// Source gives the value as it was written.
func (n *Node) Source() string { return string(n.doc.src[n.Offset:n.End]) }

// Comments gives all comments of the file that n came from, in order.
func (n *Node) Comments() []Comment { return n.doc.comments }

// Comment is a comment with its delimiters; a line comment ends before its
// line break.
type Comment struct {
	Line, Col   int
	Offset, End int
	Text        string
}

// IsLine reports whether the comment runs to the end of its line.
func (c Comment) IsLine() bool { return strings.HasPrefix(c.Text, "//") }

// document is what the nodes of one file share.
type document struct {
	file     string
	src      []byte
	comments []Comment
}

// commentAt gives the comment that begins at offset, or nil.
func (d *document) commentAt(offset int) *Comment {
	i := sort.Search(len(d.comments), func(i int) bool { return d.comments[i].Offset >= offset })
	if i == len(d.comments) || d.comments[i].Offset != offset {
		return nil
	}
	return &d.comments[i]
}
