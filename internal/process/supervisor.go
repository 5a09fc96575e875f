package process

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// initialised is set by Init. Without it, starting our binary again would
// start the whole program again.
var initialised atomic.Bool

// Init makes this process a supervisor if it was started as one, and then
// never returns. Otherwise it returns at once. enter holds what a [Box] can
// name. Call it first thing in main (in TestMain, for tests that run
// commands), before flags are read and files are opened.
func Init(enter map[string]Enter) {
	if os.Args[0] != supervisorName {
		initialised.Store(true)
		return
	}
	closeToCommand()
	// Signals are for the command. They are received and dropped, not
	// ignored, since ignoring is inherited.
	signal.Notify(make(chan os.Signal, 1))
	rep := supervise(bufio.NewReader(os.NewFile(controlFD, "control")), enter)
	if err := gob.NewEncoder(os.NewFile(reportFD, "report")).Encode(rep); err != nil {
		syscall.Exit(1)
	}
	// os.Exit runs hooks. There are none here, but that of the race detector
	// takes a second.
	syscall.Exit(0)
}

// closeToCommand keeps every open file but the first three from the command:
// the two pipes, and whatever our program got from the one that started it.
func closeToCommand() {
	entries, _ := os.ReadDir("/proc/self/fd") // without /proc nothing of this works
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// supervise carries out the order that control brings.
func supervise(control *bufio.Reader, enter map[string]Enter) report {
	var o order
	if err := gob.NewDecoder(control).Decode(&o); err != nil {
		return report{Refused: refusal("supervise", fmt.Errorf("read the order: %w", err))}
	}
	if o.Box != "" {
		f := enter[o.Box]
		if f == nil {
			return report{Refused: refusal("confine", fmt.Errorf("no box is called %q", o.Box))}
		}
		if err := f(o.Config); err != nil {
			return report{Refused: refusal("confine", err)}
		}
	}
	// Orphans come to us, so that none is lost. PID 1 gets them anyway.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return report{Refused: refusal("supervise", fmt.Errorf("adopt orphans: %w", err))}
	}
	pid, err := launch(&o)
	if err != nil {
		return report{Refused: refusal("start", fmt.Errorf("%s in %s: %w", o.Argv[0], o.Dir, err))}
	}
	w := &watch{order: &o, stop: make(chan struct{}), abandoned: make(chan struct{}), leader: make(chan syscall.WaitStatus, 1), gone: make(chan struct{})}
	go w.reap(pid)
	go w.obey(control)
	return w.run()
}

func launch(o *order) (pid int, err error) {
	// no_new_privs belongs to a thread, and a child takes it from the thread
	// that starts it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if o.NoNewPrivs {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return 0, fmt.Errorf("give up new privileges: %w", err)
		}
	}
	return syscall.ForkExec(o.Argv[0], o.Argv, &syscall.ProcAttr{
		Dir: o.Dir, Env: o.Env, Files: []uintptr{0, 1, 2}, Sys: o.Inner.attr(),
	})
}

// watch follows a command from its start until nothing of it is left.
type watch struct {
	order     *order
	stop      chan struct{}           // closed when the program wants the end
	abandoned chan struct{}           // closed when the program is gone
	leader    chan syscall.WaitStatus // gets one value when the command itself is over
	gone      chan struct{}           // closed when no child is left
}

// reap waits for every child, our own and the adopted ones.
func (w *watch) reap(leader int) {
	defer close(w.gone)
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD: nobody is left
			return
		case pid == leader:
			w.leader <- ws
		}
	}
}

// obey reads what the program wants.
func (w *watch) obey(control io.ByteReader) {
	if b, err := control.ReadByte(); err == nil && b == terminate {
		close(w.stop)
		_, _ = control.ReadByte() // nothing more is ever sent
	}
	close(w.abandoned)
}

// run gives each next, harder treatment when its time has come.
func (w *watch) run() (rep report) {
	stop, abandoned := w.stop, w.abandoned
	var linger, kill <-chan time.Time
	for {
		select {
		case ws := <-w.leader:
			rep.ExitCode, rep.Signal = status(ws)
			if kill == nil {
				linger = time.After(w.order.Linger)
			}
		case <-linger:
			linger = nil
			rep.Left = len(descendants(os.Getpid()))
			signalAll(syscall.SIGTERM)
			kill = time.After(w.order.Linger)
		case <-stop:
			stop, linger = nil, nil
			signalAll(syscall.SIGTERM)
			kill = time.After(w.order.Grace)
		case <-abandoned:
			abandoned, linger = nil, nil
			signalAll(syscall.SIGKILL)
		case <-kill:
			signalAll(syscall.SIGKILL)
			kill = time.After(10 * time.Millisecond) // for those that were just being born
		case <-w.gone:
			return w.last(rep)
		}
	}
}

// last takes the status of the command when it and everything else ended at
// the same time.
func (w *watch) last(rep report) report {
	select {
	case ws := <-w.leader:
		rep.ExitCode, rep.Signal = status(ws)
	default:
	}
	return rep
}

func status(ws syscall.WaitStatus) (code int, sig syscall.Signal) {
	if ws.Signaled() {
		return -1, ws.Signal()
	}
	return ws.ExitStatus(), 0
}
