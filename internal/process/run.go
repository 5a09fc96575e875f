package process

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Times after which the world is no longer waited for. They are reached only
// when the kernel cannot end a process, or the supervisor was killed.
const (
	superviseTime = 2 * time.Second // for the supervisor, beyond the grace time
	drainTime     = time.Second     // for the end of the output of dead processes
)

// Run runs c and waits until it, and everything it started, is gone.
//
// When ctx ends or the time is up, every process gets SIGTERM and after the
// grace time SIGKILL; the outcome then says so and holds the output until
// then. The error is a [*StartError] when the command was not started, ctx's
// when it had ended before, and another one when the processes got out of
// hand. Run may be called by several goroutines at once. It panics when
// [Init] did not run, or a path of c is not absolute.
func Run(ctx context.Context, c Command, opts *Options) (*Outcome, error) {
	if !initialised.Load() {
		panic("process: Init must be called first thing in main")
	}
	o := opts.filled()
	if err := c.check(); err != nil {
		return nil, &StartError{Step: "start", Text: err.Error()}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := start(c, o)
	if err != nil {
		return nil, refusal("supervise", err)
	}
	return r.wait(ctx, o)
}

// running is a command with its supervisor, seen from the program.
type running struct {
	supervisor *exec.Cmd
	control    *os.File
	output     *os.File
	kept       *excerpt
	drained    chan struct{} // closed when kept is complete
	ended      chan ending   // gets one value when the supervisor is gone
	began      time.Time
}

// ending is the supervisor's last word.
type ending struct {
	report report
	err    error // why there is no report
}

func start(c Command, o Options) (*running, error) {
	pipes, err := openPipes()
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{supervisorName},
		Env:         []string{"GOMAXPROCS=1", "GOGC=off"}, // it lives with few kilobytes
		Dir:         "/",
		Stdout:      pipes.outputW,
		Stderr:      pipes.outputW,
		ExtraFiles:  []*os.File{pipes.controlR, pipes.reportW},
		SysProcAttr: (Namespaces{}).attr(),
	}
	ord := order{Argv: c.Argv, Dir: c.Dir, Env: c.Env, Grace: o.Grace, Linger: o.Linger}
	if b := c.Box; b != nil {
		cmd.SysProcAttr = b.Outer.attr()
		ord.Box, ord.Config, ord.Inner, ord.NoNewPrivs = b.Name, b.Config, b.Inner, b.NoNewPrivs
	}
	began := time.Now()
	err = cmd.Start()
	pipes.closeTheirs()
	if err != nil {
		pipes.closeOurs()
		return nil, err
	}
	r := &running{
		supervisor: cmd, control: pipes.controlW, output: pipes.outputR, kept: newExcerpt(o.MaxOutput),
		drained: make(chan struct{}), ended: make(chan ending, 1), began: began,
	}
	go r.drain()
	go r.listen(pipes.reportR)
	// A supervisor that dies before it has read this leaves no report, and
	// that is the error to tell.
	_ = gob.NewEncoder(r.control).Encode(ord)
	return r, nil
}

// drain collects the output until nobody can write any more.
func (r *running) drain() {
	defer close(r.drained)
	clean := &cleaner{to: r.kept}
	_, _ = io.CopyBuffer(clean, onlyReader{r.output}, make([]byte, 32<<10)) // an error is an end like another
	_ = clean.Close()
}

// onlyReader hides the WriteTo of a file, which would choose its own buffer.
type onlyReader struct{ io.Reader }

// listen waits for the report and then for the end of the supervisor.
func (r *running) listen(from *os.File) {
	var e ending
	e.err = gob.NewDecoder(from).Decode(&e.report)
	_ = from.Close()
	if err := r.supervisor.Wait(); e.err != nil && err != nil {
		e.err = err
	}
	r.ended <- e
}

func (r *running) wait(ctx context.Context, o Options) (*Outcome, error) {
	defer r.control.Close()
	var timeout <-chan time.Time
	if o.Timeout > 0 {
		t := time.NewTimer(o.Timeout)
		defer t.Stop()
		timeout = t.C
	}
	var why End
	var e ending
	select {
	case e = <-r.ended:
	case <-timeout:
		why = TimedOut
		e = r.stop(o.Grace)
	case <-ctx.Done():
		why = Cancelled
		e = r.stop(o.Grace)
	}
	r.finishOutput()
	if e.err != nil {
		return nil, fmt.Errorf("lost the supervisor of the command, which may have left processes behind: %w", e.err)
	}
	if e.report.Refused != nil {
		return nil, e.report.Refused
	}
	return r.outcome(why, e.report), nil
}

// stop ends the command, and the supervisor when it does not answer.
func (r *running) stop(grace time.Duration) ending {
	_, _ = r.control.Write([]byte{terminate}) // one that is gone needs no order
	t := time.NewTimer(grace + superviseTime)
	defer t.Stop()
	select {
	case e := <-r.ended:
		return e
	case <-t.C:
	}
	killTree(r.supervisor.Process.Pid)
	_ = r.supervisor.Process.Kill()
	t.Reset(superviseTime)
	select {
	case e := <-r.ended:
		return e
	case <-t.C:
		return ending{err: errors.New("a process does not end, even when killed")}
	}
}

// finishOutput waits for what dead processes left in the pipe, and cuts off
// who still holds it.
func (r *running) finishOutput() {
	t := time.NewTimer(drainTime)
	defer t.Stop()
	select {
	case <-r.drained:
	case <-t.C:
	}
	_ = r.output.Close()
	<-r.drained
}

func (r *running) outcome(why End, rep report) *Outcome {
	out := &Outcome{End: why, ExitCode: rep.ExitCode, Signal: rep.Signal, Left: rep.Left, Duration: time.Since(r.began)}
	out.Output, out.Missing = r.kept.Text()
	if why == "" {
		out.End = Exited
		if rep.Signal != 0 {
			out.End = Signalled
		}
	}
	return out
}

// pipes connect the program with its supervisor: the output, the control and
// the report, each with its reading and its writing end.
type pipes struct {
	outputR, outputW, controlR, controlW, reportR, reportW *os.File
}

func openPipes() (*pipes, error) {
	var p pipes
	for _, ends := range [][2]**os.File{{&p.outputR, &p.outputW}, {&p.controlR, &p.controlW}, {&p.reportR, &p.reportW}} {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeTheirs()
			p.closeOurs()
			return nil, err
		}
		*ends[0], *ends[1] = r, w
	}
	return &p, nil
}

// Closing a pipe that was not opened is harmless: a nil file says so.
func (p *pipes) closeTheirs() {
	_, _, _ = p.outputW.Close(), p.controlR.Close(), p.reportW.Close()
}

func (p *pipes) closeOurs() {
	_, _, _ = p.outputR.Close(), p.controlW.Close(), p.reportR.Close()
}
