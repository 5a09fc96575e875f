package policy

import "github.com/toolrest/toolrest"

// Entry is one line of an allow or deny list: a tool name, a group, a glob or
// a plugin id, as it was written, and where.
type Entry struct {
	Text string       `json:"text"`
	Pos  toolrest.Pos `json:"pos,omitzero"`
}

// List is a list of entries. A list that was not written differs from an
// empty one, so Set tells them apart.
type List struct {
	Set     bool
	Entries []Entry
	// Path is the list's place in the config: "tools.deny".
	Path string
	// Pos is where the list begins.
	Pos toolrest.Pos
}

// ListOf is a list with these entries, for configs that are written in Go.
func ListOf(entries ...string) List {
	l := List{Set: true}
	for _, e := range entries {
		l.Entries = append(l.Entries, Entry{Text: e})
	}
	return l
}

// written reports whether there is a list at all. One with entries is there
// also where Set was forgotten.
func (l List) written() bool { return l.Set || len(l.Entries) > 0 }

// Section is what one scope of the config says about tools: the global
// tools section, an agent's, and later a group's or a provider's.
type Section struct {
	// Path is the section's place in the config: "tools",
	// "agents.list[2].tools".
	Path string
	// Profile is empty where none was written.
	Profile    string
	ProfilePos toolrest.Pos
	Allow      List
	AlsoAllow  List
	Deny       List
	// Pos is where the section stands, or zero when it was not written.
	Pos toolrest.Pos
}
