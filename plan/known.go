package plan

import (
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// Known gives the plugins that have tools in the snapshot, for a policy to know
// which of its entries name them.
func Known(snap *registry.Snapshot) *policy.Known { return policy.NewKnown(Subjects(snap)) }

// Subjects gives the tools of the snapshot as policy sees them, in its order.
func Subjects(snap *registry.Snapshot) []policy.Tool {
	tools := make([]policy.Tool, len(snap.Rows))
	for i, row := range snap.Rows {
		tools[i] = subject(row)
	}
	return tools
}
