package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/model/modeltest"
)

// terminal runs a command on a terminal of its own and answers each question.
func terminal(t *testing.T, cmd *exec.Cmd, answer string) (screen string, code int) {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var shown bytes.Buffer
	buf := make([]byte, 4096)
	answered := 0
	for {
		n, err := tty.Read(buf)
		shown.Write(buf[:n])
		if asked := bytes.Count(shown.Bytes(), []byte("[y/N] ")); asked > answered {
			answered = asked
			if _, err := tty.WriteString(answer + "\n"); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break // the terminal ends with the program
		}
	}
	_ = cmd.Wait() // its code is in ProcessState
	return strings.ReplaceAll(shown.String(), "\r\n", "\n"), cmd.ProcessState.ExitCode()
}

// readmeReplay is the line of the README that plays the recording.
func readmeReplay(t *testing.T, root string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^toolrest (run --model replay:\S+)$`).FindSubmatch(raw)
	if line == nil {
		t.Fatal("the README does not show the replay")
	}
	return strings.Fields(string(line[1]))
}

// TestReadmeReplay runs the README's second example as it is written, where a
// person would: in the repository, on a terminal.
func TestReadmeReplay(t *testing.T) {
	root := need.ModuleRoot(t)
	for answer, want := range map[string]struct {
		code  int
		shows []string
	}{
		"y": {0, []string{"replaying examples/replay/fix-a-test.jsonl", "FAIL", "ok  ", "the tests pass"}},
		"n": {1, []string{"not approved", "the person at the terminal said no"}},
	} {
		t.Run(answer, func(t *testing.T) {
			w := newWorld(t, "{}")
			cmd := w.command(readmeReplay(t, root)...)
			cmd.Dir = root
			screen, code := terminal(t, cmd, answer)
			if code != want.code {
				t.Errorf("exit code %d, want %d\n%s", code, want.code, screen)
			}
			contains(t, screen, want.shows...)
			bug, err := os.ReadFile(filepath.Join(root, "examples/replay/workspace/sum.go"))
			if err != nil || !bytes.Contains(bug, []byte("i := 1")) {
				t.Errorf("the replay changed the repository: %v", err)
			}
		})
	}
}

// TestStoppedRun: Ctrl-C in the middle of a command, beside a call that is
// done: both have their result, and no process is left.
func TestStoppedRun(t *testing.T) {
	seconds := marker()
	s := modeltest.NewOpenAI(t, modeltest.Turn{Text: "I wait.", Calls: []modeltest.Call{
		{ID: "c1", Name: "exec", Args: `{"command":"echo quick"}`},
		{ID: "c2", Name: "exec", Args: `{"command":"sleep ` + seconds + ` & setsid sleep ` + seconds + `"}`},
	}})
	w := newWorld(t, askOff)
	cmd := w.command("run", "--config", w.config, "--model", "openai/"+s.Models[0], "wait")
	cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+s.URL, "OPENAI_API_KEY="+modeltest.Key)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	awaitSleepers(t, seconds, 2)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	awaitSleepers(t, seconds, 0)
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	contains(t, stderr.String(), "stopped; the conversation until here is in")
	files, _ := filepath.Glob(filepath.Join(w.state, "sessions", "*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("transcripts: %v\n%s", files, stderr.String())
	}
	text := w.read(files[0])
	contains(t, text, `"callId":"c1"`, "quick", `"callId":"c2"`, "cancelled")
	if strings.Count(text, `"callId":"c2"`) != 1 {
		t.Errorf("the call has more than one result: %s", text)
	}
}

// TestRunSeesAChangedConfig: the tools that the model is shown follow the
// config from turn to turn.
func TestRunSeesAChangedConfig(t *testing.T) {
	w := newWorld(t, askOff)
	names := func(req *modeltest.Request) string {
		var out []string
		for _, tool := range req.Tools {
			out = append(out, tool.Name)
		}
		return strings.Join(out, " ")
	}
	s := modeltest.NewAnthropic(t,
		modeltest.Turn{
			Calls: []modeltest.Call{{ID: "c1", Name: "exec", Args: `{"command":"touch began; while [ ! -e go ]; do sleep 0.02; done"}`}},
			Expect: func(t testing.TB, req *modeltest.Request) {
				if got := names(req); !strings.Contains(got, "write") {
					t.Errorf("at first the tools are %s", got)
				}
			},
		},
		modeltest.Turn{Text: "Done.", Expect: func(t testing.TB, req *modeltest.Request) {
			if got := names(req); strings.Contains(got, "write") || !strings.Contains(got, "read") {
				t.Errorf("after the change the tools are %s", got)
			}
		}},
	)
	cmd := w.command("run", "--config", w.config, "--model", "anthropic/"+s.Models[0], "go")
	cmd.Env = append(cmd.Env, "ANTHROPIC_BASE_URL="+s.URL, "ANTHROPIC_API_KEY="+modeltest.Key)
	stderr := newTranscript()
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.await("began")
	w.write(w.config, strings.ReplaceAll("{ workspace: 'WORKSPACE', tools: { deny: ['write'], exec: { ask: 'off' } } }", "WORKSPACE", w.workspace))
	if stderr.await(regexp.MustCompile("the config has changed and is in force")) == "" {
		t.Errorf("stderr: %s", stderr)
	}
	w.write("go", "")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, stderr)
	}
}

// TestInitAsks: init shows the config, and writes it only after a yes.
func TestInitAsks(t *testing.T) {
	for answer, written := range map[string]bool{"y": true, "n": false} {
		w := newWorld(t, "{}")
		screen, code := terminal(t, w.command("init"), answer)
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", answer, code, screen)
		}
		contains(t, screen, "profile: 'coding'", "Write this to")
		_, err := os.Stat(w.path("toolrest.json5"))
		if (err == nil) != written {
			t.Errorf("%s: written %v\n%s", answer, err == nil, screen)
		}
		if !written {
			continue
		}
		doctor := w.run("doctor")
		contains(t, doctor.stdout, "ok    config", "toolrest.json5", "ok    agent main")
	}
}
