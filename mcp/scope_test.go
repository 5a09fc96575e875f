package mcp

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/toolrest/toolrest"
)

// A request ends with its own context, with its scope, or when it is answered,
// and the first of these is the cause.
func TestBind(t *testing.T) {
	own := errors.New("own")
	tests := map[string]struct {
		end  func(request, scope context.CancelCauseFunc, done func())
		want error
	}{
		"by the request": {func(request, scope context.CancelCauseFunc, _ func()) { request(own); scope(errSessionEnded) }, own},
		"by the scope":   {func(_, scope context.CancelCauseFunc, _ func()) { scope(errSessionEnded) }, errSessionEnded},
		"by the answer":  {func(_, scope context.CancelCauseFunc, done func()) { done(); scope(errSessionEnded) }, context.Canceled},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sc := newScope(t.Context(), toolrest.Caller{})
				parent, cancel := context.WithCancelCause(t.Context())
				ctx, done := sc.bind(parent)
				if ctx.Err() != nil {
					t.Fatal("ended before anything did")
				}
				test.end(cancel, sc.cancel, done)
				synctest.Wait()
				if got := context.Cause(ctx); got != test.want {
					t.Errorf("cause %v, want %v", got, test.want)
				}
				done()
			})
		})
	}
}

func TestBindToAnEndedScope(t *testing.T) {
	sc := newScope(t.Context(), toolrest.Caller{})
	sc.cancel(errSessionEnded)
	ctx, done := sc.bind(t.Context())
	defer done()
	<-ctx.Done()
	if got := context.Cause(ctx); got != errSessionEnded {
		t.Errorf("cause %v", got)
	}
}
