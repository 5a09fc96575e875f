package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/internal/process"
	"github.com/toolrest/toolrest/internal/sandbox"
	"github.com/toolrest/toolrest/schema"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	goleak.VerifyTestMain(m)
}

var support = sync.OnceValue(func() sandbox.Support { return sandbox.Probe(context.Background()) })

// place is a workspace with reins beside it.
type place struct {
	dir, state, config string
	tool               toolrest.Tool
}

func newPlace(t *testing.T) *place {
	t.Helper()
	need.That(t, support().Ring && support().PIDs, "namespaces for the ring: "+support().Reason)
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := &place{dir: base + "/ws", state: base + "/state", config: base + "/toolrest.json5"}
	must(t, os.MkdirAll(p.dir+"/sub", 0o755))
	must(t, os.Mkdir(p.state, 0o700))
	must(t, os.WriteFile(p.state+"/token", []byte("hidden-token"), 0o600))
	must(t, os.WriteFile(p.config, []byte("{}"), 0o600))
	p.tool = New(p.options())
	return p
}

func (p *place) options() Options {
	return Options{
		Dir: p.dir, Support: support(), Ring: sandbox.Ring{Hide: []string{p.state}, ReadOnly: []string{p.config}},
		Process: process.Options{Grace: 500 * time.Millisecond},
	}
}

type args map[string]any

// call validates the arguments as dispatch does, and runs.
func call(ctx context.Context, tool toolrest.Tool, a args) (*toolrest.Result, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	s, err := schema.Compile(tool.InputSchema)
	if err != nil {
		return nil, err
	}
	if err := s.Validate(raw); err != nil {
		return nil, err
	}
	return tool.Executor.Execute(ctx, &toolrest.Call{Tool: Name, Args: raw})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestResults(t *testing.T) {
	p := newPlace(t)
	code := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		args    args
		text    string
		isError bool
		details Details
	}{
		"output":          {args{"command": "echo out; echo err >&2"}, "out\nerr", false, Details{ExitCode: code(0)}},
		"nothing":         {args{"command": "true"}, "(no output)", false, Details{ExitCode: code(0)}},
		"white space":     {args{"command": "printf ' a \\n\\n\\t'"}, " a", false, Details{ExitCode: code(0)}},
		"exit code":       {args{"command": "echo bad; exit 3"}, "bad\n\n(Command exited with code 3)", false, Details{ExitCode: code(3)}},
		"silent failure":  {args{"command": "false"}, "(Command exited with code 1)", false, Details{ExitCode: code(1)}},
		"not found":       {args{"command": "exec 2>&-; no-such-program"}, "Command not found (exit code 127)", true, Details{ExitCode: code(127)}},
		"not executable":  {args{"command": "exec 2>&-; /etc/passwd"}, "Command not executable: permission denied, or not a program (exit code 126)", true, Details{ExitCode: code(126)}},
		"signal":          {args{"command": "echo x; kill -KILL $$"}, "x\n\nCommand aborted by signal SIGKILL", true, Details{Signal: "SIGKILL"}},
		"real-time":       {args{"command": "kill -40 $$"}, "Command aborted by signal 40", true, Details{Signal: "40"}},
		"timeout":         {args{"command": "echo x; exec sleep 60", "timeout": 0.2}, "x\n\nCommand timed out after 0.2 seconds and was ended, with all that it had started. What it did until then stays. Give a longer timeout, or do less at once.", true, Details{Signal: "SIGTERM", TimedOut: true}},
		"timeout, caught": {args{"command": "trap 'exit 5' TERM; sleep 60 & wait", "timeout": 1}, "Command timed out after 1 second and was ended, with all that it had started. What it did until then stays. Give a longer timeout, or do less at once.", true, Details{ExitCode: code(5), TimedOut: true}},
		"one left":        {args{"command": "sleep 60 & echo x"}, "x\n\n(a process that it left in the background was ended)", false, Details{ExitCode: code(0), Left: 1}},
		"two left":        {args{"command": "sleep 60 & setsid sleep 60 & exit 4"}, "(Command exited with code 4)\n\n(2 processes that it left in the background were ended)", false, Details{ExitCode: code(4), Left: 2}},
		"colours":         {args{"command": `printf '\033[31mred\033[0m \377\000'`}, "red �", false, Details{ExitCode: code(0)}},
		"here":            {args{"command": "pwd"}, p.dir, false, Details{ExitCode: code(0)}},
		"workdir":         {args{"command": "pwd", "workdir": "sub/../sub"}, p.dir + "/sub", false, Details{ExitCode: code(0), Cwd: p.dir + "/sub"}},
		"absolute":        {args{"command": "pwd", "workdir": p.dir + "/sub"}, p.dir + "/sub", false, Details{ExitCode: code(0), Cwd: p.dir + "/sub"}},
		"env":             {args{"command": "echo $FOO", "env": args{"FOO": "a b"}}, "a b", false, Details{ExitCode: code(0)}},
		"no input":        {args{"command": "cat; read x || echo end"}, "end", false, Details{ExitCode: code(0)}},
		"writes":          {args{"command": "echo x > f && cat f && rm f"}, "x", false, Details{ExitCode: code(0)}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := call(t.Context(), p.tool, c.args)
			must(t, err)
			if got := r.AllText(); got != c.text || r.IsError != c.isError || r.Refusal != nil {
				t.Errorf("got %q, error %v, refusal %v", got, r.IsError, r.Refusal)
			}
			c.details.Status = map[bool]string{false: "completed", true: "failed"}[c.isError]
			if c.details.Cwd == "" {
				c.details.Cwd = p.dir
			}
			got := r.Details.(Details)
			got.DurationMs = 0
			if a, b := asJSON(t, got), asJSON(t, c.details); a != b {
				t.Errorf("details\ngot  %s\nwant %s", a, b)
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

func TestRefused(t *testing.T) {
	p := newPlace(t)
	must(t, os.WriteFile(p.dir+"/file", nil, 0o644))
	must(t, os.Symlink("/etc", p.dir+"/out"))
	must(t, os.Mkdir(p.dir+"-other", 0o755))
	for name, c := range map[string]struct {
		args args
		want string
	}{
		"no command":         {args{}, "command: required, but missing"},
		"empty command":      {args{"command": ""}, "command"},
		"blank command":      {args{"command": " \n\t"}, "the command is blank"},
		"command is a list":  {args{"command": []string{"ls"}}, "command"},
		"NUL":                {args{"command": "echo \x00"}, "NUL"},
		"too long":           {args{"command": ": " + strings.Repeat("x", 131_070)}, "131072 bytes, and the system takes at most 131071"},
		"missing workdir":    {args{"command": "true", "workdir": "none"}, `workdir "none" does not exist: name a folder of the workspace ` + p.dir},
		"workdir is a file":  {args{"command": "true", "workdir": "file"}, `workdir "file" is no folder`},
		"parent":             {args{"command": "true", "workdir": ".."}, "is not in the workspace"},
		"twin":               {args{"command": "true", "workdir": p.dir + "-other"}, "is not in the workspace"},
		"absolute outside":   {args{"command": "true", "workdir": "/tmp"}, "is not in the workspace"},
		"link to outside":    {args{"command": "true", "workdir": "out"}, "is not in the workspace"},
		"own root":           {args{"command": "true", "workdir": "/proc/self/root/tmp"}, "is not in the workspace"},
		"home":               {args{"command": "true", "workdir": "~"}, "does not exist"},
		"long workdir":       {args{"command": "true", "workdir": strings.Repeat("x", 5000)}, "file name too long"},
		"PATH":               {args{"command": "true", "env": args{"PATH": "/x"}}, `env may not set "PATH"`},
		"loader":             {args{"command": "true", "env": args{"LD_PRELOAD": "/x", "A": "b"}}, `env may not set "LD_PRELOAD"`},
		"bad name":           {args{"command": "true", "env": args{"a-b": "x"}}, `invalid entry "a-b"`},
		"env with a number":  {args{"command": "true", "env": args{"A": 1}}, "env.A"},
		"timeout 0":          {args{"command": "true", "timeout": 0}, "timeout"},
		"timeout below 0":    {args{"command": "true", "timeout": -1}, "timeout"},
		"timeout too long":   {args{"command": "true", "timeout": 86401}, "timeout"},
		"timeout as text":    {args{"command": "true", "timeout": "10"}, "timeout"},
		"not built: pty":     {args{"command": "true", "pty": true}, "pty: no such argument"},
		"not built: yieldMs": {args{"command": "true", "yieldMs": 1, "background": true}, "background: no such argument; yieldMs: no such argument"},
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := call(t.Context(), p.tool, c.args); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v", r, err)
			}
		})
	}
}

// TestLongestCommand guards the limit against the system's.
func TestLongestCommand(t *testing.T) {
	p := newPlace(t)
	r, err := call(t.Context(), p.tool, args{"command": "echo " + strings.Repeat(" ", maxCommand-6) + "x"})
	must(t, err)
	if r.AllText() != "x" {
		t.Errorf("got %.80q", r.AllText())
	}
}

// TestRefusedWithoutValidation calls the executor with what the schema stops.
func TestRefusedWithoutValidation(t *testing.T) {
	p := newPlace(t)
	for raw, want := range map[string]string{
		`{"command":"true","timeout":0}`:    "more than 0 and at most 86400 seconds",
		`{"command":"true","timeout":1e99}`: "more than 0 and at most 86400 seconds",
		`{"command":""}`:                    "the command is blank",
		`{"command":1}`:                     "decode arguments of exec",
		`{`:                                 "decode arguments of exec",
	} {
		_, err := p.tool.Executor.Execute(t.Context(), &toolrest.Call{Tool: Name, Args: json.RawMessage(raw)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", raw, err)
		}
	}
}

func TestWorkspaceGone(t *testing.T) {
	p := newPlace(t)
	must(t, os.RemoveAll(p.dir))
	if _, err := call(t.Context(), p.tool, args{"command": "pwd"}); err == nil || !strings.Contains(err.Error(), "the workspace "+p.dir+" is gone") {
		t.Errorf("got %v", err)
	}
}

// TestNoSecrets is about the environment and everything else that a command
// could ask for it.
func TestNoSecrets(t *testing.T) {
	for _, name := range []string{"FAKE_API_KEY", "SECRET", "TELEGRAM_TOKEN", "NODE_OPTIONS", "BASH_ENV", "LD_AUDIT"} {
		t.Setenv(name, "not-for-commands")
	}
	p := newPlace(t)
	r, err := call(t.Context(), p.tool, args{"command": "env; tr '\\0' '\\n' < /proc/self/environ; cat /proc/[0-9]*/environ", "env": args{"MINE": "1"}})
	must(t, err)
	got := r.AllText()
	for _, want := range []string{"PATH=", "MINE=1"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "not-for-commands") {
		t.Errorf("a secret in %s", got)
	}
}

func TestReins(t *testing.T) {
	p := newPlace(t)
	r, err := call(t.Context(), p.tool, args{"command": "cat ../state/token; echo evil > ../toolrest.json5; cat ../toolrest.json5"})
	must(t, err)
	if got := r.AllText(); strings.Contains(got, "hidden-token") || !strings.Contains(got, "Read-only file system") || !strings.HasSuffix(got, "{}") {
		t.Errorf("got %s", got)
	}
	must(t, os.Remove(p.config))
	if _, err := call(t.Context(), p.tool, args{"command": "true"}); err == nil || !strings.Contains(err.Error(), "protect "+p.config) {
		t.Errorf("without the config: %v", err)
	}
}

func TestNoRing(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	o.Support = sandbox.Support{Reason: "this kernel has none"}
	_, err := call(t.Context(), New(o), args{"command": "touch ran"})
	var refusal *toolrest.Refusal
	if !errors.As(err, &refusal) || refusal.Code != toolrest.CodeHidden || refusal.Retry || !strings.Contains(err.Error(), "this kernel has none") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(p.dir + "/ran"); err == nil {
		t.Error("the command ran")
	}
	o.AllowNoRing = true
	r, err := call(t.Context(), New(o), args{"command": "cat ../state/token"})
	must(t, err)
	got := r.AllText()
	for _, want := range []string{"hidden-token\n\n(This command was not confined.", p.state, p.config, "this kernel has none"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if d := r.Details.(Details); d.Reach == "" {
		t.Errorf("details: %+v", d)
	}
}

func TestShell(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"zsh", "fish", "sh"} {
		must(t, os.WriteFile(dir+"/"+name, []byte("#!/bin/sh\n"), 0o755))
	}
	must(t, os.WriteFile(dir+"/bash", nil, 0o644))
	for given, want := range map[string]string{
		dir + "/zsh": dir + "/zsh", dir + "/sh": dir + "/sh", dir + "/fish": "/bin/bash", dir + "/bash": "/bin/bash",
		"zsh": "/bin/bash", "": "/bin/bash", dir + "/none/bash": "/bin/bash",
	} {
		if got := shell([]string{"A=B", "SHELL=" + given}); got != want {
			t.Errorf("%q: got %s", given, got)
		}
	}
}

var marks = struct {
	sync.Mutex
	last int
}{last: 300_000_000 + os.Getpid()*100}

// newMark is a number of seconds that no other sleep on this machine has.
func newMark() string {
	marks.Lock()
	defer marks.Unlock()
	marks.last++
	return strconv.Itoa(marks.last)
}

func sleepers(mark string) (n int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		if raw, err := os.ReadFile(path); err == nil && string(raw) == "sleep\x00"+mark+"\x00" {
			n++
		}
	}
	return n
}

// waitFor polls, since the system tells nobody of a new process.
func waitFor(t *testing.T, mark string, n int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); sleepers(mark) != n; <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%d processes sleep, want %d", sleepers(mark), n)
		}
	}
}

// TestCancel ends calls in the middle of trees of processes, each of which
// would like to stay. With and without the ring.
func TestCancel(t *testing.T) {
	p := newPlace(t)
	unringed := p.options()
	unringed.Support, unringed.AllowNoRing = sandbox.Support{}, true
	for where, tool := range map[string]toolrest.Tool{"ring": p.tool, "no ring": New(unringed)} {
		for name, script := range map[string]string{
			"tree":            "sleep MARK & bash -c 'sleep MARK & sleep MARK; :'",
			"ignores SIGTERM": "trap '' TERM; sleep MARK & sleep MARK & while :; do sleep MARK; done",
			"own session":     "setsid sleep MARK & (setsid sleep MARK &) & sleep MARK; :",
		} {
			t.Run(where+" "+name, func(t *testing.T) {
				t.Parallel()
				mark := newMark()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var r *toolrest.Result
				var err error
				done := make(chan struct{})
				go func() {
					defer close(done)
					r, err = call(ctx, tool, args{"command": "echo begun; " + strings.ReplaceAll(script, "MARK", mark)})
				}()
				waitFor(t, mark, 3)
				cancel()
				<-done
				must(t, err)
				if n := sleepers(mark); n != 0 {
					t.Errorf("%d processes are left", n)
				}
				if r.Refusal == nil || r.Refusal.Code != toolrest.CodeAborted || !r.IsError || !strings.HasPrefix(r.AllText(), "begun\n") {
					t.Errorf("got %+v", r)
				}
			})
		}
	}
}

func TestCancelledBefore(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := call(ctx, p.tool, args{"command": "touch ran"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(p.dir + "/ran"); err == nil {
		t.Error("the command ran")
	}
}

// TestReportedTimeouts are the cases of the reports: BR-118, BR-120 and BR-121.
func TestReportedTimeouts(t *testing.T) {
	p := newPlace(t)
	t.Run("BR-118", func(t *testing.T) {
		mark := newMark()
		r, err := call(t.Context(), p.tool, args{"command": "bash -c 'sleep " + mark + " & echo $!; wait'", "timeout": 1})
		must(t, err)
		if !strings.Contains(r.AllText(), "timed out") || sleepers(mark) != 0 {
			t.Errorf("%d left: %s", sleepers(mark), r.AllText())
		}
	})
	t.Run("BR-120", func(t *testing.T) {
		r, err := call(t.Context(), p.tool, args{"command": "trap 'echo bye > bye; exit 0' TERM; sleep 60", "timeout": 0.5})
		must(t, err)
		if said, err := os.ReadFile(p.dir + "/bye"); string(said) != "bye\n" {
			t.Errorf("no SIGTERM: %v, %s", err, r.AllText())
		}
		began := time.Now()
		r, err = call(t.Context(), p.tool, args{"command": "trap '' TERM; while :; do sleep 1; done", "timeout": 0.5})
		must(t, err)
		if d := r.Details.(Details); d.Signal != "SIGKILL" || time.Since(began) > 10*time.Second {
			t.Errorf("not killed after the grace time: %+v", d)
		}
	})
	t.Run("BR-121", func(t *testing.T) {
		for range 2 {
			mark := newMark()
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			r, err := call(ctx, p.tool, args{"command": "sleep " + mark})
			cancel()
			must(t, err)
			if !r.IsError || sleepers(mark) != 0 {
				t.Errorf("%d left: %+v", sleepers(mark), r)
			}
		}
	})
}

func TestHugeAndBinaryOutput(t *testing.T) {
	p := newPlace(t)
	r, err := call(t.Context(), p.tool, args{"command": "echo first; yes | head -c 200M; head -c 1M /dev/urandom; echo; echo last"})
	must(t, err)
	got := r.AllText()
	if !strings.HasPrefix(got, "first\ny\n") || !strings.HasSuffix(got, "\nlast") || len(got) > 200_200 || !strings.Contains(got, "bytes of output left out") {
		t.Errorf("%d bytes: %.20q ... %q", len(got), got, got[len(got)-20:])
	}
	if d := r.Details.(Details); d.Missing < 200<<20 {
		t.Errorf("details %+v", d)
	}
}

func TestManyAtOnce(t *testing.T) {
	p := newPlace(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			r, err := call(t.Context(), p.tool, args{"command": fmt.Sprintf("echo %d; exit %d", i, i)})
			if err != nil || strings.Fields(r.AllText())[0] != strconv.Itoa(i) || *r.Details.(Details).ExitCode != i {
				t.Errorf("%d: got %+v, %v", i, r, err)
			}
		})
	}
	wg.Wait()
}

func TestDescriptor(t *testing.T) {
	tool := New(Options{Dir: "/"})
	if tool.Name != "exec" || tool.Owner.Kind != toolrest.OwnerCore || len(tool.Description) < 200 {
		t.Errorf("got %+v", tool.Descriptor)
	}
	var s struct {
		Properties map[string]struct{ Description string }
	}
	must(t, json.Unmarshal(tool.InputSchema, &s))
	var names []string
	for name, p := range s.Properties {
		names = append(names, name)
		if p.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
	slices.Sort(names)
	if want := []string{"command", "env", "timeout", "workdir"}; !slices.Equal(names, want) {
		t.Errorf("arguments %q", names)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a relative workspace")
		}
	}()
	New(Options{Dir: "ws"})
}
