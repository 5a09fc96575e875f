package policy

import (
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// EditOp is what an [Edit] does.
type EditOp string

// The operations.
const (
	EditAdd    EditOp = "add"    // add Value to the list at Path, which is made when missing
	EditRemove EditOp = "remove" // remove Value from the list at Path
	EditSet    EditOp = "set"    // set the key at Path to Value
)

// Edit is one structural change of a config: what to change, not how the text
// of the file then looks.
type Edit struct {
	Op   EditOp `json:"op"`
	Path string `json:"path"` // "tools.deny", "agents.list[1].tools.alsoAllow"
	// Value is the list entry as it is written, or the key's new string value.
	Value string `json:"value"`
	// Pos is the entry to remove or the list to add to. Where neither exists yet
	// it is only the file that the list belongs in, or zero for any.
	Pos toolrest.Pos `json:"pos,omitzero"`
}

// Forbid is the smallest change that takes a tool away from an agent: an entry
// in its own deny list, or in the one for all where the config has no entry for
// the agent.
func Forbid(cfg *Config, agent, tool string) Edit {
	in, at := &cfg.Tools.Section, toolrest.Pos{}
	for c := cfg; c != nil; c = c.Base {
		if a := c.agent(names.AgentID(agent)); a != nil && a.Tools.Path != "" { // not one that is only inherited
			in, at = &a.Tools.Section, a.Pos
			break
		}
	}
	path := in.Deny.path(in.Path, "deny")
	return Edit{Op: EditAdd, Path: path, Value: names.Normalise(tool), Pos: placed(path, in.Deny.Pos, at)}
}

// placed is where a list stands. One that an agent does not have yet belongs in
// the file of the agent: in another file its index is that of another agent.
func placed(path string, list, owner toolrest.Pos) toolrest.Pos {
	if list.IsZero() && strings.HasPrefix(path, "agents.") {
		return toolrest.Pos{File: owner.File}
	}
	return list
}
