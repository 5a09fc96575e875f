package e2e

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/toolrest/toolrest/model/modeltest"
)

// TestQuestionIsLeft: Ctrl-C at the question ends the run, and the end of the
// input, an empty line or another word is no yes. Nothing runs, and the call
// has its result.
func TestQuestionIsLeft(t *testing.T) {
	ask := modeltest.Turn{Calls: []modeltest.Call{{ID: "c1", Name: "exec", Args: `{"command":"touch ran"}`}}}
	told := modeltest.Turn{Text: "Then not."}
	for name, c := range map[string]struct {
		answer string
		turns  []modeltest.Turn
		code   int
		shows  string
	}{
		"Ctrl-C":       {"\x03", []modeltest.Turn{ask}, 1, "stopped; the conversation until here is in"},
		"end of input": {"\x04", []modeltest.Turn{ask, told}, 0, "Then not."},
		"empty":        {"\n", []modeltest.Turn{ask, told}, 0, "Then not."},
		"another word": {"yesterday\n", []modeltest.Turn{ask, told}, 0, "Then not."},
		"no":           {"no\n", []modeltest.Turn{ask, told}, 0, "Then not."},
	} {
		t.Run(name, func(t *testing.T) {
			k := wires["openai"](t, "{ workspace: 'WORKSPACE' }", c.turns...)
			cmd := k.command(append([]string{"run", "--config", k.config, "touch"}, k.choose...)...)
			cmd.Env = append(cmd.Env, k.env...)
			screen, code := terminal(t, cmd, c.answer)
			if code != c.code || strings.Count(screen, "[y/N] ") != 1 {
				t.Errorf("exit code %d\n%s", code, screen)
			}
			contains(t, screen, "touch ran", c.shows)
			if _, err := os.Lstat(k.path("ran")); err == nil {
				t.Error("the command ran")
			}
			if results := answers(k.conversation()...); len(results) != 1 || !results[0].IsError {
				t.Errorf("results: %+v", results)
			}
		})
	}
}

// TestCtrlCInACommand: the terminal sends the signal to everything that it
// holds; the run still tells its end.
func TestCtrlCInACommand(t *testing.T) {
	seconds := marker()
	k := wires["openai"](t, "{ workspace: 'WORKSPACE' }", modeltest.Turn{Calls: []modeltest.Call{
		{ID: "c1", Name: "exec", Args: `{"command":"trap 'echo deaf' INT; sleep ` + seconds + ` & setsid sleep ` + seconds + `; wait"}`},
	}})
	cmd := k.command(append([]string{"run", "--config", k.config, "sleep"}, k.choose...)...)
	cmd.Env = append(cmd.Env, k.env...)
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := newTranscript()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		_, _ = io.Copy(screen, tty) // it ends with the program
	}()
	if screen.await(regexp.MustCompile(`\[y/N\] `)) == "" {
		t.Fatalf("no question: %s", screen)
	}
	press := func(keys string) {
		if _, err := tty.WriteString(keys); err != nil {
			t.Fatal(err)
		}
	}
	press("y\n")
	awaitSleepers(t, seconds, 2)
	press("\x03")
	_ = cmd.Wait()
	<-shown
	awaitSleepers(t, seconds, 0)
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	contains(t, screen.String(), "stopped; the conversation until here is in")
	if results := answers(k.conversation()...); len(results) != 1 || !strings.Contains(said(results[0]), "cancelled") {
		t.Errorf("results: %+v", results)
	}
}
