// Package tool is the list of the built-in tools. It brings them together and
// decides nothing about them.
package tool

import (
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
	return []toolrest.Tool{
		read.New(o.Workspace, nil),
		write.New(o.Workspace, nil),
		edit.New(o.Workspace, nil),
		applypatch.New(o.Workspace, nil),
		exec.New(o.Exec),
	}
}
