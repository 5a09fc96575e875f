package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/approve"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// echo is a tool that answers with the arguments it got.
func echo(name, schema string) toolrest.Tool {
	tool := run(name, func(_ context.Context, call *toolrest.Call) (*toolrest.Result, error) {
		return toolrest.TextResult(call.Tool + " " + string(call.Args)), nil
	})
	tool.InputSchema = json.RawMessage(schema)
	return tool
}

const (
	pathSchema = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`
	twoSchema  = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`
)

// TestReportedCalls are faults that users of other agents reported about the
// names and arguments of calls, by their ids.
func TestReportedCalls(t *testing.T) {
	tools := []toolrest.Tool{
		echo("read", pathSchema), echo("write", pathSchema), echo("t", twoSchema),
		echo("run", `{"type":"object","properties":{"command":{"type":"string"},"pattern":{"type":"string"},"a":{"type":"string"}},"minProperties":1}`),
	}
	d := New(Options{Plan: planner(t, nil, tools...)})
	for _, c := range []struct {
		report   string
		id, tool string
		args     string
		code     toolrest.Code
		text     string
	}{
		{"BR-198", "functions.read:0", "read", `{"path":"a"}`, "", `read {"path":"a"}`},
		{"BR-198", "functionsread3", "read", `{"path":"a"}`, "", `read {"path":"a"}`},
		{"BR-198", "", "read", `{"path":"a"}`, "", `read {"path":"a"}`},
		{"BR-198", "functions.write:0", "read", `{"path":"a"}`, "", `read {"path":"a"}`},
		{"BR-199", "1", "", `{}`, toolrest.CodeUnknown, "no tool has this name"},
		{"BR-199", "functions.read:0", "", `{"path":"a"}`, toolrest.CodeUnknown, "no tool has this name"},
		{"BR-199", "2", "read", `{}`, toolrest.CodeArguments, "path: required, but missing"},
		{"BR-199", "3", "read", `{"path":"a.txt"}`, "", `read {"path":"a.txt"}`},
		{"BR-201", "1", "write", `{"path": "a.txt", "content": `, toolrest.CodeArguments, `the JSON is incomplete: it ends after 28 bytes; nothing was run. Write one whole JSON object. You wrote: {"path": "a.txt", "content":`},
		{"BR-204", "1", "read", "```json\n{\"path\":\"a.txt\"}\n```", "", `read {"path":"a.txt"}`},
		{"BR-204", "1", "read", `{"path":"a.txt"} I will read it now`, "", `read {"path":"a.txt"}`},
		{"BR-205", "1", "t", `{"a":"x","b":"y"}{"a":`, "", `t {"a":"x","b":"y"}`},
		{"BR-205", "1", "t", `{}{"a":"x","b":"y"}`, "", `t {"a":"x","b":"y"}`},
		{"BR-206", "1", "run", `{"command":"dir C:\projects\data"}`, "", `run {"command":"dir C:\\projects\\data"}`},
		{"BR-206", "1", "run", `{"pattern":"\d+\.\d+"}`, "", `run {"pattern":"\\d+\\.\\d+"}`},
		{"BR-206", "1", "run", `{"command":"echo \u12"}`, "", `run {"command":"echo \\u12"}`},
		{"BR-206", "1", "run", `{"a":"line\nnext \u0041"}`, "", `run {"a":"line\nnext \u0041"}`},
	} {
		r := d.Dispatch(context.Background(), &toolrest.Call{ID: c.id, Tool: c.tool, Args: []byte(c.args)})
		if code(r) != c.code || !strings.Contains(r.AllText(), c.text) {
			t.Errorf("%s: %s %s: %s %q, want %q", c.report, c.tool, c.args, code(r), r.AllText(), c.text)
		}
	}
	long := d.Dispatch(context.Background(), &toolrest.Call{Tool: "write", Args: []byte(`{"path":"` + strings.Repeat("x", 10_000))})
	if n := len(long.AllText()); n > 1100 {
		t.Errorf("BR-201: the model reads %d bytes of what it wrote", n)
	}
}

func TestNamesAreRepairedOnlyWhereTheyAreUnique(t *testing.T) {
	d := New(Options{Plan: planner(t, []string{"secret"}, echo("read", "{}"), echo("docs.read", "{}"), echo("Save", "{}"), echo("save_", "{}"), echo("secret", "{}"))})
	for _, c := range []struct {
		name string
		code toolrest.Code
		tool string
	}{
		{"functions.read:0", "", "read"}, {"functions.READ", "", "read"}, {"docs/read", "", "docs.read"}, {"tools.SAVE", "", "Save"},
		{"nothing", toolrest.CodeUnknown, "nothing"}, {"functions.nothing:1", toolrest.CodeUnknown, "functions.nothing:1"},
		// A repaired name is no way around a deny.
		{"functions.secret:0", toolrest.CodeDenied, "secret"}, {"SECRET_1", toolrest.CodeDenied, "secret"},
	} {
		r := dispatch(d, c.name, "{}")
		got := strings.Fields(r.AllText())[0]
		if r.Refusal != nil {
			got = r.Refusal.Tool
		}
		if code(r) != c.code || got != c.tool {
			t.Errorf("%s: %s %s, want %s %s", c.name, code(r), got, c.code, c.tool)
		}
	}
}

// A visible tool is found before a hidden one, and two that can be meant are
// none.
func TestRepairLooksAtWhatIsVisibleFirst(t *testing.T) {
	d := New(Options{Plan: planner(t, []string{"a.find"}, echo("b.find", "{}"), echo("a.find", "{}"), echo("x.get", "{}"), echo("y.get", "{}"))})
	if r := dispatch(d, "functions.b.find:3", "{}"); code(r) != "" {
		t.Errorf("%s", r.AllText())
	}
	if r := dispatch(d, "get", "{}"); code(r) != toolrest.CodeUnknown {
		t.Errorf("%s", r.AllText())
	}
}

// What an identifier says counts for OpenClaw, where the name is blank and the
// identifier is the model's own.
func TestIdentifiersNameToolsForOpenClawAlone(t *testing.T) {
	r, err := registry.New(nil, registry.Source{Kind: registry.SDK, Tools: []toolrest.Tool{echo("read", "{}")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dialect     policy.Dialect
		id, session string
		code        toolrest.Code
	}{
		{policy.Default, "functions.read:0", "", toolrest.CodeUnknown},
		{policy.OpenClaw, "functions.read:0", "", ""},
		{policy.OpenClaw, "call_read_1", "", toolrest.CodeUnknown},
		{policy.OpenClaw, "", "", toolrest.CodeUnknown},
		{policy.OpenClaw, "agent:main:read_1", "agent:main:read", toolrest.CodeUnknown},
	} {
		pipe := policy.Compile(c.dialect, nil)
		d := New(Options{Plan: func(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
			return plan.Build(r.Snapshot(), pipe, plan.Context{Caller: who})
		}})
		got := d.Dispatch(context.Background(), &toolrest.Call{ID: c.id, Tool: " ", Caller: toolrest.Caller{Session: c.session}})
		if code(got) != c.code {
			t.Errorf("%v %q: %s", c.dialect, c.id, got.AllText())
		}
	}
}

// TestEverybodySeesTheRewrittenArguments: the person who is asked, the tool
// and the record, but not the caller, whose call stays as it was.
func TestEverybodySeesTheRewrittenArguments(t *testing.T) {
	var seen []string
	see := func(who string, call *toolrest.Call) {
		object, err := call.Object()
		if err != nil {
			t.Error(err)
		}
		seen = append(seen, fmt.Sprintf("%s: %s %s %v", who, call.Tool, call.Args, object["b"]))
	}
	d := New(Options{
		Plan: planner(t, nil, add()),
		Asks: func(call *toolrest.Call, _ *plan.Entry) (Asked, bool) {
			see("asks", call)
			return Asked{Why: "always"}, true
		},
		Approver: approver(func(_ context.Context, r approve.Request) (approve.Verdict, error) {
			see("approver", r.Call)
			return approve.Verdict{Allowed: true}, nil
		}),
		Middleware: []toolrest.Middleware{func(next toolrest.Handler) toolrest.Handler {
			return func(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
				see("tool", call)
				return next(ctx, call)
			}
		}},
		Observe: func(_ context.Context, r Record) { see("record", r.Call) },
	})
	call := &toolrest.Call{ID: "1", Tool: "functions.add", Args: []byte(`{"b":"2","a":1} so be it`)}
	if r := d.Dispatch(context.Background(), call); r.AllText() != "3" {
		t.Errorf("%s", r.AllText())
	}
	want := `: add {"b":2,"a":1} 2`
	if !slices.Equal(seen, []string{"asks" + want, "approver" + want, "tool" + want, "record" + want}) {
		t.Errorf("%q", seen)
	}
	if call.Tool != "functions.add" || string(call.Args) != `{"b":"2","a":1} so be it` {
		t.Errorf("the caller's call was changed: %s %s", call.Tool, call.Args)
	}
}

func TestEntitiesOfTheModelsThatWriteThem(t *testing.T) {
	d := New(Options{Plan: planner(t, nil, echo("read", pathSchema))})
	for provider, want := range map[string]string{"xai": `read {"path":"a && b"}`, "openai": `read {"path":"a &amp;&amp; b"}`} {
		r := d.Dispatch(context.Background(), &toolrest.Call{Tool: "read", Args: []byte(`{"path":"a &amp;&amp; b"}`), Caller: toolrest.Caller{Provider: provider}})
		if r.AllText() != want {
			t.Errorf("%s: %s", provider, r.AllText())
		}
	}
}

// BenchmarkDecodeAndCall is what a call costs that nothing governs: the
// yardstick beside BenchmarkDispatch.
func BenchmarkDecodeAndCall(b *testing.B) {
	tool := add()
	args := []byte(`{"a":1,"b":2}`)
	b.ReportAllocs()
	for b.Loop() {
		if r, err := tool.Executor.Execute(context.Background(), &toolrest.Call{ID: "1", Tool: "add", Args: args}); err != nil || r.IsError {
			b.Fatal(err)
		}
	}
}
