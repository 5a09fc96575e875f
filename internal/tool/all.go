// Package tool is the list of the built-in tools. It brings them together and
// decides nothing about them.
package tool

import (
	"context"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/tool/applypatch"
	"github.com/toolrest/toolrest/internal/tool/edit"
	"github.com/toolrest/toolrest/internal/tool/exec"
	"github.com/toolrest/toolrest/internal/tool/read"
	"github.com/toolrest/toolrest/internal/tool/write"
	"github.com/toolrest/toolrest/internal/workspace"
)

// Options are what the tools work with.
type Options struct {
	Workspace *workspace.Workspace // required
	Exec      exec.Options
}

// All gives the built-in tools in catalogue order.
func All(o Options) []toolrest.Tool {
	slots := make(chan struct{}, filesAtOnce)
	return []toolrest.Tool{
		limited(read.New(o.Workspace, nil), slots),
		limited(write.New(o.Workspace, nil), slots),
		limited(edit.New(o.Workspace, nil), slots),
		limited(applypatch.New(o.Workspace, nil), slots),
		exec.New(o.Exec),
	}
}

// filesAtOnce is how many calls may hold files in memory at the same time; the
// others wait.
const filesAtOnce = 8

func limited(t toolrest.Tool, slots chan struct{}) toolrest.Tool {
	run := t.Executor
	t.Executor = toolrest.Handler(func(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			return run.Execute(ctx, call)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	return t
}
