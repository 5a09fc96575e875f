package dispatch

import (
	"context"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// repair finds the tool that a call means in the caller's plan as it is now.
// A name that nothing has is repaired where it can only mean one of the
// visible tools, or else one of the hidden, so that the refusal says why.
// Every tool that is found this way is admitted or refused as any other.
func (d *Dispatcher) repair(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		p, err := d.opts.Plan(ctx, f.call.Caller)
		if err != nil {
			return refuse(f, toolrest.CodeHidden, "no plan can be made: "+err.Error())
		}
		f.plan, f.decision = p, p.Resolve(f.call.Tool)
		if r := f.decision.Refusal; r != nil && r.Code == toolrest.CodeUnknown {
			if name, ok := f.meant(p.Names()); ok {
				f.rename(name)
			} else if name, ok := f.meant(p.Known()); ok {
				f.rename(name)
			}
		}
		f.tool = f.decision.Tool
		return next(ctx, f)
	}
}

// meant gives the one of the names that the call means. What a call's
// identifier says counts for OpenClaw alone, and only where the identifier is
// the model's.
func (f *flight) meant(among []string) (string, bool) {
	id, session := f.call.ID, f.call.Caller.Session
	ours := f.named || session != "" && strings.HasPrefix(id, session)
	if ours || f.plan.Dialect() != policy.OpenClaw {
		id = ""
	}
	return names.Meant(f.call.Tool, id, among)
}

func (f *flight) rename(name string) {
	f.decision = f.plan.Resolve(name)
	f.call = &toolrest.Call{ID: f.call.ID, Tool: name, Args: f.call.Args, Caller: f.call.Caller}
}
