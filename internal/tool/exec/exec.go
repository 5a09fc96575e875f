// Package exec is the tool that runs a shell command in the workspace, inside
// the ring that keeps Toolrest's own files out of its reach. It refuses to run
// where there is no ring, unless it was told to. Whether a person must agree
// first is not its business.
package exec

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/process"
	"github.com/toolrest/toolrest/internal/sandbox"
)

// Name is the tool's name.
const Name = "exec"

//go:embed exec.md
var description string

// Options say where and how commands run.
type Options struct {
	// Dir is the workspace: absolute, links resolved. Required.
	Dir string
	// Ring is what commands must not reach, and Support what this machine can
	// do for it, from [sandbox.Probe].
	Ring    sandbox.Ring
	Support sandbox.Support
	// AllowNoRing runs commands also where Support has no ring. Each result
	// then says what the command could have reached.
	AllowNoRing bool
	// Environ is the environment to take the allowed names from. Nil is that
	// of this process.
	Environ []string
	// Process refines how commands end and how much they may print. A call
	// sets its own Timeout.
	Process process.Options
}

// Describe gives the tool's descriptor without making the tool.
func Describe() toolrest.Descriptor {
	return toolrest.Descriptor{
		Name: Name, Title: "Run a command", Description: strings.TrimSpace(description),
		InputSchema: json.RawMessage(inputSchema), Owner: toolrest.Owner{Kind: toolrest.OwnerCore},
	}
}

// New makes the tool. It panics when Dir is not absolute. The program must
// call [sandbox.Init] first thing in main.
func New(opts Options) toolrest.Tool {
	if !filepath.IsAbs(opts.Dir) {
		panic("exec: the workspace must be an absolute path")
	}
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	opts.Environ = process.Environ(opts.Environ)
	r := &runner{opts: opts, shell: shell(opts.Environ)}
	return toolrest.Tool{
		Descriptor: Describe(),
		Executor:   toolrest.Handler(r.execute),
	}
}

// runner is fixed when it is made.
type runner struct {
	opts  Options
	shell string
}

func (r *runner) execute(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in, err := parse(call)
	if err != nil {
		return nil, err
	}
	c, err := r.command(in)
	if err != nil {
		return nil, err
	}
	o := r.opts.Process
	o.Timeout = in.timeout
	out, err := process.Run(ctx, c, &o)
	if err != nil {
		return nil, fmt.Errorf("run the command: %w", err)
	}
	return answer(out, told{dir: c.Dir, limit: in.timeout, reach: r.opts.Ring.Reach(r.opts.Support), boxed: c.Box != nil}), nil
}

func (r *runner) command(in input) (process.Command, error) {
	var none process.Command
	dir, err := r.workdir(in.Workdir)
	if err != nil {
		return none, err
	}
	env, err := process.WithOverrides(r.opts.Environ, in.Env)
	if err != nil {
		return none, err
	}
	c := process.Command{Argv: []string{r.shell, "-c", in.Command}, Dir: dir, Env: env}
	switch {
	case r.opts.Support.Ring:
		if c.Box, err = r.opts.Ring.Box(r.opts.Support); err != nil {
			return none, fmt.Errorf("no command runs until this is put right: %w", err)
		}
	case !r.opts.AllowNoRing:
		return none, r.noRing()
	}
	return c, nil
}

func (r *runner) noRing() *toolrest.Refusal {
	return &toolrest.Refusal{
		Code: toolrest.CodeHidden, Tool: Name,
		Reason: "no command runs on this machine, because nothing would keep it from Toolrest's own files",
		Fix:    "give this machine user namespaces; without them: " + r.opts.Ring.Reach(r.opts.Support),
	}
}
