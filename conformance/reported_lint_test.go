package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
	"github.com/toolrest/toolrest/policy/survey"
)

// unknown are the entries that lint takes for names of nothing.
func (w world) unknown(t *testing.T) []string {
	t.Helper()
	cfg := load(t, w.config)
	tools := plan.Subjects(w.registry(t).Snapshot())
	report, err := lint.Check(t.Context(), cfg, survey.NewInventory(cfg.Dialect, tools), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range report.Findings {
		if f.Code == lint.UnknownName {
			out = append(out, f.Path+": "+f.Entry)
		}
	}
	slices.Sort(out)
	return out
}

// TestReportedUnknownNames is BR-003, BR-033, BR-036 and BR-217: what is said of
// names, once each, and what is not.
func TestReportedUnknownNames(t *testing.T) {
	for _, c := range []struct {
		id    string
		world world
		want  []string
	}{
		{"BR-003 a tool of the catalogue is never unknown, also when it is not there", world{
			config: `{tools: {profile: 'coding', allow: ['group:fs', 'apply_patch']}}`, core: []string{"read", "write", "edit", "exec"},
		}, []string{}},
		// grep is a name of our catalogue, so only glob is unknown.
		{"BR-033 each unknown name once", world{
			config: `{agents: {list: [{id: 'dev', tools: {allow: ['read', 'edit', 'exec', 'glob', 'grep'], deny: ['cronn']}}]}}`,
		}, []string{"agents.list[0].tools.allow: glob", "agents.list[0].tools.deny: cronn"}},
		{"BR-036 nothing is wrong with an empty list beside alsoAllow", world{
			config: `{tools: {subagents: {tools: {allow: [], alsoAllow: ['read']}}}}`,
		}, []string{}},
		{"BR-217 group:coding is no group", world{config: byModel}, []string{`tools.byProvider["anthropic/claude-opus"].allow: group:coding`}},
	} {
		t.Run(c.id, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.world.unknown(t)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestReportedOwnDenies is BR-105 for the lists that tools have: a deny list of
// one's own adds to the built-in one of sub-agents, also where it is empty.
func TestReportedOwnDenies(t *testing.T) {
	for _, list := range []string{`['exec']`, `[]`} {
		w := world{config: `{tools: {profile: 'full', subagents: {tools: {deny: ` + list + `}}}}`}
		p := w.plan(t, toolrest.Caller{Session: "agent:main:subagent:1", Owner: true})
		for _, name := range []string{"cron", "gateway", "sessions_send"} {
			if d := p.Resolve(name); d.Entry != nil || !strings.HasPrefix(d.Refusal.Layer, "subagent tools") {
				t.Errorf("deny: %s: %s is not denied to sub-agents: %+v", list, name, d.Refusal)
			}
		}
		if hidden := p.Resolve("exec").Entry == nil; hidden != (list != `[]`) {
			t.Errorf("deny: %s: exec is hidden: %v", list, hidden)
		}
	}
}

// TestReportedSilence is the other half of BR-036: the guard has nothing to say.
func TestReportedSilence(t *testing.T) {
	p := world{config: `{tools: {subagents: {tools: {allow: [], alsoAllow: ['read']}}}}`}.plan(t, toolrest.Caller{Session: "agent:main:subagent:1"})
	if err := p.Guard(policy.Run{}, policy.GuardFacts{}); err != nil {
		t.Error(err)
	}
}
