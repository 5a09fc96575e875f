package dispatch

import (
	"context"

	"github.com/toolrest/toolrest"
)

// admit lets a call on whose tool the caller's plan shows.
func (d *Dispatcher) admit(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		if f.decision.Refusal != nil {
			return f.decision.Refusal.Result()
		}
		f.entry = f.decision.Entry
		return next(ctx, f)
	}
}

// owner looks a second time whether an owner's tool is called by the owner.
func (d *Dispatcher) owner(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		if refusal := f.plan.GuardOwner(f.entry, f.call.Caller); refusal != nil {
			return refusal.Result()
		}
		return next(ctx, f)
	}
}

func refuse(f *flight, code toolrest.Code, reason string) *toolrest.Result {
	return (&toolrest.Refusal{Code: code, Tool: f.tool, Reason: reason}).Result()
}
