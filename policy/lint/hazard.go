package lint

import (
	"fmt"
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// Shorter names for what stands in many signatures here.
type (
	pos       = toolrest.Pos
	situation = survey.Situation
)

// writers are the tools that change files.
var writers = []string{"write", "edit", "apply_patch"}

// hazards reports who may run commands where files may not be written.
func (c *checker) hazards() {
	told := map[pos]int{}
	for i := range c.sits {
		s := &c.sits[i]
		if s.Asks.Depth > 0 || s.Asks.Sandbox == "on" || !c.leaves(i, "exec") {
			continue
		}
		step, layer, ok := c.forbidsWriting(i)
		if !ok {
			continue
		}
		if n, again := told[step.Pos]; again {
			f := &c.out.Findings[n]
			if who := "for " + s.Agent; len(s.Traits) == 0 && !slices.Contains(f.Proof, who) {
				f.Proof = append(f.Proof, who)
			}
			continue
		}
		told[step.Pos] = len(c.out.Findings)
		f := Finding{
			Code: ExecWithoutWrite, Pos: step.Pos, Path: layer.DenyPath, Entry: step.Rule,
			Text:  fmt.Sprintf("exec may run although write is %s: a command can write files just as well", step.Reason()),
			Proof: []string{"for " + s.String()},
			Hint:  "take exec and process away too, or let them run in a sandbox that cannot write",
		}
		if layer.DenyPath != "" && step.Effect == policy.Denied {
			f.Fix.Edits = []policy.Edit{{Op: policy.EditAdd, Path: layer.DenyPath, Value: "group:runtime", Pos: c.posOf(layer.DenyPath)}}
		}
		c.report(f)
	}
}

// posOf is where a list stands.
func (c *checker) posOf(path string) pos {
	i := slices.IndexFunc(c.lists, func(l list) bool { return l.path == path })
	if i < 0 {
		return pos{}
	}
	return c.lists[i].Pos
}

// forbidsWriting gives the step that takes write away by a deny entry, or by
// an allow list that leaves reading and no way to write.
func (c *checker) forbidsWriting(i int) (policy.Step, policy.Layer, bool) {
	tool := c.index("write")
	if tool < 0 || c.whole(i).has(tool) {
		return policy.Step{}, policy.Layer{}, false
	}
	s := &c.sits[i]
	steps := c.tracer(s)(tool).Steps
	at := slices.IndexFunc(steps, func(st policy.Step) bool { return st.Effect.Removes() })
	layer := c.layers(i)[at]
	if steps[at].Pos.IsZero() || layer.Profile != "" || layer.Place < policy.PlaceProfile || layer.Place > policy.PlaceInherited {
		return policy.Step{}, policy.Layer{}, false
	}
	reads := c.leaves(i, "read") && !slices.ContainsFunc(writers, func(w string) bool { return c.leaves(i, w) })
	return steps[at], layer, steps[at].Effect == policy.Denied || reads
}

// leaves reports whether a tool is left in a situation.
func (c *checker) leaves(i int, name string) bool {
	tool := c.index(name)
	return tool >= 0 && c.whole(i).has(tool)
}

func (c *checker) index(name string) int {
	return slices.IndexFunc(c.inv.Tools, func(t policy.Tool) bool { return t.Name == name })
}
