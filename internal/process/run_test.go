package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

// testMain lets the test program be a supervisor, and the program that
// TestKilledProgram kills.
func testMain(m *testing.M) int {
	Init(map[string]Enter{
		"refuse": func(config []byte) error { return fmt.Errorf("refused: %s", config) },
		"open":   func([]byte) error { return nil },
	})
	if script := os.Getenv("TEST_RUN_SCRIPT"); script != "" {
		_, err := Run(context.Background(), sh("/", script), nil)
		fmt.Println(err)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func sh(dir, script string) Command {
	return Command{Argv: []string{"/bin/bash", "-c", script}, Dir: dir, Env: []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}}
}

func run(t *testing.T, script string, opts *Options) *Outcome {
	t.Helper()
	out, err := Run(t.Context(), sh(t.TempDir(), script), opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOutcomes(t *testing.T) {
	for script, want := range map[string]Outcome{
		"true":                            {End: Exited},
		"echo out; echo err >&2; exit 3":  {End: Exited, ExitCode: 3, Output: "out\nerr\n"},
		"exit 255":                        {End: Exited, ExitCode: 255},
		"no-such-program-here 2>&-":       {End: Exited, ExitCode: 127},
		"/etc/passwd 2>&-":                {End: Exited, ExitCode: 126},
		"kill -9 $$":                      {End: Signalled, ExitCode: -1, Signal: syscall.SIGKILL},
		"kill -TERM $$":                   {End: Signalled, ExitCode: -1, Signal: syscall.SIGTERM},
		"kill -USR1 $$":                   {End: Signalled, ExitCode: -1, Signal: syscall.SIGUSR1},
		"trap 'exit 9' TERM; kill $$":     {End: Exited, ExitCode: 9},
		"bash -c 'kill -SEGV $$' 2>&-; :": {End: Exited},
		"cat":                             {End: Exited}, // the input is empty
		"head -c 3 /dev/zero":             {End: Exited},
		"tty; cat /dev/tty":               {End: Exited, ExitCode: 1, Output: "not a tty\ncat: /dev/tty: No such device or address\n"},
		"echo $PPID; :":                   {End: Exited},
		"printf 'a\\xffb\\033[1mc'":       {End: Exited, Output: "a�bc"},
		"ps -o pgid= -p $$ | tr -d ' '":   {End: Exited},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			got := run(t, script, nil)
			if got.Duration <= 0 {
				t.Errorf("duration %v", got.Duration)
			}
			got.Duration = 0
			if want.Output == "" && strings.ContainsAny(script, "$") { // a process id
				got.Output = ""
			}
			if *got != want {
				t.Errorf("got %+v, want %+v", *got, want)
			}
		})
	}
}

func TestOutputInTheOrderOfArrival(t *testing.T) {
	got := run(t, "for i in 1 2 3 4 5 6 7 8 9; do echo $i; echo -$i >&2; done", nil)
	if want := "1\n-1\n2\n-2\n3\n-3\n4\n-4\n5\n-5\n6\n-6\n7\n-7\n8\n-8\n9\n-9\n"; got.Output != want {
		t.Errorf("got %q", got.Output)
	}
}

func TestHugeOutput(t *testing.T) {
	const size = 200 << 20
	got := run(t, fmt.Sprintf("echo first; yes | head -c %d; echo last", size), &Options{MaxOutput: 10_000})
	if !strings.HasPrefix(got.Output, "first\ny\n") || !strings.HasSuffix(got.Output, "y\nlast\n") {
		t.Errorf("not both ends: %.20q ... %q", got.Output, got.Output[len(got.Output)-20:])
	}
	if len(got.Output) > 10_100 || got.Missing < size-10_000 || got.Missing > size {
		t.Errorf("%d bytes kept, %d missing", len(got.Output), got.Missing)
	}
}

func TestBinaryOutput(t *testing.T) {
	got := run(t, "head -c 100000 /dev/urandom", nil)
	checkClean(t, []byte(got.Output), 1000)
}

func TestEnvironmentIsWhatWasGiven(t *testing.T) {
	t.Setenv("FAKE_API_KEY", "not-for-commands")
	got := run(t, "tr '\\0' '\\n' < /proc/$$/environ; tr '\\0' '\\n' < /proc/$PPID/environ", nil)
	if want := "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nGOMAXPROCS=1\nGOGC=off\n"; got.Output != want {
		t.Errorf("got %q", got.Output)
	}
}

// TestNothingOutlives starts processes that try to stay, and ends the command
// in each way there is.
func TestNothingOutlives(t *testing.T) {
	scripts := map[string]string{
		"tree":                "sleep MARK & bash -c 'sleep MARK & sleep MARK; :' & sleep MARK",
		"own session":         "setsid sleep MARK & sleep MARK",
		"daemon":              "setsid bash -c 'sleep MARK & exec >&- 2>&-; sleep MARK' & sleep MARK",
		"orphan":              "bash -c '(sleep MARK &) &'; sleep MARK",
		"holds the output":    "setsid sleep MARK & disown; sleep MARK",
		"ignores SIGTERM":     "trap '' TERM; sleep MARK & while :; do sleep MARK; done",
		"ignores it deeply":   "setsid bash -c 'trap \"\" TERM; while :; do sleep MARK; done' & sleep MARK",
		"stopped":             "sleep MARK & kill -STOP $!; sleep MARK",
		"keeps forking":       "f() { sleep MARK & sleep 0.001; f; }; (f) & (f) & sleep MARK",
		"name full of spaces": "exec -a 'x) R 1 (y' sleep MARK",
	}
	for name, script := range scripts {
		for _, end := range []End{TimedOut, Cancelled, Exited} {
			t.Run(name+" "+string(end), func(t *testing.T) {
				t.Parallel()
				mark := uniqueMark()
				script := strings.ReplaceAll(script, "MARK", mark)
				opts := &Options{Grace: 300 * time.Millisecond}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				switch end {
				case TimedOut:
					opts.Timeout = 300 * time.Millisecond
				case Cancelled:
					go func() {
						waitUntil(func() bool { return len(processes(mark)) > 0 })
						cancel()
					}()
				case Exited: // the last part goes to the background too
					script += " & sleep 0.2; exit 4"
				}
				began := time.Now()
				out, err := Run(ctx, sh(t.TempDir(), script), opts)
				if err != nil {
					t.Fatal(err)
				}
				if out.End != end || end == Exited && (out.ExitCode != 4 || out.Left == 0) {
					t.Errorf("got %+v", out)
				}
				if left := processes(mark); len(left) > 0 {
					t.Errorf("left: %q", left)
				}
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}

var marks = struct {
	sync.Mutex
	last int
}{last: 100_000 + os.Getpid()%1000*1000}

// uniqueMark is a number of seconds that no other sleep on this machine has.
func uniqueMark() string {
	marks.Lock()
	defer marks.Unlock()
	marks.last++
	return strconv.Itoa(marks.last)
}

// processes gives the command lines that sleep for that time, zombies not
// counted: those have none.
func processes(mark string) (found []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		line := strings.ReplaceAll(string(raw), "\x00", " ")
		if err == nil && strings.Contains(line, mark) {
			found = append(found, filepath.Base(filepath.Dir(path))+" "+line)
		}
	}
	return found
}

// waitUntil asks the system again and again, since it tells nobody of a new
// process.
func waitUntil(done func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); <-tick.C {
		if done() {
			return true
		}
	}
	return false
}

// TestInheritedFilesStay is about files that our own program was started with.
func TestInheritedFilesStay(t *testing.T) {
	fd, err := syscall.Dup(0) // a file that is not closed by itself
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if got := run(t, "exec ls /proc/self/fd", nil); got.Output != "0\n1\n2\n3\n" { // 3 is the folder that ls reads
		t.Errorf("the command has the files %q", got.Output)
	}
}

func TestTermFirst(t *testing.T) {
	dir := t.TempDir()
	got := run(t, "trap 'echo bye > "+dir+"/bye; exit 0' TERM; echo ready; sleep 60", &Options{Timeout: 300 * time.Millisecond})
	if said, err := os.ReadFile(dir + "/bye"); string(said) != "bye\n" {
		t.Errorf("the trap did not run: %q, %v", said, err)
	}
	if got.End != TimedOut || got.ExitCode != 0 || got.Signal != 0 || !strings.HasPrefix(got.Output, "ready\n") || got.Duration > 4*time.Second {
		t.Errorf("got %+v", got)
	}
}

func TestKillAfterGrace(t *testing.T) {
	got := run(t, "trap '' TERM; while :; do sleep 1; done", &Options{Timeout: 200 * time.Millisecond, Grace: 400 * time.Millisecond})
	if got.End != TimedOut || got.Signal != syscall.SIGKILL || got.Duration < 600*time.Millisecond || got.Duration > 5*time.Second {
		t.Errorf("got %+v", got)
	}
}

// TestLateOutput is what bash does not wait for: a process substitution, and a
// background job that is nearly done.
func TestLateOutput(t *testing.T) {
	got := run(t, "echo now > >(sleep 0.1; cat); (sleep 0.05; echo late) & ", &Options{Linger: 10 * time.Second})
	if got.Output != "late\nnow\n" || got.Left != 0 || got.Duration > 5*time.Second {
		t.Errorf("got %+v", got)
	}
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out, err := Run(ctx, sh("/", "true"), nil); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("got %v, %v", out, err)
	}
}

func TestNotStarted(t *testing.T) {
	long := sh("/", strings.Repeat("x", 200_000))
	for name, c := range map[string]struct {
		command Command
		step    string
		text    string
		is      error
	}{
		"no program":     {Command{Argv: []string{"/no/such"}, Dir: "/"}, "start", "/no/such", fs.ErrNotExist},
		"no folder":      {sh("/no/such", "true"), "start", "/no/such", fs.ErrNotExist},
		"not executable": {Command{Argv: []string{"/etc/passwd"}, Dir: "/"}, "start", "permission denied", fs.ErrPermission},
		"too long":       {long, "start", "argument list too long", syscall.E2BIG},
		"NUL":            {sh("/", "echo \x00"), "start", "NUL", nil},
		"no such box":    {boxed("none"), "confine", `no box is called "none"`, nil},
		"box refuses":    {boxed("refuse"), "confine", "refused: why", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Run(t.Context(), c.command, nil)
			var se *StartError
			if !errors.As(err, &se) || se.Step != c.step || !strings.Contains(err.Error(), c.text) {
				t.Fatalf("got %v", err)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
		})
	}
	if out, err := Run(t.Context(), boxed("open"), nil); err != nil || out.ExitCode != 0 {
		t.Errorf("a box that lets through: %+v, %v", out, err)
	}
}

func boxed(name string) Command {
	c := sh("/", "true")
	c.Box = &Box{Name: name, Config: []byte("why"), NoNewPrivs: true}
	return c
}

// TestKilledProgram kills -9 the program that runs a command.
func TestKilledProgram(t *testing.T) {
	mark := uniqueMark()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), strings.ReplaceAll("TEST_RUN_SCRIPT=trap '' TERM; setsid sleep MARK & sleep MARK & sleep MARK", "MARK", mark))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started := waitUntil(func() bool { return len(processes("sleep "+mark)) >= 3 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if !started {
		t.Fatal("the command did not start")
	}
	if !waitUntil(func() bool { return len(processes(mark)) == 0 }) {
		t.Errorf("left: %q", processes(mark))
	}
}

// TestKilledSupervisor is what a hostile command can do where no box protects
// the supervisor. It must not go unnoticed, and nothing may hang.
func TestKilledSupervisor(t *testing.T) {
	for name, script := range map[string]string{"kill": "kill -9 $PPID; sleep 1", "stop": "kill -STOP $PPID; sleep 60"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			_, err := Run(t.Context(), sh("/", script), &Options{Timeout: 300 * time.Millisecond, Grace: 100 * time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), "lost the supervisor") {
				t.Errorf("got %v", err)
			}
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			out, err := Run(t.Context(), sh("/", fmt.Sprintf("echo %d; exit %d", i, i)), nil)
			if err != nil || out.ExitCode != i || out.Output != fmt.Sprintln(i) {
				t.Errorf("%d: got %+v, %v", i, out, err)
			}
		})
	}
	wg.Wait()
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"no program":       func() { _, _ = Run(t.Context(), Command{Dir: "/"}, nil) },
		"relative program": func() { _, _ = Run(t.Context(), Command{Argv: []string{"sh"}, Dir: "/"}, nil) },
		"relative folder":  func() { _, _ = Run(t.Context(), Command{Argv: []string{"/bin/sh"}, Dir: "."}, nil) },
		"negative time":    func() { _, _ = Run(t.Context(), sh("/", "true"), &Options{Timeout: -1}) },
		"no Init": func() {
			initialised.Store(false)
			defer initialised.Store(true)
			_, _ = Run(t.Context(), sh("/", "true"), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestNoFilesLeak(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	run(t, "true", nil) // the first one starts the poller
	before := open()
	for range 10 {
		run(t, "true", nil)
		run(t, "sleep 60", &Options{Timeout: time.Millisecond})
		_, _ = Run(t.Context(), sh("/no/such", "true"), nil)
		_, _ = Run(t.Context(), boxed("refuse"), nil)
	}
	if after := open(); after > before {
		t.Errorf("%d files were open before, %d after", before, after)
	}
}
