package replay

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

// TestFixATest plays the recording of the README on its workspace with the
// least that its tools must do: what it tells must come true.
func TestFixATest(t *testing.T) {
	need.Program(t, "go")
	r, err := Open(filepath.Join(need.ModuleRoot(t), "examples", "replay", "fix-a-test.jsonl"), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if ok, err := r.CopyWorkspace(dir); !ok || err != nil {
		t.Fatalf("%t, %v", ok, err)
	}
	messages := []model.Message{model.User(model.Text(r.Header().Prompt))}
	var names []string
	for {
		done, err := modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, done.Message)
		var results []model.Result
		for _, c := range done.Message.Calls() {
			names = append(names, c.Name)
			results = append(results, c.Answer(act(t, dir, c)))
		}
		if len(results) == 0 {
			break
		}
		messages = append(messages, model.Results(results...))
	}
	if got, want := strings.Join(names, " "), "exec read read exec edit exec"; got != want {
		t.Errorf("calls %q, want %q", got, want)
	}
	if out := shell(t, dir, "go test ./..."); !strings.HasPrefix(out, "ok") {
		t.Errorf("after the run: %s", out)
	}
}

// act does what a tool of this name would.
func act(t *testing.T, dir string, c model.Call) *toolrest.Result {
	t.Helper()
	var args struct {
		Command, Path string
		Edits         []struct{ OldText, NewText string }
	}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		t.Fatal(err)
	}
	if c.Name == "exec" {
		return toolrest.TextResult(shell(t, dir, args.Command))
	}
	file := filepath.Join(dir, args.Path)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range args.Edits {
		if n := strings.Count(string(text), e.OldText); n != 1 {
			t.Fatalf("%q stands in %s %d times", e.OldText, args.Path, n)
		}
		text = []byte(strings.Replace(string(text), e.OldText, e.NewText, 1))
		must(t, os.WriteFile(file, text, 0o666))
	}
	return toolrest.TextResult(string(text))
}

func shell(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s\n(%v)", out, err)
	}
	return string(out)
}
