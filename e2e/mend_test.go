package e2e

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

// goCache is the build cache of these tests: with an empty one, a go test
// compiles the standard library first.
var goCache = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	return "GOCACHE=" + strings.TrimSpace(string(out)), err
})

func cached(t *testing.T) string {
	t.Helper()
	env, err := goCache()
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// step is a call of the script, and what its result must say.
type step struct {
	name, args string
	failed     bool
	want       string
}

// noWrite denies one tool and asks for none.
const noWrite = `{ workspace: 'WORKSPACE', tools: { deny: ['write'], exec: { ask: 'off' } } }`

// mending are the messages of a model that finds a bug and mends it, and
// stumbles in every way on the road.
var mending = [][]step{
	{{"read", `{"path":"sum.go"}`, false, "i := 1"}},
	{{"exec", `{"command":"go test ./..."}`, false, "(Command exited with code 1)"}},
	{ // Each of the two waits for the other, so they run side by side.
		{"exec", `{"command":"touch a; until [ -e b ]; do sleep 0.01; done; echo first","timeout":30}`, false, "first"},
		{"exec", `{"command":"touch b; until [ -e a ]; do sleep 0.01; done; echo second","timeout":30}`, false, "second"},
	},
	{{"serach", `{"for":"bug"}`, true, "no tool has this name"}},
	{{"write", `{"path":"sum.go","content":"package sum"}`, true, "denied by tools.deny, rule 'write'"}},
	{{"read", `{"file":"sum.go"}`, true, "path: required"}},
	{{"edit", `{"path":"sum.go","edits":[{"oldText":"i := 1","newTe`, true, "JSON"}},
	{
		{"read", `[]`, true, "object"},
		{"edit", `{"path":"sum.go","edits":[{"oldText":"i := 1","newText":"i := 0"}]}`, false, "sum.go"},
	},
	{{"exec", `{"command":"go test ./..."}`, false, "ok"}},
}

// script makes the turns of a model server out of steps. The server sees that
// each message is answered by its results.
func script(messages [][]step) (turns []modeltest.Turn) {
	var before []step
	check := func(before []step) func(testing.TB, *modeltest.Request) {
		return func(t testing.TB, req *modeltest.Request) {
			if len(req.Results) != len(before) {
				t.Errorf("the model got %d results for %d calls", len(req.Results), len(before))
				return
			}
			for i, s := range before {
				if !strings.Contains(req.Results[i].Text, s.want) {
					t.Errorf("the model got %q for %s %s", req.Results[i].Text, s.name, s.args)
				}
			}
		}
	}
	for i, steps := range messages {
		turn := modeltest.Turn{Expect: check(before)}
		for j, s := range steps {
			id := "call_" + string(rune('a'+i)) + string(rune('0'+j))
			turn.Calls = append(turn.Calls, modeltest.Call{ID: id, Name: s.name, Args: s.args})
		}
		turns, before = append(turns, turn), steps
	}
	return append(turns, modeltest.Turn{Text: "It is mended.", Expect: check(before)})
}

func TestRunMendsAProgram(t *testing.T) {
	root := need.ModuleRoot(t)
	eachWire(t, func(t *testing.T, open func(string, ...modeltest.Turn) *talk) {
		k := open(noWrite, script(mending)...)
		k.env = append(k.env, cached(t))
		if err := os.CopyFS(k.workspace, os.DirFS(root+"/examples/replay/workspace")); err != nil {
			t.Fatal(err)
		}
		a := k.ask("the tests fail")
		if code := a.wait(); code != 0 {
			t.Errorf("exit code %d\n%s", code, a.stderr)
		}
		if got := a.stdout.String(); got != "It is mended.\n" {
			t.Errorf("stdout is %q", got)
		}
		contains(t, a.stderr.String(), "→ read", "← exec", "denied by tools.deny")
		a.keepsSecret(modeltest.Key)
		wantMending(t, k.conversation())

		test := exec.Command("go", "test", "-count=1", "./...")
		test.Dir = k.workspace
		if out, err := test.CombinedOutput(); err != nil {
			t.Errorf("the test is not green: %v\n%s", err, out)
		}
	})
}

// wantMending compares what was kept with the script.
func wantMending(t *testing.T, kept []model.Message) {
	t.Helper()
	if want := 2*len(mending) + 2; len(kept) != want {
		t.Fatalf("%d messages were kept, want %d", len(kept), want)
	}
	if first, last := kept[0], kept[len(kept)-1]; first.Role != model.RoleUser || first.Text() != "the tests fail" || last.Text() != "It is mended." {
		t.Errorf("the conversation goes from %+v to %+v", first, last)
	}
	for i, steps := range mending {
		calls, results := kept[1+2*i].Calls(), answers(kept[2+2*i])
		if len(calls) != len(steps) || len(results) != len(steps) {
			t.Fatalf("message %d has %d calls and %d results, want %d", i, len(calls), len(results), len(steps))
		}
		for j, s := range steps {
			if got := string(calls[j].Args); got != s.args {
				t.Errorf("the arguments %s were kept as %s", s.args, got)
			}
			if text := said(results[j]); results[j].IsError != s.failed || !strings.Contains(text, s.want) {
				t.Errorf("%s %s: error %t, %q", s.name, s.args, results[j].IsError, text)
			}
		}
	}
}
