package agent

import (
	"context"
	"fmt"
	"sync"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
)

// answer runs the calls of one message side by side and keeps their results
// in the order of the calls. It always keeps one for each, whatever happens to
// ctx.
func (r *run) answer(ctx context.Context, calls []model.Call) error {
	if len(calls) == 0 {
		return nil
	}
	for _, call := range calls {
		r.tell(CallBegan{Call: call}, nil)
	}
	results := make([]model.Result, len(calls))
	for i, result := range r.dispatch(ctx, calls) {
		results[i] = calls[i].Answer(result)
		r.tell(CallEnded{Call: calls[i], Result: result}, nil)
	}
	return r.keep(model.Results(results...))
}

// dispatch yields the index and the result of each call as it ends.
func (r *run) dispatch(ctx context.Context, calls []model.Call) func(func(int, *toolrest.Result) bool) {
	type ended struct {
		index  int
		result *toolrest.Result
	}
	return func(yield func(int, *toolrest.Result) bool) {
		done := make(chan ended, len(calls))
		var running sync.WaitGroup
		for i, call := range calls {
			c := r.next(call)
			running.Go(func() { done <- ended{i, r.opts.Door.Dispatch(ctx, c)} })
		}
		defer running.Wait()
		for range calls {
			e := <-done
			if !yield(e.index, e.result) {
				return
			}
		}
	}
}

// next makes the call for the door. The model's id names it to the model only:
// ids repeat between messages, and some are empty.
func (r *run) next(call model.Call) *toolrest.Call {
	r.calls++
	return &toolrest.Call{
		ID: fmt.Sprintf("%s%d", callPrefix(r.opts.Caller.Session), r.calls), Tool: call.Name, Args: call.Args, Caller: r.opts.Caller,
	}
}

func callPrefix(session string) string {
	if session == "" {
		return "call_"
	}
	return session + "_"
}
