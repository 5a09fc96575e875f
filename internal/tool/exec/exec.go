// Package exec is the tool that runs a shell command in the workspace, inside
// the ring that keeps Toolrest's own files out of its reach. It refuses to run
// where there is no ring, unless it was told to. Whether a person must agree
// first is not its business.
package exec

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/process"
	"github.com/toolrest/toolrest/internal/sandbox"
)

//go:embed exec.md
var description string

// Options say where and how commands run.
type Options struct {
	// Dir is the workspace: absolute, links resolved. Required.
	Dir string
	// Ring is what commands must not reach, and Support what this machine can
	// do for it.
	Ring    sandbox.Ring
	Support sandbox.Support
	// AllowNoRing runs commands also where Support has no ring.
	AllowNoRing bool
	// Environ is the environment to take the allowed names from. Nil is that
	// of this process.
	Environ []string
	// Process refines how commands end and how much they may print.
	Process process.Options
}

const (
	defaultTimeout = 1800  // seconds
	maxTimeout     = 86400 // seconds
)

var inputSchema = json.RawMessage(`{
"type":"object",
"properties":{
"command":{"type":"string","minLength":1,"description":"The command line for the shell."},
"workdir":{"type":"string","minLength":1,"description":"The folder to start in: in the workspace, relative to it or absolute. Default: the workspace."},
"env":{"type":"object","additionalProperties":{"type":"string"},"description":"Variables to add to the environment."},
"timeout":{"type":"number","exclusiveMinimum":0,"maximum":86400,"description":"Seconds after which the command is ended. Default: 1800."}
},
"required":["command"],
"additionalProperties":false
}`)

// New makes the tool. It panics when Dir is not absolute.
func New(opts Options) toolrest.Tool {
	if !filepath.IsAbs(opts.Dir) {
		panic("exec: the workspace must be an absolute path")
	}
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	return toolrest.Tool{
		Descriptor: toolrest.Descriptor{
			Name: "exec", Title: "Run a command", Description: strings.TrimSpace(description),
			InputSchema: inputSchema, Owner: toolrest.Owner{Kind: toolrest.OwnerCore},
		},
		Executor: toolrest.Handler((&runner{opts}).execute),
	}
}

type runner struct{ opts Options }

type input struct {
	Command string            `json:"command"`
	Workdir string            `json:"workdir"`
	Env     map[string]string `json:"env"`
	Timeout *float64          `json:"timeout"`
}

func (r *runner) execute(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
	var in input
	if err := call.Decode(&in); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Command) == "" {
		return nil, errors.New("the command is blank: give a command line to run")
	}
	c, err := r.command(in)
	if err != nil {
		return nil, err
	}
	limit, err := timeout(in.Timeout)
	if err != nil {
		return nil, err
	}
	o := r.opts.Process
	o.Timeout = limit
	out, err := process.Run(ctx, c, &o)
	if err != nil {
		return nil, fmt.Errorf("run the command: %w", err)
	}
	if out.End == process.Cancelled {
		return nil, context.Cause(ctx)
	}
	return answer(out, c.Dir, limit), nil
}

func (r *runner) command(in input) (process.Command, error) {
	dir, err := r.workdir(in.Workdir)
	if err != nil {
		return process.Command{}, err
	}
	env, err := process.WithOverrides(process.Environ(r.opts.Environ), in.Env)
	if err != nil {
		return process.Command{}, err
	}
	c := process.Command{Argv: []string{shell(env), "-c", in.Command}, Dir: dir, Env: env}
	if r.opts.Support.Ring {
		if c.Box, err = r.opts.Ring.Box(r.opts.Support); err != nil {
			return process.Command{}, err
		}
	} else if !r.opts.AllowNoRing {
		return process.Command{}, fmt.Errorf("no command runs here. %s", r.opts.Ring.Reach(r.opts.Support))
	}
	return c, nil
}

// workdir refuses every folder that is not in the workspace, and never falls
// back to another one.
func (r *runner) workdir(given string) (string, error) {
	dir := given
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.opts.Dir, dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("workdir %q does not exist", given)
	}
	if err != nil {
		return "", fmt.Errorf("workdir %q cannot be used: %w", given, err)
	}
	if real != r.opts.Dir && !strings.HasPrefix(real, strings.TrimSuffix(r.opts.Dir, "/")+"/") {
		return "", fmt.Errorf("workdir %q is not in the workspace %s", given, r.opts.Dir)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("workdir %q is no folder", given)
	}
	return real, nil
}

func timeout(given *float64) (time.Duration, error) {
	if given == nil {
		return defaultTimeout * time.Second, nil
	}
	if !(*given > 0 && *given <= maxTimeout) {
		return 0, fmt.Errorf("timeout is more than 0 and at most %d seconds", maxTimeout)
	}
	return max(time.Duration(*given*float64(time.Second)), time.Millisecond), nil
}

// shell is the user's where it is one that reads the common language, else
// bash, else sh.
func shell(env []string) string {
	for _, e := range env {
		path, ok := strings.CutPrefix(e, "SHELL=")
		if ok && filepath.IsAbs(path) && slices.Contains([]string{"bash", "zsh", "sh"}, filepath.Base(path)) {
			if _, err := osexec.LookPath(path); err == nil {
				return path
			}
		}
	}
	if _, err := os.Stat("/bin/bash"); err == nil {
		return "/bin/bash"
	}
	return "/bin/sh"
}
