package plan

import (
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// GuardOwner refuses a tool of the owner's to anybody else. Policy has removed
// it before; this is the second look, at the moment of the call, which holds
// also where the first one was left out or was made for somebody else. Who the
// owner is, both ask the config. The dialect OpenClaw has neither.
func (p *Plan) GuardOwner(e *Entry, who toolrest.Caller) *toolrest.Refusal {
	row, known := catalog.Lookup(names.Normalise(e.Name))
	if !known || !row.OwnerOnly || p.pipeline.Owner(who) || p.pipeline.Dialect() == policy.OpenClaw {
		return nil
	}
	return &toolrest.Refusal{
		Code: toolrest.CodeDenied, Tool: e.Name, Layer: "owner only",
		Reason: "only the owner may use it, and this caller is not the owner",
	}
}
