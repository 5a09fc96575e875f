package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

// Every list that asks for tools is a source, under its label and at its place;
// profiles and senders are none.
func TestListSources(t *testing.T) {
	text := `{
		tools: {
			profile: "minimal", allow: ["a", " "],
			byProvider: { openai: { allow: ["b"] } },
			toolsBySender: { "*": { allow: ["no"] } },
			sandbox: { tools: { allow: ["c"] } },
			subagents: { tools: { allow: ["d"] } },
		},
		agents: { list: [{ id: "ops", tools: { alsoAllow: ["e"], byProvider: { openai: { allow: ["f"], deny: ["x"] } } } }] },
		channels: { telegram: { groups: { "-100": { tools: { allow: ["g"] } } } } },
	}`
	ctx := policy.Context{
		Caller: toolrest.Caller{
			Session: "agent:ops:subagent:telegram:group:-100", Provider: "openai", Channel: "telegram", Sandbox: "on",
		},
		Run: policy.Run{Allow: entry("h"), Message: true},
		Sessions: func(string) (policy.Session, bool) {
			return policy.Session{InheritedAllow: []string{"i"}}, true
		},
	}
	want := []string{
		"tools.allow c.json5:3:31: a",
		"tools.byProvider.allow c.json5:4:35: b",
		"agents.ops.tools.allow c.json5:9:54: * e",
		"agents.ops.tools.byProvider.allow c.json5:9:91: f",
		"group tools.allow c.json5:10:63: g",
		"sandbox tools.allow c.json5:6:31: c image",
		"subagent tools.allow c.json5:7:33: d",
		"inherited tools.allow : i",
		"runtime toolsAllow : h message (forced)",
	}
	cfg := read(t, text)
	for _, d := range []policy.Dialect{policy.OpenClaw, policy.Default} {
		cfg.Dialect = d
		sources := policy.ListSources(policy.Resolve(cfg, ctx).Layers, ctx.Run)
		var got []string
		for _, s := range sources {
			line := s.Label + " " + s.Pos.String() + ":"
			for _, e := range s.Entries {
				line += " " + e.Text
			}
			if s.Forced {
				line += " (forced)"
			}
			got = append(got, line)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("dialect %d:\n%s\nwant\n%s", d, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		err := policy.Guard(sources, nil, policy.GuardFacts{})
		for _, s := range sources {
			if !strings.Contains(err.Error(), s.Label+" ") || !strings.Contains(err.Error(), s.Pos.String()) {
				t.Errorf("the message does not name %s at %s: %s", s.Label, s.Pos, err)
			}
		}
	}
}

func TestGuard(t *testing.T) {
	written, _ := policy.NewListSource("tools.allow", entry("Bash", " ", "apply-patch"), false)
	forced, _ := policy.NewListSource("runtime toolsAllow", entry("y"), true)
	for _, c := range []struct {
		name      string
		sources   []policy.ListSource
		callable  []string
		facts     policy.GuardFacts
		requested string // empty for no error
		reason    policy.GuardReason
	}{
		{"nobody asks", nil, nil, policy.GuardFacts{}, "", ""},
		{"a tool is left", []policy.ListSource{written}, []string{"read"}, policy.GuardFacts{}, "", ""},
		{"a blank name is no tool", []policy.ListSource{written}, []string{" ", "\ufeff"}, policy.GuardFacts{},
			"tools.allow: exec, apply_patch", policy.GuardNoMatch},
		{"the model cannot", []policy.ListSource{written, forced}, nil, policy.GuardFacts{ModelNoTools: true},
			"tools.allow: exec, apply_patch; runtime toolsAllow: y", policy.GuardModel},
		{"switched off, and the run itself asks", []policy.ListSource{written, forced}, nil,
			policy.GuardFacts{ToolsOff: true, ModelNoTools: true}, "runtime toolsAllow: y", policy.GuardToolsOff},
		{"switched off, and only the config asks", []policy.ListSource{written}, nil, policy.GuardFacts{ToolsOff: true}, "", ""},
	} {
		err := policy.Guard(c.sources, c.callable, c.facts)
		if (err == nil) != (c.requested == "") {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err != nil && (err.Requested() != c.requested || err.Reason != c.reason) {
			t.Errorf("%s: %q for %q, want %q for %q", c.name, err.Requested(), err.Reason, c.requested, c.reason)
		}
	}
	if _, ok := policy.NewListSource("x", entry(" ", "\t"), true); ok {
		t.Error("a list of blanks asks for something")
	}
}

// BR-034: the list of an agent names no tool that exists. Of the two ways that
// the case offers, the turn ends with an error that shows the word and its
// list; core tools do not come back.
func TestMisspeltList(t *testing.T) {
	cfg := read(t, `{agents:{list:[{id:"main",tools:{allow:["mesage"]}}]}}`)
	ctx := run(policy.Run{})
	p := pipeline(cfg, ctx)
	var callable []string
	for _, tool := range filterTools {
		if p.Decide(tool).Kept {
			callable = append(callable, tool.Name)
		}
	}
	var guard *policy.GuardError
	err := error(policy.Guard(policy.ListSources(policy.Resolve(cfg, ctx).Layers, ctx.Run), callable, policy.GuardFacts{}))
	if !errors.As(err, &guard) {
		t.Fatalf("no error; left are %q", callable)
	}
	want := "no tool is left to call: agents.main.tools.allow (c.json5:1:40) asks for mesage (did you mean message?); " +
		"but no tool that is there matches: correct the lists, or enable the plugin or server that brings the tools"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}

func TestGuardOfHugeLists(t *testing.T) {
	many := make([]string, 100_000)
	for i := range many {
		many[i] = fmt.Sprintf("no_such_tool_%d\x1b[31m%s", i, strings.Repeat("x", 100))
	}
	s, _ := policy.NewListSource("tools.allow", entry(many...), false)
	text := policy.Guard([]policy.ListSource{s}, nil, policy.GuardFacts{}).Error()
	if len(text) > 4<<10 || strings.Contains(text, "\x1b") || !strings.Contains(text, "and 99990 more") {
		t.Errorf("%d bytes: %.300q", len(text), text)
	}
}
