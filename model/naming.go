package model

import "fmt"

// Names translates between the names of tools and what a provider accepts as
// one. It is made for one request and safe for use by several goroutines.
type Names struct {
	rule Rule
	wire map[string]string // tool → wire
	tool map[string]string // wire → tool
}

// NewNames makes the translation for tools. Names that rule accepts stay as
// they are; the others get a form that depends on the name alone, unless a
// tool already has that. It refuses two tools of one name.
func NewNames(tools []Tool, rule Rule) (*Names, error) {
	n := &Names{rule: rule, wire: map[string]string{}, tool: map[string]string{}}
	taken := map[string]bool{}
	for _, t := range tools {
		if _, twice := n.wire[t.Name]; twice {
			return nil, fmt.Errorf("two tools are named %q", t.Name)
		}
		n.wire[t.Name] = t.Name
		if rule.accepts(t.Name) {
			taken[t.Name] = true
		}
	}
	for _, t := range tools {
		if !rule.accepts(t.Name) {
			n.wire[t.Name] = rule.unused(t.Name, taken)
		}
		n.tool[n.wire[t.Name]] = t.Name
	}
	return n, nil
}

// Wire is how the tool of this name is called on the wire. A name that is no
// tool's, as an older call may have, gets a form that the provider accepts
// and that is no tool's either.
func (n *Names) Wire(name string) string {
	if w, ok := n.wire[name]; ok {
		return w
	}
	out := name
	for salt := 0; !n.rule.accepts(out) || n.isTool(out); salt++ {
		out = n.rule.variant(name, salt)
	}
	return out
}

// Tool is the tool that a name on the wire stands for, or the name itself.
func (n *Names) Tool(wire string) string {
	if t, ok := n.tool[wire]; ok {
		return t
	}
	return wire
}

func (n *Names) isTool(wire string) bool {
	_, ok := n.tool[wire]
	return ok
}
