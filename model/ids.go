package model

import "github.com/toolrest/toolrest/internal/names"

// Rule is what a provider accepts as an identifier or a name.
type Rule = names.Rule

// WireIDs gives each call of an arranged conversation an identifier that rule
// accepts and that no other call has, and its result the same one. An
// identifier that is fine stays as it is, and what a call gets depends only
// on what stands before it, so that a growing conversation keeps its prefix.
// The input is not changed.
func WireIDs(arranged []Message, rule Rule) []Message {
	taken := map[string]bool{}
	out := make([]Message, len(arranged))
	var ids []string // of the calls of the last assistant message
	for i, m := range arranged {
		switch m.Role {
		case RoleAssistant:
			m, ids = renameCalls(m, func(id string) string { return rule.Unused(id, taken) })
		case RoleResults:
			m = renameResults(m, ids)
		}
		out[i] = m
	}
	return out
}

func renameCalls(m Message, rename func(string) string) (Message, []string) {
	var ids []string
	blocks := make([]Block, len(m.Blocks))
	for i, b := range m.Blocks {
		if b.Kind == BlockCall {
			c := *b.Call
			c.ID = rename(c.ID)
			ids = append(ids, c.ID)
			b.Call = &c
		}
		blocks[i] = b
	}
	m.Blocks = blocks
	return m, ids
}

func renameResults(m Message, ids []string) Message {
	blocks := make([]Block, len(m.Blocks))
	for i, b := range m.Blocks {
		r := *b.Result
		r.CallID = ids[i]
		b.Result = &r
		blocks[i] = b
	}
	m.Blocks = blocks
	return m
}
