package policy

import "github.com/toolrest/toolrest"

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
