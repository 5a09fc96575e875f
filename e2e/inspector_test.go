package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/need"
)

// governed is a config that runs commands without asking and denies a tool to
// the agent.
const governed = `{
  workspace: 'WORKSPACE',
  tools: { exec: { ask: 'off' } },
  agents: { list: [
    { id: 'main', tools: { deny: ['apply_patch'] } },
  ] },
}
`

// inspector is the MCP inspector on the command line, a client that we did not
// write, aimed at one server.
type inspector struct {
	w      *world
	target []string // the flags that name the server
}

// answer is what the inspector prints of a tool call or a list.
type answer struct {
	Result struct {
		Tools []struct {
			Name        string
			Description string
			InputSchema json.RawMessage
		}
		Content []struct{ Type, Text string }
		IsError bool
	}
}

func (a answer) text() string {
	var b strings.Builder
	for _, c := range a.Result.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// inspectors gives one inspector for each door. With forged set, each goes
// through a middleman that adds that tool to the list.
func inspectors(forged string) map[string]func(*world) inspector {
	return map[string]func(*world) inspector{
		"stdio": func(w *world) inspector { return w.inspectStdio(forged) },
		"http": func(w *world) inspector {
			s := w.serve()
			url := s.url
			if forged != "" {
				url = forgeHTTP(w.t, url, forged)
			}
			return inspector{w, []string{
				"--server-url", url, "--transport", "http",
				"--header", "Authorization: Bearer " + s.token,
			}}
		},
	}
}

// inspectStdio writes the file that MCP clients keep of the servers they start.
func (w *world) inspectStdio(forged string) inspector {
	w.t.Helper()
	type server struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
		Cwd     string            `json:"cwd"`
	}
	entry := server{binary, []string{"mcp", "--config", w.config}, map[string]string{"TOOLREST_STATE": w.state}, w.workspace}
	if forged != "" {
		self, err := os.Executable()
		if err != nil {
			w.t.Fatal(err)
		}
		entry.Args = slices.Concat([]string{binary}, entry.Args)
		entry.Command, entry.Env[envForge] = self, forged
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]server{"toolrest": entry}})
	if err != nil {
		w.t.Fatal(err)
	}
	file := filepath.Join(w.home, "mcp.json")
	w.write(file, string(servers))
	return inspector{w, []string{"--config", file, "--server", "toolrest"}}
}

// run asks one thing. The inspector ends with 0, or with 5 when the result is
// an error.
func (i inspector) run(code int, flags ...string) answer {
	i.w.t.Helper()
	argv := slices.Concat(need.Inspector(i.w.t), i.target, []string{"--format", "json"}, flags)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = i.w.home
	cmd.Env = append(i.w.environ(), "MCP_INSPECTOR_SECRET_STORE=memory")
	out := i.w.finish(cmd)
	if out.code != code {
		i.w.t.Fatalf("inspector %q: exit code %d, want %d\nstdout: %s\nstderr: %s", flags, out.code, code, out.stdout, out.stderr)
	}
	var a answer
	if err := json.Unmarshal([]byte(out.stdout), &a); err != nil {
		i.w.t.Fatalf("inspector %q: %v in %q\nstderr: %s", flags, err, out.stdout, out.stderr)
	}
	return a
}

func (i inspector) call(code int, tool string, a args) answer {
	i.w.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		i.w.t.Fatal(err)
	}
	return i.run(code, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", string(raw))
}

// eras are the protocol's versions with sessions, and those without.
var eras = []string{"legacy", "modern"}

func TestInspectorWorks(t *testing.T) {
	need.Inspector(t)
	for door, open := range inspectors("") {
		for _, era := range eras {
			t.Run(door+"/"+era, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, governed)
				i := open(w)
				i.target = append(i.target, "--protocol-era", era)
				testInspector(t, w, i)
			})
		}
	}
}

// testInspector reads a file, edits it and runs a command.
func testInspector(t *testing.T, w *world, i inspector) {
	w.write("notes.txt", "first line\nsecond line\n")

	// --strict ends with 6 when a schema would trouble some client.
	list := i.run(0, "--method", "tools/list", "--strict")
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
		if tool.Description == "" || len(tool.InputSchema) == 0 {
			t.Errorf("%s has no description or no schema", tool.Name)
		}
	}
	slices.Sort(names)
	if want := []string{"edit", "exec", "read", "write"}; !slices.Equal(names, want) {
		t.Errorf("tools are %q, want %q: apply_patch is denied to the agent", names, want)
	}

	contains(t, i.call(0, "read", args{"path": "notes.txt"}).text(), "first line", "second line")

	i.call(0, "edit", args{"path": "notes.txt", "edits": []args{{"oldText": "second", "newText": "another"}}})
	if got := w.read("notes.txt"); got != "first line\nanother line\n" {
		t.Errorf("after the edit the file holds %q", got)
	}

	contains(t, i.call(0, "exec", args{"command": "cat notes.txt; echo 6*7=$((6*7))"}).text(), "another line", "6*7=42")
}

func TestInspectorForgedCall(t *testing.T) {
	need.Inspector(t)
	for name, open := range inspectors("apply_patch") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, governed)
			a := open(w).call(5, "apply_patch", args{"input": "*** Begin Patch\n*** Add File: made.txt\n+x\n*** End Patch\n"})
			if !a.Result.IsError {
				t.Error("the forged call is not an error")
			}
			contains(t, a.text(), "apply_patch", "agents.list[0].tools.deny", w.config+":5:")
			if _, err := os.Lstat(w.path("made.txt")); err == nil {
				t.Error("the forged call ran")
			}
		})
	}
}

// TestInspectorLineOfServe runs the line that serve prints for the inspector.
func TestInspectorLineOfServe(t *testing.T) {
	argv := need.Inspector(t)
	w := newWorld(t, governed)
	printed := w.serve().stdout.String()
	_, line, found := strings.Cut(printed, "npx @modelcontextprotocol/inspector --cli ")
	if !found {
		t.Fatalf("serve prints no line for the inspector:\n%s", printed)
	}
	line, _, _ = strings.Cut(line, "\n")
	cmd := exec.Command("bash", "-c", strings.Join(argv, " ")+" "+line)
	cmd.Dir = w.home
	cmd.Env = append(w.environ(), "MCP_INSPECTOR_SECRET_STORE=memory")
	out := w.finish(cmd)
	if out.code != 0 {
		t.Errorf("exit code %d\nstderr: %s", out.code, out.stderr)
	}
	contains(t, out.stdout, `"exec"`)
}
