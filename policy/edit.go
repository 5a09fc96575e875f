package policy

import (
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
	// Pos is the entry to remove, the list to add to, or zero where neither
	// exists yet.
	Pos toolrest.Pos `json:"pos,omitzero"`
}

// Forbid is the smallest change that takes a tool away from an agent: an entry
// in its own deny list, or in the one for all where the config has no entry for
// the agent.
func Forbid(cfg *Config, agent, tool string) Edit {
	list := cfg.Tools.Deny
	path := list.path(cfg.Tools.Path, "deny")
	if a := cfg.agent(names.AgentID(agent)); a != nil {
		list = a.Tools.Deny
		path = list.path(a.Tools.Path, "deny")
	}
	return Edit{Op: EditAdd, Path: path, Value: names.Normalise(tool), Pos: list.Pos}
}
