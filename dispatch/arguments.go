package dispatch

import (
	"context"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/arguments"
)

// arguments makes of the text that the model wrote the arguments that the
// tool gets, or tells everything that is wrong with it. What it changes is
// what everybody after it sees: the person who is asked, the tool, the record.
func (d *Dispatcher) arguments(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		s, err := f.entry.Arguments()
		if err != nil {
			return refuse(f, toolrest.CodeFailed, "its input schema is broken: "+err.Error())
		}
		how := arguments.Options{
			Dialect:  f.plan.Dialect(),
			Entities: arguments.Entities(f.call.Caller.Provider, f.call.Caller.Model),
		}
		args, err := arguments.Read(s, f.call.Args, f.tool, how)
		if err != nil {
			return refuse(f, toolrest.CodeArguments, arguments.Reason(err))
		}
		if !same(args, f.call.Args) {
			f.call = &toolrest.Call{ID: f.call.ID, Tool: f.call.Tool, Args: args, Caller: f.call.Caller}
		}
		return next(ctx, f)
	}
}

// same reports whether two texts are one, not whether they are equal.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
