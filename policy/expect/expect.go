// Package expect holds a config to what somebody expects of it: in this
// situation these tools are there and those are not, and it is this layer that
// takes one away. A file of such expectations lies beside the config and is
// checked in CI, so that a change that opens or closes more than was meant is
// noticed before it counts.
//
// An expectation is about policy alone: whether a tool is in this build and
// has its credentials depends on the machine, and a test should not. A name
// that nobody has is an error, not an expectation that happens to hold.
package expect

import (
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// FileName is what a file of expectations is called beside its config.
const FileName = "toolrest_test.json5"

// Suite is a file of expectations.
type Suite struct {
	File  string
	Cases []Case // in the order of the file
}

// Case are the expectations of one situation.
type Case struct {
	Name string
	Pos  toolrest.Pos
	// Asks is the caller. Its owner is already decided where the file says so;
	// else OwnerFromConfig is set for callers in a chat.
	Asks            policy.Context
	OwnerFromConfig bool

	Sees, Not []Want
	// Only, where it is there, are all the tools that there are.
	Only      []Want
	HasOnly   bool
	OnlyPos   toolrest.Pos
	RemovedBy []Removal
}

// Want is an entry of sees, only or not: a tool, a group, a glob or a plugin.
type Want struct {
	Text  string
	Pos   toolrest.Pos
	tools []policy.Tool
}

// Removal says which layer takes a tool away.
type Removal struct {
	Tool  Want
	Layer string
	Pos   toolrest.Pos // of the layer's name
}

// Failure is an expectation that does not hold.
type Failure struct {
	Pos  toolrest.Pos `json:"pos"` // of the expectation
	Text string       `json:"text"`
	// Tool is the tool that it failed for, and Step what decided about it.
	Tool string       `json:"tool,omitempty"`
	Step *policy.Step `json:"step,omitempty"`
	Hint string       `json:"hint,omitempty"`
}

// Result is how one case went.
type Result struct {
	Name     string       `json:"name"`
	Pos      toolrest.Pos `json:"pos"`
	Failures []Failure    `json:"failures"` // empty when all holds
}

// Situations gives the situations of the cases, for those who ask something
// else in them.
func (s *Suite) Situations(cfg *policy.Config) []survey.Situation {
	var out []survey.Situation
	for i := range s.Cases {
		c := &s.Cases[i]
		out = append(out, survey.Situation{Agent: c.Asks.Agent, Traits: []string{c.Name}, Asks: c.context(cfg)})
	}
	return out
}

// context gives whom the case asks for.
func (c *Case) context(cfg *policy.Config) policy.Context {
	ctx := c.Asks
	if c.OwnerFromConfig {
		ctx.Owner = policy.Owner(cfg, ctx)
	}
	return ctx
}

// Check holds the config to the suite. The inventory is that which the suite
// was read with.
func (s *Suite) Check(cfg *policy.Config, inv *survey.Inventory) []Result {
	out := make([]Result, 0, len(s.Cases))
	for i := range s.Cases {
		c := &s.Cases[i]
		situation := survey.Situation{Agent: c.Asks.Agent, Asks: c.context(cfg)}
		t := trial{pipeline: inv.Pipeline(cfg, &situation), inv: inv}
		t.sees(c)
		t.not(c)
		t.only(c)
		t.removedBy(c)
		if t.failures == nil {
			t.failures = []Failure{}
		}
		out = append(out, Result{Name: c.Name, Pos: c.Pos, Failures: t.failures})
	}
	return out
}

// trial checks one case.
type trial struct {
	pipeline *policy.Pipeline
	inv      *survey.Inventory
	failures []Failure
}

func (t *trial) fail(w Want, tool string, step policy.Step, format string, args ...any) {
	f := Failure{Pos: w.Pos, Text: fmt.Sprintf(format, args...), Tool: tool}
	if step.Layer != "" {
		f.Step = &step
	}
	t.failures = append(t.failures, f)
}

func (t *trial) sees(c *Case) {
	for _, w := range c.Sees {
		for _, tool := range w.tools {
			if trace := t.pipeline.Decide(tool); !trace.Kept {
				step := trace.Removing()[0]
				t.fail(w, tool.Name, step, "sees '%s', but %s is %s", w.Text, tool.Name, told(step))
			}
		}
	}
}

func (t *trial) not(c *Case) {
	for _, w := range c.Not {
		for _, tool := range w.tools {
			if trace := t.pipeline.Decide(tool); trace.Kept {
				step := keeping(trace)
				t.fail(w, tool.Name, step, "not '%s', but %s is there: %s", w.Text, tool.Name, told(step))
			}
		}
	}
}

// only wants each entry to be there, and nothing else.
func (t *trial) only(c *Case) {
	if !c.HasOnly {
		return
	}
	wanted := map[string]bool{}
	for _, w := range c.Only {
		for _, tool := range w.tools {
			wanted[names.Normalise(tool.Name)] = true
			if trace := t.pipeline.Decide(tool); !trace.Kept {
				step := trace.Removing()[0]
				t.fail(w, tool.Name, step, "only has '%s', but %s is %s", w.Text, tool.Name, told(step))
			}
		}
	}
	for _, tool := range t.inv.Tools {
		if trace := t.pipeline.Decide(tool); trace.Kept && !wanted[names.Normalise(tool.Name)] {
			step := keeping(trace)
			t.fail(Want{Pos: c.OnlyPos}, tool.Name, step, "only does not have %s, which is there: %s", tool.Name, told(step))
		}
	}
}

func (t *trial) removedBy(c *Case) {
	for _, r := range c.RemovedBy {
		for _, tool := range r.Tool.tools {
			trace := t.pipeline.Decide(tool)
			at := Want{Pos: r.Pos}
			if trace.Kept {
				step := keeping(trace)
				t.fail(at, tool.Name, step, "%s is to be removed by %s, but it is there: %s", tool.Name, r.Layer, told(step))
				continue
			}
			step := trace.Removing()[0]
			if step.Layer == r.Layer {
				continue
			}
			t.fail(at, tool.Name, step, "%s is to be removed by %s, but it is %s", tool.Name, r.Layer, told(step))
			t.failures[len(t.failures)-1].Hint = layerHint(r.Layer, trace)
		}
	}
}

// layerHint helps with the name of a layer that does not exist here.
func layerHint(label string, trace policy.Trace) string {
	var labels []string
	for _, s := range trace.Steps {
		for _, known := range []string{s.Layer, policy.DenyLabel(s.Layer)} {
			if known == label {
				return ""
			}
			labels = append(labels, known)
		}
	}
	if near := names.Nearest(label, labels, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "no layer is called so here"
}

// keeping is the step that tells best why a tool is there: the last that
// allows it by a rule.
func keeping(t policy.Trace) policy.Step {
	var out policy.Step
	for _, s := range t.Steps {
		if s.Effect == policy.Allowed {
			out = s
		}
	}
	return out
}

// told gives the reason and the place of a step.
func told(s policy.Step) string {
	if s.Layer == "" {
		return "no layer restricts it"
	}
	text := s.Reason()
	if p := s.Pos.String(); p != "" {
		text += " (" + p + ")"
	}
	return strings.TrimSpace(text)
}
