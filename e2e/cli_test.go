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

// TestListingBuildsNothing: a tool is described, planned and explained without
// its executor; the first call makes it, once.
func TestListingBuildsNothing(t *testing.T) {
	const built = `msg="executor built"`
	w := newWorld(t, askOff)
	w.write("a.txt", "text")
	for _, args := range [][]string{
		{"tools"}, {"tools", "--hidden"}, {"tools", "--matrix"}, {"explain", "read"}, {"explain", "group:fs"}, {"doctor"},
	} {
		if r := w.run(append(args, "--config", w.config, "--log", "debug")...); strings.Contains(r.stderr, built) {
			t.Errorf("toolrest %s: %s", strings.Join(args, " "), r.stderr)
		}
	}
	call := w.run("call", "read", `{"path":"a.txt"}`, "--config", w.config, "--log", "debug")
	if n := strings.Count(call.stderr, built); n != 1 || !strings.Contains(call.stderr, "tool=read") {
		t.Errorf("a call built %d executors: %s", n, call.stderr)
	}

	// Over MCP: the list builds nothing, two calls build once.
	s := w.serve("--log", "debug")
	c := s.client()
	c.names(t)
	if strings.Contains(s.stderr.String(), built) {
		t.Errorf("tools/list: %s", s.stderr)
	}
	for range 2 {
		c.call(t, "read", args{"path": "a.txt"})
	}
	if n := strings.Count(s.stderr.String(), built); n != 1 {
		t.Errorf("two calls built %d executors: %s", n, s.stderr)
	}
}
