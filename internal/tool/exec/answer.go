package exec

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/process"
)

// Details are what programs may want to know of a command that ran.
type Details struct {
	Status     string `json:"status"` // "completed" or "failed"
	ExitCode   int    `json:"exitCode"`
	Signal     string `json:"signal,omitempty"`
	TimedOut   bool   `json:"timedOut"`
	DurationMs int64  `json:"durationMs"`
	Cwd        string `json:"cwd"`
}

// Exit codes with which shells say that they could not run a program.
const (
	notExecutable = 126
	notFound      = 127
)

// answer makes the result: the output, and a last line that says how the
// command ended unless it was well. A program that ends with an exit code of
// its own has done its work; the model judges what that means.
func answer(out *process.Outcome, dir string, limit time.Duration) *toolrest.Result {
	d := Details{
		Status: "completed", ExitCode: out.ExitCode, TimedOut: out.End == process.TimedOut,
		DurationMs: out.Duration.Milliseconds(), Cwd: dir,
	}
	if out.Signal != 0 {
		d.Signal = unix.SignalName(out.Signal)
	}
	last, failed := ending(out, d.Signal, limit)
	if failed {
		d.Status = "failed"
	}
	parts := make([]string, 0, 3)
	if text := strings.TrimRight(out.Output, " \t\r\n"); text != "" {
		parts = append(parts, text)
	} else if last == "" {
		parts = append(parts, "(no output)")
	}
	if last != "" {
		parts = append(parts, last)
	}
	if out.Left > 0 {
		parts = append(parts, fmt.Sprintf("(%d processes left in the background were ended)", out.Left))
	}
	r := toolrest.TextResult(strings.Join(parts, "\n\n"))
	r.IsError, r.Details = failed, d
	return r
}

func ending(out *process.Outcome, signal string, limit time.Duration) (text string, failed bool) {
	switch {
	case out.End == process.TimedOut:
		return fmt.Sprintf("(timed out: the command was still running after %s and was ended, with all that it had started; give a longer timeout, or do less at once)", limit), true
	case out.End == process.Signalled:
		return "(the command was ended by the signal " + signal + ")", true
	case out.ExitCode == notFound:
		return "(exit code 127: a program was not found)", true
	case out.ExitCode == notExecutable:
		return "(exit code 126: a program could not be executed)", true
	case out.ExitCode != 0:
		return fmt.Sprintf("(exit code %d)", out.ExitCode), false
	}
	return "", false
}
