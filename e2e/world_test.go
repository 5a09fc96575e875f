package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for something that should come at once.
// It is long because the machine may be busy; nothing waits for all of it
// unless it fails.
const patience = 60 * time.Second

// world is one user's part of a machine.
type world struct {
	t         *testing.T
	home      string
	state     string
	workspace string
	config    string // the file that --config names
}

// newWorld makes a world whose config is text, with WORKSPACE replaced by the
// path of the workspace.
func newWorld(t *testing.T, text string) *world {
	t.Helper()
	if err := lookAtSources(); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	w := &world{
		t:         t,
		home:      filepath.Join(root, "home"),
		state:     filepath.Join(root, "home", "state"),
		workspace: filepath.Join(root, "work"),
		config:    filepath.Join(root, "home", "toolrest.json5"),
	}
	for _, dir := range []string{w.home, w.workspace} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(w.config, strings.ReplaceAll(text, "WORKSPACE", w.workspace))
	return w
}

// lookAtSources lists every folder of the module. go test remembers what the
// tests of a run looked at, and this package imports nothing of the program
// that it tests: so a result from before a change of the program would count
// after it.
var lookAtSources = sync.OnceValue(func() error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != ".." {
			return fs.SkipDir
		}
		return err
	})
})

// write writes a file; a relative path lies in the workspace.
func (w *world) write(path, content string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(path), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// read reads a file; a relative path lies in the workspace.
func (w *world) read(path string) string {
	w.t.Helper()
	content, err := os.ReadFile(w.path(path))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(content)
}

func (w *world) path(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.workspace, path)
}

// environ is all that the binary gets to know of its surroundings.
func (w *world) environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + w.home,
		"TOOLREST_STATE=" + w.state,
		"LANG=C.UTF-8",
		// A race in the binary ends it with a code that nothing else gives;
		// without one, its detector need not wait a second at the end.
		fmt.Sprintf("GORACE=exitcode=%d atexit_sleep_ms=20", raceCode),
	}
}

const raceCode = 66

// command is the binary with arguments, started in the workspace. The test's
// end kills it.
func (w *world) command(args ...string) *exec.Cmd {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = w.workspace, w.environ()
	cmd.WaitDelay = patience
	return cmd
}

// ended is how a command ended.
type ended struct {
	stdout, stderr string
	code           int
}

// run runs the binary to its end.
func (w *world) run(args ...string) ended {
	w.t.Helper()
	return w.finish(w.command(args...))
}

func (w *world) finish(cmd *exec.Cmd) ended {
	w.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	stop := time.AfterFunc(patience, func() {
		if cmd.Process != nil {
			cmd.Process.Kill()
		}
	})
	defer stop.Stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatalf("run %q: %v", cmd.Args, err)
	}
	w.noRace(cmd, stderr.String())
	return ended{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// noRace fails the test when the binary's race detector spoke.
func (w *world) noRace(cmd *exec.Cmd, stderr string) {
	w.t.Helper()
	if cmd.ProcessState.ExitCode() == raceCode || strings.Contains(stderr, "WARNING: DATA RACE") {
		w.t.Errorf("data race in %q:\n%s", cmd.Args, stderr)
	}
}

// contains fails the test unless text has every part.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}
