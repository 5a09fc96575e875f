package e2e

import (
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServeStopsCleanlyAndStartsAgain(t *testing.T) {
	w := newWorld(t, askOff)
	first := w.serve()
	c := first.client()
	contains(t, c.must(t, "exec", args{"command": "echo one"}), "one")
	if code := first.stop(); code != 0 {
		t.Errorf("with a session open, SIGINT ends serve with %d\nstderr: %s", code, first.stderr)
	}
	second := w.serve()
	if second.token != first.token {
		t.Error("the second start has another token: clients that were set up lose their access")
	}
	contains(t, second.client().must(t, "exec", args{"command": "echo two"}), "two")
	if code := second.stop(); code != 0 {
		t.Errorf("SIGINT ends serve with %d\nstderr: %s", code, second.stderr)
	}
	private(t, w)
}

// private wants the state to be its user's alone, and the token to be nowhere
// but in its file.
func private(t *testing.T, w *world) {
	t.Helper()
	token := strings.TrimSpace(w.read(filepath.Join(w.state, "token")))
	if !tokenLine.MatchString(token) {
		t.Errorf("the token's file holds %q", token)
	}
	err := filepath.WalkDir(w.state, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
		if !d.IsDir() && path != filepath.Join(w.state, "token") && strings.Contains(w.read(path), token) {
			t.Errorf("%s holds the token", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestServeWithoutConfig(t *testing.T) {
	w := newWorld(t, "")
	if err := os.Remove(w.config); err != nil {
		t.Fatal(err)
	}
	s := w.serveCommand(w.command("serve", "--addr", "127.0.0.1:0"))
	c := s.client()
	w.write("a.txt", "content")
	contains(t, c.must(t, "read", args{"path": "a.txt"}), "content")
	text, failed := c.call(t, "exec", args{"command": "echo ran > ran.txt"})
	if !failed {
		t.Errorf("with nobody to ask, exec is no error: %s", text)
	}
	contains(t, text, "exec", "ask")
	if _, err := os.Lstat(w.path("ran.txt")); err == nil {
		t.Error("exec ran although nobody agreed")
	}
	if code := s.stop(); code != 0 {
		t.Errorf("SIGINT ends serve with %d\nstderr: %s", code, s.stderr)
	}
}

func TestServeTellsHowToConnect(t *testing.T) {
	s := newWorld(t, askOff).serve()
	contains(t, strings.ToLower(s.stdout.String()), s.url, strings.ToLower(s.token), "claude", "codex", "cursor", "inspector")
	if strings.Contains(s.stderr.String(), s.token) {
		t.Error("the log holds the token")
	}
}

func TestServeWantsTheToken(t *testing.T) {
	s := newWorld(t, askOff).serve()
	for name, test := range map[string]struct {
		header http.Header
		status int
	}{
		"no token":      {http.Header{"Authorization": nil}, http.StatusUnauthorized},
		"a wrong one":   {http.Header{"Authorization": {"Bearer tr_" + strings.Repeat("A", 43)}}, http.StatusUnauthorized},
		"a part of it":  {http.Header{"Authorization": {"Bearer " + s.token[:len(s.token)-1]}}, http.StatusUnauthorized},
		"basic":         {http.Header{"Authorization": {"Basic " + s.token}}, http.StatusUnauthorized},
		"another page":  {http.Header{"Origin": {"https://example.com"}}, http.StatusForbidden},
		"the right one": {nil, http.StatusOK},
	} {
		res, body := s.post(strings.NewReader(initialize), test.header)
		if res.StatusCode != test.status {
			t.Errorf("%s: got %s, want %d: %.200q", name, res.Status, test.status, body)
		}
		if strings.Contains(body, s.token) {
			t.Errorf("%s: the answer holds the token", name)
		}
	}
}

func TestServeRefusesAddresses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	w := newWorld(t, askOff)
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:7330", "example.com:7330", "nonsense", taken.Addr().String()} {
		out := w.run("serve", "--config", w.config, "--addr", addr)
		if out.code == 0 || out.stderr == "" || urlLine.MatchString(out.stdout) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", addr, out.code, out.stdout, out.stderr)
		}
	}
}
