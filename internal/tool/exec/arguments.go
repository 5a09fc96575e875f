package exec

import (
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
)

const inputSchema = `{
  "type": "object",
  "properties": {
    "command": {
      "type": "string",
      "minLength": 1,
      "description": "The command line for the shell."
    },
    "workdir": {
      "type": "string",
      "minLength": 1,
      "description": "The folder to start in: in the workspace, relative to it or absolute. Left out: the workspace."
    },
    "env": {
      "type": "object",
      "additionalProperties": {"type": "string"},
      "description": "Variables to add to the environment."
    },
    "timeout": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 86400,
      "description": "Seconds after which the command is ended. Left out: 1800."
    }
  },
  "required": ["command"],
  "additionalProperties": false
}`

const (
	defaultTimeout = 1800  // seconds
	maxTimeout     = 86400 // seconds: a call that lasts longer than a day was forgotten
	// maxCommand is what the kernel takes as one argument, with its end mark.
	maxCommand = 128<<10 - 1
)

// input is the arguments of a call.
type input struct {
	Command string            `json:"command"`
	Workdir string            `json:"workdir"`
	Env     map[string]string `json:"env"`
	Seconds *float64          `json:"timeout"`
	timeout time.Duration     // from Seconds
}

func parse(call *toolrest.Call) (in input, err error) {
	if err := call.Decode(&in); err != nil {
		return in, err
	}
	if strings.TrimSpace(in.Command) == "" {
		return in, errors.New("the command is blank: give a command line to run")
	}
	if len(in.Command) > maxCommand {
		return in, fmt.Errorf("the command has %d bytes, and the system takes at most %d: write it to a file and run that", len(in.Command), maxCommand)
	}
	in.timeout, err = timeout(in.Seconds)
	return in, err
}

// timeout refuses 0 as "for ever": nobody would come back to such a call.
func timeout(seconds *float64) (time.Duration, error) {
	if seconds == nil {
		return defaultTimeout * time.Second, nil
	}
	if !(*seconds > 0 && *seconds <= maxTimeout) {
		return 0, fmt.Errorf("timeout is more than 0 and at most %d seconds", maxTimeout)
	}
	return max(time.Duration(*seconds*float64(time.Second)), time.Millisecond), nil
}

// workdir refuses every folder that is not in the workspace, and never falls
// back to another one.
func (r *runner) workdir(given string) (string, error) {
	dir := given
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.opts.Dir, dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && given == "":
		return "", fmt.Errorf("the workspace %s is gone", r.opts.Dir)
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("workdir %q does not exist: name a folder of the workspace %s", given, r.opts.Dir)
	case err != nil:
		return "", fmt.Errorf("workdir %q cannot be used: %w", given, err)
	case real != r.opts.Dir && !strings.HasPrefix(real, strings.TrimSuffix(r.opts.Dir, "/")+"/"):
		return "", fmt.Errorf("workdir %q is not in the workspace %s", given, r.opts.Dir)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return "", fmt.Errorf("workdir %q is no folder", given)
	}
	return real, nil
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
	for _, path := range []string{"/bin/bash", "/usr/bin/bash"} {
		if _, err := osexec.LookPath(path); err == nil {
			return path
		}
	}
	return "/bin/sh"
}
