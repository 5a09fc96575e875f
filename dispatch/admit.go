package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/schema"
)

// admit resolves the name in the caller's plan as it is now.
func (d *Dispatcher) admit(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		p, err := d.opts.Plan(ctx, f.call.Caller)
		if err != nil {
			return refuse(f, toolrest.CodeHidden, "no plan can be made: "+err.Error())
		}
		decision := p.Resolve(f.call.Tool)
		f.tool = decision.Tool
		if decision.Refusal != nil {
			return decision.Refusal.Result()
		}
		f.entry, f.plan = decision.Entry, p
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

// arguments checks the bytes that the model wrote against the tool's own
// schema, and tells everything that is wrong with them.
func (d *Dispatcher) arguments(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		s, err := f.entry.Arguments()
		if err != nil {
			return refuse(f, toolrest.CodeFailed, "its input schema is broken: "+err.Error())
		}
		err = s.Validate(f.call.Args)
		if err == nil {
			_, err = f.call.Object() // a schema may accept what is no object
		}
		if err != nil {
			r := &toolrest.Refusal{Code: toolrest.CodeArguments, Tool: f.tool, Reason: argumentReason(err)}
			return r.Result()
		}
		return next(ctx, f)
	}
}

func argumentReason(err error) string {
	var invalid *schema.InvalidError
	if !errors.As(err, &invalid) {
		return "the arguments cannot be read: " + err.Error()
	}
	lines := make([]string, len(invalid.Violations))
	for i, v := range invalid.Violations {
		lines[i] = "\n- " + v.String()
	}
	return fmt.Sprintf("the arguments do not fit:%s", strings.Join(lines, ""))
}

func refuse(f *flight, code toolrest.Code, reason string) *toolrest.Result {
	return (&toolrest.Refusal{Code: code, Tool: f.tool, Reason: reason}).Result()
}
