package exec

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/process"
)

// Details are what people and programs may want to know of a command that ran.
type Details struct {
	Status string `json:"status"` // "completed" or "failed"
	// ExitCode is missing where a signal ended the command.
	ExitCode   *int   `json:"exitCode"`
	Signal     string `json:"signal,omitempty"` // SIGKILL and so on
	TimedOut   bool   `json:"timedOut"`
	DurationMs int64  `json:"durationMs"`
	Cwd        string `json:"cwd"`
	// Left is how many processes the command left behind, which were ended.
	Left int `json:"left,omitempty"`
	// Missing is how many bytes of output are not in the result.
	Missing int64 `json:"missing,omitempty"`
	// Reach says what the command could reach where the ring was not whole.
	Reach string `json:"reach,omitempty"`
}

// told is what the answer says beside the outcome.
type told struct {
	dir   string
	limit time.Duration
	reach string
	boxed bool
}

// Exit codes with which shells say that they could not run a program.
const (
	notExecutable = 126
	notFound      = 127
)

// answer makes the result: the output, and a last line that says how the
// command ended unless it was well. A program that ends with an exit code of
// its own has done its work; the model judges what that means.
func answer(out *process.Outcome, about told) *toolrest.Result {
	last, failed := ending(out, about.limit)
	var parts []string
	if text := strings.TrimRight(out.Output, " \t\r\n"); text != "" {
		parts = append(parts, text)
	} else if last == "" {
		parts = append(parts, "(no output)")
	}
	if last != "" {
		parts = append(parts, last)
	}
	if out.Left > 0 {
		parts = append(parts, "("+left(out.Left)+")")
	}
	if !about.boxed {
		parts = append(parts, "(This command was not confined. "+about.reach+")")
	}
	r := toolrest.TextResult(strings.Join(parts, "\n\n"))
	r.IsError, r.Details = failed, details(out, about, failed)
	if out.End == process.Cancelled {
		r.Refusal = &toolrest.Refusal{Code: toolrest.CodeAborted, Tool: Name, Retry: true,
			Reason: "the call was cancelled, and the command ended with all that it had started; what it did until then stays"}
	}
	return r
}

// ending is the line that says how the command ended, and whether that is a
// failure of the call.
func ending(out *process.Outcome, limit time.Duration) (line string, failed bool) {
	switch {
	case out.End == process.TimedOut:
		return "Command timed out after " + seconds(limit) + " and was ended, with all that it had started. " +
			"What it did until then stays. Give a longer timeout, or do less at once.", true
	case out.End == process.Cancelled:
		return "Command cancelled, and ended with all that it had started. What it did until then stays.", true
	case out.End == process.Signalled:
		return "Command aborted by signal " + signalName(out.Signal), true
	case out.ExitCode == notFound:
		return "Command not found (exit code 127)", true
	case out.ExitCode == notExecutable:
		return "Command not executable: permission denied, or not a program (exit code 126)", true
	case out.ExitCode != 0:
		return fmt.Sprintf("(Command exited with code %d)", out.ExitCode), false
	}
	return "", false
}

func details(out *process.Outcome, about told, failed bool) Details {
	d := Details{
		Status: "completed", TimedOut: out.End == process.TimedOut, DurationMs: out.Duration.Milliseconds(),
		Cwd: about.dir, Left: out.Left, Missing: out.Missing, Reach: about.reach,
	}
	if failed {
		d.Status = "failed"
	}
	if out.Signal == 0 {
		d.ExitCode = &out.ExitCode
	} else {
		d.Signal = signalName(out.Signal)
	}
	return d
}

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return strconv.Itoa(int(s)) // a real-time signal
}

func left(n int) string {
	if n == 1 {
		return "a process that it left in the background was ended"
	}
	return fmt.Sprintf("%d processes that it left in the background were ended", n)
}

func seconds(d time.Duration) string {
	text := strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
	if text == "1" {
		return "1 second"
	}
	return text + " seconds"
}
