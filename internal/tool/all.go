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
	// Built hears when the executor of a tool has been made.
	Built func(tool string)
}

// All gives the built-in tools in catalogue order. Their descriptors are there
// at once; the executor of each is made on its first call.
func All(o Options) []toolrest.Tool {
	slots := make(chan struct{}, filesAtOnce)
	files := func(make func() toolrest.Tool) func() toolrest.Executor {
		return func() toolrest.Executor { return limited(make().Executor, slots) }
	}
	return []toolrest.Tool{
		o.lazy(read.Describe(), files(func() toolrest.Tool { return read.New(o.Workspace, nil) })),
		o.lazy(write.Describe(), files(func() toolrest.Tool { return write.New(o.Workspace, nil) })),
		o.lazy(edit.Describe(), files(func() toolrest.Tool { return edit.New(o.Workspace, nil) })),
		o.lazy(applypatch.Describe(), files(func() toolrest.Tool { return applypatch.New(o.Workspace, nil) })),
		o.lazy(exec.Describe(), func() toolrest.Executor { return exec.New(o.Exec).Executor }),
	}
}

func (o Options) lazy(d toolrest.Descriptor, make func() toolrest.Executor) toolrest.Tool {
	return toolrest.Tool{Descriptor: d, Executor: toolrest.Lazy(func(context.Context) (toolrest.Executor, error) {
		e := make()
		if o.Built != nil {
			o.Built(d.Name)
		}
		return e, nil
	})}
}

// filesAtOnce is how many calls may hold files in memory at the same time; the
// others wait.
const filesAtOnce = 8

func limited(run toolrest.Executor, slots chan struct{}) toolrest.Executor {
	return toolrest.Handler(func(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			return run.Execute(ctx, call)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}
