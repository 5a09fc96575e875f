package dispatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/approve"
)

// approval asks a person where the config says so. Nobody to ask, no answer
// in time and an error all mean no.
func (d *Dispatcher) approval(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		if d.opts.Asks == nil {
			return next(ctx, f)
		}
		asked, ask := d.opts.Asks(f.call, f.entry)
		if !ask {
			return next(ctx, f)
		}
		if refusal := d.ask(ctx, f, asked); refusal != nil {
			return refusal.Result()
		}
		return next(ctx, f)
	}
}

func (d *Dispatcher) ask(ctx context.Context, f *flight, asked Asked) *toolrest.Refusal {
	within, cancel := context.WithTimeout(ctx, d.opts.ApprovalTimeout)
	defer cancel()
	verdict, err := d.opts.Approver.Ask(within, approve.Request{Call: f.call, Why: asked.Why})
	refusal := &toolrest.Refusal{
		Code: toolrest.CodeApproval, Tool: f.tool, Layer: "approval", Rule: asked.Why, Pos: asked.Pos, Fix: asked.Fix,
	}
	switch {
	case err == nil && verdict.Allowed:
		return nil
	case err == nil:
		refusal.Code, refusal.Fix = toolrest.CodeDeclined, ""
		refusal.Reason = "not approved: " + verdict.Reason
	case ctx.Err() != nil:
		return aborted(ctx, f)
	case errors.Is(err, approve.ErrNobody):
		refusal.Reason = "a person must approve this call, because " + asked.Why + ", and nobody can be asked here"
	case errors.Is(err, context.DeadlineExceeded):
		refusal.Retry = true
		refusal.Reason = fmt.Sprintf("a person must approve this call, and nobody answered within %s", d.opts.ApprovalTimeout)
	default:
		refusal.Reason = "a person must approve this call, and asking went wrong: " + err.Error()
	}
	return refusal
}
