package e2e

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// slow is how long a change of the config may take on a busy machine; on a
// quiet one it is in force within a second.
const slow = 10 * time.Second

// told is a client that hears of changes of the list of tools.
type told struct {
	*client
	changes chan struct{}
}

// tell opens a session that listens for changes, through either door.
func tell(t *testing.T, w *world, door string) *told {
	t.Helper()
	changes := make(chan struct{}, 100)
	c := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- struct{}{} },
	})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if door == "http" {
		s := w.serve()
		base := &http.Transport{}
		session, err := c.Connect(ctx, &mcp.StreamableClientTransport{
			Endpoint: s.url, HTTPClient: &http.Client{Transport: bearer{s.token, base}}, MaxRetries: -1,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close(); base.CloseIdleConnections() })
		return &told{&client{session, s.cmd.Process.Pid, s.stderr}, changes}
	}
	cmd := w.command("mcp", "--config", w.config)
	stderr := newTranscript()
	cmd.Stderr = stderr
	session, err := c.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, nil)
	if err != nil {
		t.Fatalf("%v\nstderr: %s", err, stderr)
	}
	t.Cleanup(func() { session.Close(); w.noRace(cmd, stderr.String()) })
	return &told{&client{session, cmd.Process.Pid, stderr}, changes}
}

// hears waits for a change to be announced.
func (c *told) hears(t *testing.T, what string) {
	t.Helper()
	began := time.Now()
	select {
	case <-c.changes:
		t.Logf("%s was announced after %s", what, time.Since(began).Round(time.Millisecond))
	case <-time.After(slow):
		t.Fatalf("%s was not announced within %s\nstderr: %s", what, slow, c.stderr)
	}
}

func TestConfigIsLive(t *testing.T) {
	for door := range doors {
		t.Run(door, func(t *testing.T) {
			w := newWorld(t, askOff)
			c := tell(t, w, door)
			if !slices.Contains(c.names(t), "write") {
				t.Fatalf("the tools are %v", c.names(t))
			}

			// A call that runs during the change finishes on the old config.
			running := make(chan string, 1)
			go func() {
				text, _, err := c.try("exec", args{"command": "touch began; while [ ! -e go ]; do sleep 0.02; done; echo finished"})
				if err != nil {
					text = err.Error()
				}
				running <- text
			}()
			w.await("began")

			w.write(w.config, strings.ReplaceAll("{ workspace: 'WORKSPACE', tools: { deny: ['write', 'exec'] } }", "WORKSPACE", w.workspace))
			c.hears(t, "the deny")
			if names := c.names(t); slices.Contains(names, "write") || slices.Contains(names, "exec") {
				t.Errorf("after the deny the tools are %v", names)
			}
			text, failed := c.call(t, "write", args{"path": "x", "content": "x"})
			if !failed {
				t.Error("a denied tool was called")
			}
			contains(t, text, "denied by tools.deny")
			// Another process knows since when, and by which change.
			contains(t, w.run("explain", "write", "--config", w.config).stdout, "\nSince ", ", by a change of "+w.config)
			w.write("go", "")
			if got := <-running; got != "finished" {
				t.Errorf("the call that ran during the change gave %q", got)
			}

			// A broken edit changes nothing, and says why.
			w.write(w.config, "{ tools: { dney: [] } }")
			if c.stderr.await(regexp.MustCompile(`tools\.dney`)) == "" {
				t.Errorf("the log does not say what is broken: %s", c.stderr)
			}
			if names := c.names(t); slices.Contains(names, "write") || !slices.Contains(names, "read") {
				t.Errorf("after a broken edit the tools are %v", names)
			}
			doctor := w.run("doctor", "--config", w.config)
			if doctor.code != 1 {
				t.Errorf("doctor ends with %d", doctor.code)
			}
			contains(t, doctor.stdout, "fail  config", filepath.Base(w.config)+":1:12", "did you mean deny")

			// Mended, it is in force.
			w.write(w.config, strings.ReplaceAll(askOff, "WORKSPACE", w.workspace))
			c.hears(t, "the mended config")
			if !slices.Contains(c.names(t), "write") {
				t.Errorf("after mending the tools are %v", c.names(t))
			}
		})
	}
}

// await waits until a file of the workspace is there.
func (w *world) await(path string) {
	w.t.Helper()
	there := until(patience, func() bool {
		_, err := os.Stat(w.path(path))
		return err == nil
	})
	if !there {
		w.t.Fatalf("%s did not appear", path)
	}
}

// until asks again and again, where nobody tells, and gives up after most.
func until(most time.Duration, done func() bool) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(most); !done(); <-tick.C {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// loose is a config that takes write away, and would give more than the
// defaults do otherwise.
const loose = "{ tools: { profile: 'full', deny: ['write'], exec: { ask: 'off' } } }"

// TestConfigThatAppearsOnlyTightens: a config appears in the workspace while
// the tools are served, and goes again.
func TestConfigThatAppearsOnlyTightens(t *testing.T) {
	for door, open := range map[string]func(*world) *client{
		"stdio": func(w *world) *client {
			cmd := w.command("mcp")
			stderr := newTranscript()
			cmd.Stderr = stderr
			session := w.connect(&mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, stderr)
			w.t.Cleanup(func() {
				session.Close()
				w.noRace(cmd, stderr.String())
			})
			return &client{session, cmd.Process.Pid, stderr}
		},
		"http": func(w *world) *client { return w.serveCommand(w.command("serve", "--addr", "127.0.0.1:0")).client() },
	} {
		t.Run(door, func(t *testing.T) {
			w := newWorld(t, "{}")
			c := open(w)
			w.write("toolrest.json5", loose)
			c.awaitTool(t, "write", false)
			text, failed := c.call(t, "exec", args{"command": "echo ran"})
			if !failed || strings.Contains(text, "ran\n") {
				t.Errorf("an untrusted config switched asking off: %s", text)
			}
			contains(t, text, "not trusted")
			if names := c.names(t); len(names) != 3 { // a denied write takes apply_patch along
				t.Errorf("the tools are %v", names)
			}

			if err := os.Remove(w.path("toolrest.json5")); err != nil {
				t.Fatal(err)
			}
			c.awaitTool(t, "write", true)
			text, failed = c.call(t, "exec", args{"command": "echo ran"})
			if !failed || strings.Contains(text, "ran\n") {
				t.Errorf("asking is off after the untrusted config has gone: %s", text)
			}
		})
	}
}

// awaitTool lists until a tool is there, or is not: this client is not told of
// changes.
func (c *client) awaitTool(t *testing.T, tool string, there bool) {
	t.Helper()
	if !until(slow, func() bool { return slices.Contains(c.names(t), tool) == there }) {
		t.Fatalf("%s is not listed: %v, after %s\nstderr: %s", tool, !there, slow, c.stderr)
	}
}

// TestConfigThatVanishes: what the user's own config denies stays denied while
// its file is away, although the defaults would allow it; and what stands there
// when it is back is in force. Nothing names the file, so that its absence is no
// error.
func TestConfigThatVanishes(t *testing.T) {
	w := newWorld(t, "{}")
	if err := os.Mkdir(w.state, 0o700); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(w.state, "toolrest.json5")
	w.write(own, "{ tools: { deny: ['write'] } }")
	s := w.serveCommand(w.command("serve", "--addr", "127.0.0.1:0"))
	c := s.client()
	if names := c.names(t); slices.Contains(names, "write") {
		t.Fatalf("the tools are %v", names)
	}
	if err := os.Rename(own, own+".away"); err != nil {
		t.Fatal(err)
	}
	if s.stderr.await(regexp.MustCompile(`the config file is gone; what it said stays in force`)) == "" {
		t.Fatalf("nobody says that the config is gone: %s", s.stderr)
	}
	if text, failed := c.call(t, "write", args{"path": "x", "content": "x"}); !failed {
		t.Errorf("a denied tool was called while the config was away: %s", text)
	}
	w.write(own, "{ tools: { deny: ['edit'] } }")
	if s.stderr.await(regexp.MustCompile(`the config has changed and is in force`)) == "" {
		t.Fatalf("nobody says that the config is back: %s", s.stderr)
	}
	if names := c.names(t); !slices.Contains(names, "write") || slices.Contains(names, "edit") {
		t.Errorf("with the config back the tools are %v", names)
	}
}
