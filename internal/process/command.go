package process

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Command is what to run.
type Command struct {
	// Argv begins with the absolute path of the program.
	Argv []string
	// Dir is the absolute folder in which it starts.
	Dir string
	// Env is the whole environment; see [Environ].
	Env []string
	// Box confines the command. Nil does not.
	Box *Box
}

func (c *Command) check() error {
	if len(c.Argv) == 0 || !filepath.IsAbs(c.Argv[0]) || !filepath.IsAbs(c.Dir) {
		panic("process: a command needs the absolute paths of its program and its folder")
	}
	for _, s := range append(append([]string{c.Dir}, c.Argv...), c.Env...) {
		if strings.ContainsRune(s, 0) {
			return errors.New("the command, its folder or its environment contains a NUL character, which no program can be given")
		}
	}
	return nil
}

// Box is how a command is confined: the supervisor starts with the namespaces
// Outer, calls the [Enter] function that was registered under Name with
// Config, and starts the command with the namespaces Inner.
type Box struct {
	Name         string
	Config       []byte
	Outer, Inner Namespaces
	// NoNewPrivs keeps the command from gaining rights by executing a program.
	NoNewPrivs bool
}

// Namespaces are the kernel's names for new namespaces (CLONE_NEWUSER and so
// on) and how user and group ids look in a new user namespace.
type Namespaces struct {
	Flags     uintptr
	UIDs      []syscall.SysProcIDMap
	GIDs      []syscall.SysProcIDMap
	SetGroups bool // whether setgroups may be used inside
}

func (n Namespaces) attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setsid:                     true, // and so no controlling terminal to type into
		Cloneflags:                 n.Flags,
		UidMappings:                n.UIDs,
		GidMappings:                n.GIDs,
		GidMappingsEnableSetgroups: n.SetGroups,
	}
}

// Enter confines the process that calls it, the supervisor, before it starts
// the command. An error keeps the command from being started.
type Enter func(config []byte) error

// Options refine [Run]. The zero value is good.
type Options struct {
	// Timeout ends the command. Zero never does.
	Timeout time.Duration
	// Grace is the time from SIGTERM to SIGKILL; zero is 5 seconds.
	Grace time.Duration
	// Linger is how long processes that the command left behind may go on
	// when it is over; zero is 250 milliseconds. Then they are ended too.
	Linger time.Duration
	// MaxOutput is how many bytes of output are kept; zero is 200,000. A
	// quarter of it is the beginning, the rest the end.
	MaxOutput int
}

func (o *Options) filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.Timeout < 0 || f.Grace < 0 || f.Linger < 0 || f.MaxOutput < 0 {
		panic("process: options below zero")
	}
	if f.Grace == 0 {
		f.Grace = 5 * time.Second
	}
	if f.Linger == 0 {
		f.Linger = 250 * time.Millisecond
	}
	if f.MaxOutput == 0 {
		f.MaxOutput = 200_000
	}
	return f
}

// End says why a command is over.
type End string

// The ends of a command.
const (
	Exited    End = "exited"    // by itself, with an exit code
	Signalled End = "signalled" // a signal ended it that we did not send
	TimedOut  End = "timed-out" // it was ended at the end of its time
	Cancelled End = "cancelled" // it was ended because the context was
)

// Outcome is how a command ended and what it said.
type Outcome struct {
	End End
	// ExitCode counts where End is Exited, and is -1 where a signal ended the
	// command.
	ExitCode int
	// Signal is the signal that ended the command, or zero. After TimedOut and
	// Cancelled both are possible: a program may catch SIGTERM and exit.
	Signal syscall.Signal
	// Output is standard output and standard error in the order of arrival, as
	// clean text.
	Output string
	// Missing is how many bytes of clean output were left out in the middle.
	Missing int64
	// Left is how many processes the command left behind, which were ended.
	Left     int
	Duration time.Duration
}

// StartError says that a command was not started, and at which step.
type StartError struct {
	// Step is "supervise", "confine" or "start".
	Step string
	Text string
	// Errno is the system's error, or zero.
	Errno syscall.Errno
}

func (e *StartError) Error() string { return fmt.Sprintf("%s the command: %s", e.Step, e.Text) }

// Unwrap gives the system's error, so that errors.Is knows fs.ErrNotExist.
func (e *StartError) Unwrap() error {
	if e.Errno == 0 {
		return nil
	}
	return e.Errno
}
