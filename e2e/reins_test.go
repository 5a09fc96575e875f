package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAgentCannotReachItsReins puts the config and the state folder into the
// workspace itself, and tries to read the token and to change the config with
// every tool.
func TestAgentCannotReachItsReins(t *testing.T) {
	w := newWorld(t, askOff)
	config := w.read(w.config)
	w.config, w.state = w.path("toolrest.json5"), w.path("state")
	w.write(w.config, config)
	s := w.serve() // makes the token
	c := s.client()

	t.Run("the token", func(t *testing.T) {
		for _, command := range []string{
			"cat state/token",
			"cat " + w.state + "/*",
			"cp -r state copy; cat copy/token",
			"ln state/token hard; cat hard",
			"ln -s state soft; cat soft/token",
			"mv state moved; cat moved/token",
			"cat /proc/1/root" + w.state + "/token",
			"cat /proc/[0-9]*/root" + w.state + "/token",
			"cat /proc/[0-9]*/cwd/state/token",
			"umount " + w.state + "; cat state/token",
			"unshare -rm sh -c 'umount " + w.state + "; cat state/token'",
			"grep -r tr_ . /proc/[0-9]*/environ /proc/[0-9]*/cmdline",
			"env",
		} {
			if text, _ := c.call(t, "exec", args{"command": command}); strings.Contains(text, s.token) {
				t.Errorf("exec %q gave the token", command)
			}
		}
		for _, path := range []string{"state/token", "./state/../state/token", w.state + "/token", "hard", "soft/token", "copy/token", "moved/token"} {
			text, failed := c.call(t, "read", args{"path": path})
			if strings.Contains(text, s.token) {
				t.Errorf("read %q gave the token", path)
			}
			if !failed {
				t.Errorf("read %q is no error: %s", path, text)
			}
		}
	})

	t.Run("the config", func(t *testing.T) {
		for _, command := range []string{
			"echo {} > toolrest.json5",
			"echo {} | tee toolrest.json5",
			"sed -i s/off/always/ toolrest.json5",
			"rm -f toolrest.json5",
			"mv toolrest.json5 away",
			"echo {} > new; mv -f new toolrest.json5",
			"ln toolrest.json5 second; echo {} > second",
			"chmod 666 toolrest.json5; truncate -s 0 toolrest.json5",
			"umount toolrest.json5; echo {} > toolrest.json5",
		} {
			c.call(t, "exec", args{"command": command})
			if w.read(w.config) != config {
				t.Fatalf("exec %q changed the config", command)
			}
		}
		for tool, a := range map[string]args{
			"write":       {"path": "toolrest.json5", "content": "{}"},
			"edit":        {"path": "toolrest.json5", "edits": []args{{"oldText": "off", "newText": "always"}}},
			"apply_patch": {"input": "*** Begin Patch\n*** Delete File: toolrest.json5\n*** End Patch\n"},
		} {
			if text, failed := c.call(t, tool, a); !failed {
				t.Errorf("%s is no error: %s", tool, text)
			}
		}
		if w.read(w.config) != config {
			t.Error("a file tool changed the config")
		}
	})

	// What it may do still works.
	c.must(t, "exec", args{"command": "echo fine > ordinary.txt"})
	contains(t, c.must(t, "read", args{"path": "ordinary.txt"}), "fine")
	private(t, w)
}

// TestConfigOfTheWorkspaceOnlyTightens: a cloned repository brings a config.
func TestConfigOfTheWorkspaceOnlyTightens(t *testing.T) {
	w := newWorld(t, "{}")
	w.write("toolrest.json5", `{ workspace: '..', tools: { profile: 'full', deny: ['write'], exec: { ask: 'off' } } }`)
	ran := w.path("ran.txt")
	call := func() ended { return w.run("call", "exec", `{"command":"touch ran.txt"}`) }

	if out := call(); out.code != 12 {
		t.Errorf("exec: exit code %d, want 12: %s", out.code, out.stderr)
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Fatal("a config that nobody trusted switched the question off")
	}
	if out := w.run("call", "write", `{"path":"a","content":""}`); out.code != 10 {
		t.Errorf("write: exit code %d, want 10, because the config may tighten: %s", out.code, out.stderr)
	}
	if out := w.run("call", "read", `{"path":"../home/toolrest.json5"}`); out.code == 0 {
		t.Errorf("the config moved the workspace: %s", out.stdout)
	}

	w.write("toolrest.json5", `{ tools: { deny: ['write'], exec: { ask: 'off' } } }`)
	if out := w.run("trust"); out.code != 0 {
		t.Fatalf("trust: exit code %d: %s", out.code, out.stderr)
	}
	if out := call(); out.code != 0 {
		t.Errorf("after trust: exit code %d: %s", out.code, out.stderr)
	}
	if err := os.Remove(ran); err != nil {
		t.Error(err)
	}
	w.write("toolrest.json5", `{ tools: { exec: { ask: 'off' } } }`)
	if out := call(); out.code != 12 {
		t.Errorf("after a change: exit code %d, want 12: %s", out.code, out.stderr)
	}
	if info, err := os.Stat(filepath.Join(w.state, "trust.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list of what is trusted: %v, %v", info, err)
	}
}

// TestAgentCannotWriteTheProgram: whoever could would be run by the owner.
func TestAgentCannotWriteTheProgram(t *testing.T) {
	w := newWorld(t, askOff)
	program, err := os.ReadFile(w.command().Path)
	if err != nil {
		t.Fatal(err)
	}
	place := w.path("bin/toolrest")
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(place, program, 0o755); err != nil {
		t.Fatal(err)
	}
	for tool, a := range map[string]string{
		"write":       `{"path":"bin/toolrest","content":"#!/bin/sh\n"}`,
		"apply_patch": `{"input":"*** Begin Patch\n*** Delete File: bin/toolrest\n*** End Patch\n"}`,
		"exec":        `{"command":"echo x > bin/toolrest || mv bin/toolrest x || rm bin/toolrest || exit 9"}`,
	} {
		cmd := w.command("call", "--config", w.config, tool, a)
		cmd.Path, cmd.Args[0] = place, place
		out := w.finish(cmd)
		now, err := os.ReadFile(place)
		if err != nil || len(now) != len(program) {
			t.Fatalf("%s changed the program: %v\n%s%s", tool, err, out.stdout, out.stderr)
		}
		if out.code == 0 && tool != "exec" {
			t.Errorf("%s is no error: %s", tool, out.stdout)
		}
	}
}

// TestUpgradedProgramIsKept: the owner puts a new program in the place of the
// one that runs; what the next start runs is still out of reach.
func TestUpgradedProgramIsKept(t *testing.T) {
	w := newWorld(t, askOff)
	program, err := os.ReadFile(w.command().Path)
	if err != nil {
		t.Fatal(err)
	}
	place := w.path("bin/toolrest")
	put := func(path string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(place)
	cmd := w.command("mcp", "--config", w.config)
	cmd.Path, cmd.Args[0] = place, place
	stderr := newTranscript()
	cmd.Stderr = stderr
	session := w.connect(&mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, stderr)
	t.Cleanup(func() { session.Close() })
	c := &client{session, cmd.Process.Pid, stderr}

	put(place + ".new")
	if err := os.Rename(place+".new", place); err != nil {
		t.Fatal(err)
	}
	c.call(t, "exec", args{"command": "echo x > bin/toolrest; mv bin/toolrest x; rm -f bin/toolrest; mv bin away"})
	c.call(t, "write", args{"path": "bin/toolrest", "content": "#!/bin/sh\n"})
	if now, err := os.ReadFile(place); err != nil || len(now) != len(program) {
		t.Errorf("the program of the next start was changed: %v\n%s", err, stderr)
	}
}

// TestWorkspaceStaysWhereItIs: a command cannot put something else in the
// place that the config names.
func TestWorkspaceStaysWhereItIs(t *testing.T) {
	eachDoor(t, askOff, func(t *testing.T, w *world, c *client) {
		out, _ := c.call(t, "exec", args{"command": "cd ..; rmdir work; mv work gone; ln -sfn / work; ls -d work"})
		if info, err := os.Lstat(w.workspace); err != nil || !info.IsDir() {
			t.Errorf("the workspace is no longer there: %v\n%s", err, out)
		}
	})
}
