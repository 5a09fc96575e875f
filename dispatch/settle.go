package dispatch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/toolrest/toolrest"
)

// execute runs the tool inside the middleware that the program added.
func (d *Dispatcher) execute(ctx context.Context, f *flight) *toolrest.Result {
	if err := ctx.Err(); err != nil {
		return aborted(ctx, f).Result()
	}
	run := toolrest.Handler(f.entry.Executor.Execute)
	for _, wrap := range slices.Backward(d.opts.Middleware) {
		run = wrap(run)
	}
	result, err := run(ctx, f.call)
	switch {
	case err == nil:
		return result
	case ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		return aborted(ctx, f).Result()
	}
	var refusal *toolrest.Refusal
	if errors.As(err, &refusal) {
		return refusal.Result()
	}
	return failed(f, err.Error())
}

// settle makes one result of whatever came back.
func (d *Dispatcher) settle(next handler) handler {
	return func(ctx context.Context, f *flight) (result *toolrest.Result) {
		defer func() {
			if p := recover(); p != nil {
				result = panicked(f, p)
			}
			result = complete(f, result)
		}()
		return next(ctx, f)
	}
}

// Panicked is in the details of the result of a call whose tool panicked. The
// model does not see it: a stack tells it nothing, and may tell too much.
type Panicked struct {
	Value string `json:"panic"`
	Stack string `json:"stack"`
}

func panicked(f *flight, value any) *toolrest.Result {
	r := failed(f, "the tool crashed; that is a defect of the tool, not of the arguments")
	r.Details = Panicked{Value: fmt.Sprint(value), Stack: string(debug.Stack())}
	return r
}

// complete keeps the promise that a result has content, and that a refusal is
// an error.
func complete(f *flight, r *toolrest.Result) *toolrest.Result {
	if r == nil {
		return failed(f, "the tool gave no result; that is a defect of the tool")
	}
	if len(r.Content) > 0 && (r.Refusal == nil || r.IsError) {
		return r
	}
	whole := *r
	whole.IsError = r.IsError || r.Refusal != nil
	if len(whole.Content) == 0 {
		whole.Content = []toolrest.Content{toolrest.Text(stated(r))}
	}
	return &whole
}

// stated is the text of a result that brought none: models read text.
func stated(r *toolrest.Result) string {
	switch {
	case len(r.Structured) > 0:
		return string(r.Structured)
	case r.IsError:
		return "the tool failed and gave no reason"
	}
	return "(no output)"
}

func aborted(ctx context.Context, f *flight) *toolrest.Refusal {
	reason := "the call was cancelled before it ended; what it did until then stays"
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		reason = "the call ran out of time; what it did until then stays"
	}
	return &toolrest.Refusal{Code: toolrest.CodeAborted, Tool: f.tool, Reason: reason, Retry: true}
}

func failed(f *flight, reason string) *toolrest.Result {
	r := &toolrest.Refusal{Code: toolrest.CodeFailed, Tool: f.tool, Reason: reason, Retry: true}
	return &toolrest.Result{Content: []toolrest.Content{toolrest.Text(f.tool + ": " + reason)}, IsError: true, Refusal: r}
}

// record tells the observer, after everything else.
func (d *Dispatcher) record(next handler) handler {
	if d.opts.Observe == nil {
		return next
	}
	return func(ctx context.Context, f *flight) *toolrest.Result {
		started := time.Now()
		r := next(ctx, f)
		rec := Record{Call: f.call, Tool: f.tool, IsError: r.IsError, Took: time.Since(started)}
		if r.Refusal != nil {
			rec.Code = r.Refusal.Code
		}
		d.opts.Observe(ctx, rec)
		return r
	}
}
