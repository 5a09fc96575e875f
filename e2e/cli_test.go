package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// denied is a config whose agent may not run commands.
const denied = `{
  workspace: 'WORKSPACE',
  agents: { list: [
    { id: 'main' },
    { id: 'guest', tools: { deny: ['exec'] } },
  ] },
}
`

func TestExplain(t *testing.T) {
	w := newWorld(t, denied)
	out := w.run("explain", "exec", "--agent", "guest", "--config", w.config)
	if out.code != 10 {
		t.Errorf("exit code %d, want 10 (denied)\nstderr: %s", out.code, out.stderr)
	}
	// The layer, the rule, its place, and what to change.
	contains(t, out.stdout+out.stderr, "agents.list[1].tools.deny", `exec`, w.config+":5:36", "remove")

	out = w.run("explain", "exce", "--config", w.config)
	if out.code != 11 {
		t.Errorf("exit code %d, want 11 (unknown)\nstderr: %s", out.code, out.stderr)
	}
	contains(t, out.stdout+out.stderr, "exce", "exec", "mean")

	if out := w.run("explain", "read", "--agent", "guest", "--config", w.config); out.code != 0 {
		t.Errorf("an allowed tool: exit code %d\nstderr: %s", out.code, out.stderr)
	}
}

func TestCall(t *testing.T) {
	w := newWorld(t, denied)
	w.write("a.txt", "content")
	tests := map[string]struct {
		argv []string
		code int
		want string
	}{
		"runs":    {[]string{"call", "read", `{"path":"a.txt"}`}, 0, "content"},
		"fails":   {[]string{"call", "read", `{"path":"gone.txt"}`}, 1, "gone.txt"},
		"no JSON": {[]string{"call", "read", `{"path":`}, 2, "JSON"},
		"no tool": {[]string{"call"}, 2, "tool"},
		"denied":  {[]string{"call", "exec", `{"command":"true"}`, "--agent", "guest"}, 10, "agents.list[1].tools.deny"},
		"unknown": {[]string{"call", "raed", `{"path":"a.txt"}`}, 11, "read"},
		// No terminal, so nobody can agree.
		"asks": {[]string{"call", "exec", `{"command":"true"}`}, 12, "exec"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out := w.run(append(test.argv, "--config", w.config)...)
			if out.code != test.code {
				t.Errorf("exit code %d, want %d\nstdout: %s\nstderr: %s", out.code, test.code, out.stdout, out.stderr)
			}
			contains(t, strings.ToLower(out.stdout+out.stderr), strings.ToLower(test.want))
		})
	}
}

// TestDoorsAgree asks every door for the tools of one agent.
func TestDoorsAgree(t *testing.T) {
	for _, agent := range []string{"main", "guest"} {
		t.Run(agent, func(t *testing.T) {
			w := newWorld(t, denied)
			out := w.run("tools", "--json", "--agent", agent, "--config", w.config)
			if out.code != 0 || !json.Valid([]byte(out.stdout)) {
				t.Fatalf("tools: exit code %d, stdout %q, stderr %q", out.code, out.stdout, out.stderr)
			}
			c := w.stdio("--agent", agent)
			for _, tool := range []string{"read", "write", "edit", "apply_patch", "exec"} {
				explained := w.run("explain", tool, "--agent", agent, "--config", w.config).code == 0
				listed := strings.Contains(" "+strings.Join(c.names(t), " ")+" ", " "+tool+" ")
				if want := agent == "main" || tool != "exec"; explained != want || listed != want {
					t.Errorf("%s: explain says %v, tools/list says %v, want %v", tool, explained, listed, want)
				}
			}
			text, failed := c.call(t, "exec", args{"command": "true"})
			if !failed {
				t.Errorf("exec ran: %s", text)
			}
			if agent == "guest" {
				contains(t, text, "agents.list[1].tools.deny")
			}
		})
	}
}
