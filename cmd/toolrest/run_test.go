package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

// wires are the model servers that a run is tried against.
var wires = map[string]func(t *testing.T, turns ...modeltest.Turn) (ref string){
	"anthropic": func(t *testing.T, turns ...modeltest.Turn) string {
		s := modeltest.NewAnthropic(t, turns...)
		t.Setenv("ANTHROPIC_BASE_URL", s.URL)
		t.Setenv("ANTHROPIC_API_KEY", modeltest.Key)
		return "anthropic/" + s.Models[0]
	},
	"openai": func(t *testing.T, turns ...modeltest.Turn) string {
		s := modeltest.NewOpenAI(t, turns...)
		t.Setenv("OPENAI_BASE_URL", s.URL)
		t.Setenv("OPENAI_API_KEY", modeltest.Key)
		return "openai/" + s.Models[0]
	},
}

// bench is a folder with a bug and a config that asks nobody.
func bench(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	fixture := os.DirFS("../../examples/replay/workspace")
	if err := os.CopyFS(filepath.Join(dir, "work"), fixture); err != nil {
		t.Fatal(err)
	}
	config := "{ workspace: 'work', tools: { deny: ['write'], exec: { ask: 'off' } } }"
	if err := os.WriteFile(filepath.Join(dir, "c.json5"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TOOLREST_STATE", filepath.Join(dir, "state"))
	return dir
}

func agentRun(t *testing.T, dir, ref string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	args := []string{"run", "--config", filepath.Join(dir, "c.json5"), "--model", ref, "the", "tests", "fail"}
	code = run(args, streams{strings.NewReader(""), &out, &errs})
	return code, out.String(), errs.String()
}

// kept reads the one transcript and wants one result for each call, in order.
func kept(t *testing.T, dir string) (results []model.Result) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "state/sessions/*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("transcripts: %v, %v", files, err)
	}
	f, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var open []model.Call
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m model.Message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		if m.Role != model.RoleResults && len(open) > 0 {
			t.Fatalf("%d calls have no results", len(open))
		}
		for i, b := range m.Blocks {
			if b.Kind != model.BlockResult {
				continue
			}
			if i >= len(open) || b.Result.CallID != open[i].ID {
				t.Fatalf("result %d answers %q", i, b.Result.CallID)
			}
			results = append(results, *b.Result)
		}
		open = m.Calls()
	}
	if len(open) > 0 {
		t.Fatalf("the last %d calls have no results", len(open))
	}
	return results
}

func TestRunMendsATest(t *testing.T) {
	for wire, serve := range wires {
		t.Run(wire, func(t *testing.T) {
			dir := bench(t)
			ref := serve(t,
				modeltest.Turn{Text: "I look.", Calls: []modeltest.Call{
					{ID: "c1", Name: "read", Args: `{"path":"sum.go"}`},
					{ID: "c2", Name: "exec", Args: `{"command":"go test ./..."}`},
				}},
				modeltest.Turn{Calls: []modeltest.Call{
					{ID: "c3", Name: "serach", Args: `{}`},
					{ID: "c4", Name: "write", Args: `{"path":"sum.go","content":""}`},
					{ID: "c5", Name: "read", Args: `{"file":"sum.go"}`},
					{ID: "c6", Name: "edit", Args: `{"path":"sum.go","edits":[{"oldText":"i := 1","newText":"i := 0"}]}`},
				}},
				modeltest.Turn{Calls: []modeltest.Call{{ID: "c7", Name: "exec", Args: `{"command":"go test ./..."}`}}},
				modeltest.Turn{Text: "It is mended."},
			)
			code, out, errs := agentRun(t, dir, ref)
			if code != 0 || !strings.Contains(out, "It is mended.") {
				t.Fatalf("exit code %d\n%s\n%s", code, out, errs)
			}
			for _, want := range []string{"→ read", "← exec", "denied by tools.deny, rule 'write'"} {
				if !strings.Contains(errs, want) {
					t.Errorf("stderr does not show %q:\n%s", want, errs)
				}
			}
			results := kept(t, dir)
			wants := []string{"i := 1", "FAIL", "no tool has this name", "denied by tools.deny", "path: required", "Edited sum.go", "ok"}
			if len(results) != len(wants) {
				t.Fatalf("%d results", len(results))
			}
			for i, want := range wants {
				if text := results[i].Content[0].Text; !strings.Contains(text, want) {
					t.Errorf("result %d is %q, want %q", i, text, want)
				}
			}
			test := exec.Command("go", "test", "./...")
			test.Dir = filepath.Join(dir, "work")
			if out, err := test.CombinedOutput(); err != nil {
				t.Errorf("the test is not green: %v\n%s", err, out)
			}
		})
	}
}

// What the config says of a provider, and of an agent's sandbox, counts in a
// run.
func TestRunIsWhoItIs(t *testing.T) {
	for wire, serve := range wires {
		for name, text := range map[string]string{
			"provider": "{ tools: { byProvider: { " + wire + ": { deny: ['exec'] } }, exec: { ask: 'off' } } }",
			"sandbox":  "{ tools: { sandbox: { tools: { deny: ['exec'] } }, exec: { ask: 'off' } }, agents: { list: [{ id: 'open' }, { id: 'main', sandbox: { mode: 'all' } }] } }",
		} {
			t.Run(wire+"/"+name, func(t *testing.T) {
				dir := bench(t)
				if err := os.WriteFile(filepath.Join(dir, "c.json5"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				ref := serve(t,
					modeltest.Turn{
						Calls: []modeltest.Call{{ID: "c1", Name: "exec", Args: `{"command":"echo ran"}`}},
						Expect: func(t testing.TB, req *modeltest.Request) {
							for _, tool := range req.Tools {
								if tool.Name == "exec" {
									t.Error("the model is shown exec")
								}
							}
						},
					},
					modeltest.Turn{Text: "Done."},
				)
				if code, _, errs := agentRun(t, dir, ref); code != 0 || !strings.Contains(errs, "exec: denied by") {
					t.Errorf("exit code %d\n%s", code, errs)
				}
			})
		}
	}
}

func TestRunTellsWhatTheServerSaid(t *testing.T) {
	for name, c := range map[string]struct {
		fault modeltest.Fault
		want  string
	}{
		"no key":    {modeltest.Fault{Status: 401}, "key"},
		"no model":  {modeltest.Fault{Status: 404}, "404"},
		"too often": {modeltest.Fault{Status: 429, RetryAfter: "7"}, "try again in 7s"},
		"broken":    {modeltest.Fault{Status: 500}, "500"},
		"a page":    {modeltest.Fault{Kind: modeltest.FaultHTML}, "html"},
		"cut off":   {modeltest.Fault{Kind: modeltest.FaultDrop, After: 3}, "half-way|broke|ended"},
	} {
		for wire, serve := range wires {
			t.Run(name+"/"+wire, func(t *testing.T) {
				dir := bench(t)
				fault := c.fault
				ref := serve(t, modeltest.Turn{Text: "The beginning of an answer.", Fault: &fault})
				code, _, errs := agentRun(t, dir, ref)
				if code != exitFailed || !containsAny(errs, strings.Split(c.want, "|")) {
					t.Errorf("exit code %d, stderr lacks %q:\n%s", code, c.want, errs)
				}
				if strings.Contains(errs, modeltest.Key) {
					t.Errorf("the key is shown:\n%s", errs)
				}
				if !strings.Contains(errs, "the conversation until here is in ") {
					t.Errorf("nobody is told where the transcript is:\n%s", errs)
				}
				kept(t, dir)
			})
		}
	}
}

func containsAny(s string, wants []string) bool {
	for _, w := range wants {
		if strings.Contains(strings.ToLower(s), strings.ToLower(w)) {
			return true
		}
	}
	return false
}

func TestRunWithAModelThatNobodyKnows(t *testing.T) {
	dir := bench(t)
	for ref, want := range map[string]string{
		"olama/x":             "did you mean ollama",
		"claude-x":            "write anthropic/claude-x",
		"replay:none.jsonl":   "none.jsonl",
		"replay:c.json5":      "c.json5",
		"anthropic/":          "names no model",
		"replay:../../../etc": "etc",
	} {
		code, out, errs := agentRun(t, dir, ref)
		if code != exitFailed || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%s: exit code %d, %q does not say %q", ref, code, errs, want)
		}
	}
}
