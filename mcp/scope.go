package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// scope is what all requests of one session share: whose they are, and a
// context that ends with the session. The SDK hides the end of a connection's
// context from its handlers but hands on its values, so the scope travels as
// one.
type scope struct {
	who    toolrest.Caller
	ctx    context.Context
	cancel context.CancelCauseFunc
	// opened, where set, is told of the session once it is initialised and
	// before the client is.
	opened func(*sdk.ServerSession)
}

type scopeKey struct{}

// newScope makes a scope that ends with parent or when it is cancelled.
func newScope(parent context.Context, who toolrest.Caller) *scope {
	ctx, cancel := context.WithCancelCause(parent)
	return &scope{who: who, ctx: ctx, cancel: cancel}
}

func withScope(ctx context.Context, sc *scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, sc)
}

func scopeOf(ctx context.Context) *scope {
	sc, _ := ctx.Value(scopeKey{}).(*scope)
	return sc
}

// bind gives ctx a second end: that of the scope. The function that comes with
// it must be called when the request is answered.
func (sc *scope) bind(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(sc.ctx, func() { cancel(context.Cause(sc.ctx)) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}
