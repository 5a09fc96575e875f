package schema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// node is an object of a schema that is being written: its members in order.
type node struct {
	members []entry
	whole   json.RawMessage // the text of a schema that came as a whole
}

// entry is a member of a node: either text or a node.
type entry struct {
	name string
	text string
	node *node
}

func typed(name string) *node { return new(node).set("type", quoted(name)) }

// set puts a member with the given JSON text, in the place of one that has the
// name.
func (n *node) set(name, text string) *node { return n.add(entry{name: name, text: text}) }

// put is set for a node.
func (n *node) put(name string, value *node) *node { return n.add(entry{name: name, node: value}) }

func (n *node) add(m entry) *node {
	if i := slices.IndexFunc(n.members, func(o entry) bool { return o.name == m.name }); i >= 0 {
		n.members[i] = m
	} else {
		n.members = append(n.members, m)
	}
	return n
}

// get gives the member with the name; the zero entry when there is none.
func (n *node) get(name string) entry {
	for _, m := range n.members {
		if m.name == name {
			return m
		}
	}
	return entry{}
}

// kind is the text of "type".
func (n *node) kind() string {
	var kind string
	if json.Unmarshal([]byte(n.get("type").text), &kind) != nil {
		return ""
	}
	return kind
}

func (n *node) append(b []byte) []byte {
	if n.whole != nil {
		return append(b, n.whole...)
	}
	b = append(b, '{')
	for i, m := range n.members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quoted(m.name)...), ':')
		if m.node != nil {
			b = m.node.append(b)
		} else {
			b = append(b, m.text...)
		}
	}
	return append(b, '}')
}

// quoted is a string in JSON, with < and & as they are: models read it.
func quoted(s string) string { return encoded(s) }

func list(names []string) string { return encoded(names) }

func encoded(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("schema: " + err.Error()) // strings and lists of them always encode
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
