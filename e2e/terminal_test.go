package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminal runs a command on a terminal of its own and answers each question.
func terminal(t *testing.T, cmd *exec.Cmd, answer string) (screen string, code int) {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	stop := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer stop.Stop()
	var shown bytes.Buffer
	buf := make([]byte, 4096)
	answered := 0
	for {
		n, err := tty.Read(buf)
		shown.Write(buf[:n])
		if asked := bytes.Count(shown.Bytes(), []byte("[y/N] ")); asked > answered {
			answered = asked
			if _, err := tty.WriteString(answer); err != nil {
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

// TestInitAsks: init shows the config, and writes it only after a yes.
func TestInitAsks(t *testing.T) {
	const endOfInput = "\x04"
	for answer, written := range map[string]bool{
		"y\n": true, "Yes\n": true,
		"n\n": false, "\n": false, "maybe\n": false, "yy\n": false, endOfInput: false,
	} {
		w := newWorld(t, "{}")
		screen, code := terminal(t, w.command("init"), answer)
		if code != 0 {
			t.Errorf("%q: exit code %d\n%s", answer, code, screen)
		}
		contains(t, screen, "profile: 'coding'", "Write this to "+w.path("toolrest.json5"))
		_, err := os.Stat(w.path("toolrest.json5"))
		if (err == nil) != written {
			t.Errorf("%q: written %v\n%s", answer, err == nil, screen)
		}
		if strings.Contains(screen, "Not written.") == written {
			t.Errorf("%q: it is not said what was done:\n%s", answer, screen)
		}
	}
}

// TestInitLeavesWhatIsThere: a config is never overwritten, and nobody is
// asked about it.
func TestInitLeavesWhatIsThere(t *testing.T) {
	w := newWorld(t, "{}")
	w.write("toolrest.json5", "{ tools: { deny: ['exec'] } }")
	screen, code := terminal(t, w.command("init"), "y\n")
	if code != 1 || strings.Contains(screen, "[y/N]") {
		t.Errorf("exit code %d\n%s", code, screen)
	}
	contains(t, screen, "is there already")
	if got := w.read("toolrest.json5"); got != "{ tools: { deny: ['exec'] } }" {
		t.Errorf("the config is now %s", got)
	}
}

// TestDoctorOnATerminal: what init wrote is well, what is broken is shown with
// its place, and what nobody trusts is shown as such; nobody is asked.
func TestDoctorOnATerminal(t *testing.T) {
	w := newWorld(t, "{}")
	if screen, code := terminal(t, w.command("init"), "y\n"); code != 0 {
		t.Fatalf("init: exit code %d\n%s", code, screen)
	}
	fine := w.read("toolrest.json5")
	for name, c := range map[string]struct {
		config string
		code   int
		state  string // of the finding about the config
		shows  []string
	}{
		"as written":  {fine, 0, "ok", []string{"agent main", "5 tools"}},
		"broken":      {"{\n  tools: { dney: ['exec'] },\n}", 1, "fail", []string{"toolrest.json5:2:12", "did you mean deny"}},
		"not trusted": {"{ tools: { profile: 'full', exec: { ask: 'off' } } }", 0, "warn", []string{"not trusted", "toolrest trust", "tools.exec.ask"}},
	} {
		w.write("toolrest.json5", c.config)
		screen, code := terminal(t, w.command("doctor"), "y\n")
		screen = plain(screen)
		if code != c.code || strings.Contains(screen, "[y/N]") {
			t.Errorf("%s: exit code %d\n%s", name, code, screen)
		}
		contains(t, screen, append(c.shows, c.state+strings.Repeat(" ", 6-len(c.state))+"config")...)
	}
}

// plain is a screen without its colours.
func plain(screen string) string {
	for _, code := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m"} {
		screen = strings.ReplaceAll(screen, code, "")
	}
	return screen
}
