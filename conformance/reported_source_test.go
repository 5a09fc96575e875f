package conformance

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

// TestReportedMuteServer is BR-045: a server whose tools are all taken away
// says so, with the layer for each.
func TestReportedMuteServer(t *testing.T) {
	w := world{
		config: `{tools: {profile: 'full', deny: ['alpha__*']}, mcp: {servers: {alpha: {transport: 'streamable-http', url: 'http://127.0.0.1:3900/mcp'}}}}`,
		core:   []string{"read"}, mcp: map[string][]string{"alpha": {"a", "b", "c", "d"}},
	}
	p := w.plan(t, toolrest.Caller{})
	for _, r := range p.Sources() {
		if r.Source == "core" {
			if r.Mute() {
				t.Error("the core tools are visible")
			}
			continue
		}
		if r.Listed != 4 || len(r.Visible) != 0 || len(r.Hidden) != 4 || !r.Mute() {
			t.Errorf("got %+v", r)
		}
		for _, h := range r.Hidden {
			if h.Layer != "tools.deny" || !strings.Contains(h.Reason, "'alpha__*'") {
				t.Errorf("%+v", h)
			}
		}
	}
	if diff := cmp.Diff([]string{"alpha__a", "alpha__b", "alpha__c", "alpha__d"}, p.Matching("alpha")); diff != "" {
		t.Errorf("the tools of the server (-want +got)\n%s", diff)
	}
}

// TestReportedUnkeptTool is BR-044: a tool that a manifest declares and the
// code does not bring is nobody's to call; the others stay.
func TestReportedUnkeptTool(t *testing.T) {
	tools, out := policy.PluginTools([]policy.Plugin{{
		ID: "recall", Declares: []string{"rc_grep", "rc_open"},
		Brings: []policy.Registration{{Tools: []policy.BroughtTool{{Name: "rc_grep"}}}},
	}}, nil, nil)
	if diff := cmp.Diff([]policy.PluginTool{{Name: "rc_grep", Plugin: "recall"}}, tools); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(out) != 1 || out[0].Tool != "rc_open" || !strings.Contains(out[0].Why, "nothing to run") {
		t.Errorf("left out: %+v", out)
	}
	p := world{config: `{tools: {profile: 'full'}}`, plugins: map[string][]string{"recall": {"rc_grep"}}}.plan(t, toolrest.Caller{})
	if p.Resolve("rc_grep").Entry == nil || p.Resolve("rc_open").Refusal == nil {
		t.Error("rc_grep must be visible, and rc_open not")
	}
}

// TestReportedSilentTurn is BR-034: a list that names no tool never gives a
// silent turn without tools. Of the two ways out, the turn ends with an error.
func TestReportedSilentTurn(t *testing.T) {
	p := world{config: `{agents: {list: [{id: 'main', tools: {allow: ['mesage']}}]}}`}.plan(t, toolrest.Caller{})
	err := p.Guard(policy.Run{}, policy.GuardFacts{})
	var guard *policy.GuardError
	if !errors.As(err, &guard) || len(p.Names()) != 0 {
		t.Fatalf("visible %v, error %v", p.Names(), err)
	}
	step, stops := p.GuardStep(policy.Run{}, policy.GuardFacts{})
	if !stops || step.Effect != policy.Stopped || step.Why != err.Error() || step.Pos != guard.Sources[0].Pos {
		t.Errorf("the step is %+v", step)
	}
	for _, part := range []string{"mesage", "agents.main.tools.allow", "did you mean message?"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q: %v", part, err)
		}
	}
}
