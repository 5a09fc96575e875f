package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// together reports allow lists that have nothing in common with what the
// other layers leave: wherever one of them counts, it lets nothing through.
func (c *checker) together() {
	for n, l := range c.lists {
		if l.kind != allow || !usable(l.Entries) || l.scope.kind == scopeDoor {
			continue
		}
		tools := c.matches(allow, l.Entries...)
		i := c.alwaysEmpty(l, tools)
		if i < 0 {
			continue
		}
		f := Finding{
			Code: NeverTogether, Pos: l.Pos, Path: l.path,
			Text: l.path + " lets nothing through: other layers take away all that it names",
		}
		if len(tools) == 0 {
			f.Text = l.path + " lets nothing through: it names nothing that exists"
		}
		f.Proof = c.removers(&c.sits[i], tools)
		f.Fix = c.letThrough(&c.sits[i], l)
		for at, e := range l.Entries {
			if c.inert[n][at] == idle {
				f.Entries = append(f.Entries, e)
			}
		}
		c.told[l.List] = true
		c.report(f)
	}
	c.emptied()
}

// alwaysEmpty gives the first situation in which the list restricts, when in
// none of these any of the tools is left; else -1.
func (c *checker) alwaysEmpty(l list, tools []int) int {
	first := -1
	for i := range c.sits {
		s := &c.sits[i]
		if !l.concerns(s) || !slices.ContainsFunc(c.layers(i), l.restricts) {
			continue
		}
		if kept := c.whole(i); slices.ContainsFunc(tools, kept.has) {
			return -1
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// restricts reports whether a layer is the list's, and not one that only adds.
func (l list) restricts(layer policy.Layer) bool {
	return layer.AllowPath == l.path && !layer.Implicit && slices.Contains(layer.Allow, l.Entries[0])
}

func (b bits) has(tool int) bool { return b[tool/64]>>(tool%64)&1 == 1 }

// removers tells what takes the tools away.
func (c *checker) removers(s *survey.Situation, tools []int) []string {
	var r reasons
	trace := c.tracer(s)
	for _, tool := range tools {
		if removing := trace(tool).Removing(); len(removing) > 0 {
			r.add(c.name(tool), removing[0])
		}
	}
	return r.lines()
}

// letThrough is the change after which the tools that the list names one by
// one are there.
func (c *checker) letThrough(s *survey.Situation, l list) policy.Fix {
	const most = 10
	var fix policy.Fix
	p := c.inv.Pipeline(c.cfg, s)
	for i, tool := range c.inv.Tools {
		named := func(e policy.Entry) bool { return names.Normalise(e.Text) == names.Normalise(tool.Name) }
		if len(fix.Edits) >= most || !c.real(i) || !slices.ContainsFunc(l.Entries, named) {
			continue
		}
		more := p.Allow(tool)
		if len(more.Remedies) > 0 {
			return policy.Fix{}
		}
		for _, e := range more.Edits {
			if !slices.Contains(fix.Edits, e) {
				fix.Edits = append(fix.Edits, e)
			}
		}
	}
	return fix
}

// emptied reports the lists that leave somebody without any tool in a
// situation, although they have their use in others.
func (c *checker) emptied() {
	told := map[string]bool{}
	for i := range c.sits {
		s := &c.sits[i]
		if c.leftWith(i) > 0 || s.Asks.Depth > 0 || s.Asks.Sandbox == "on" && !c.sandboxes(s.Agent) {
			continue
		}
		at, layer := c.emptier(i)
		if at < 0 || told[layer.AllowPath] {
			continue
		}
		l, ok := c.listAt(layer.AllowPath)
		if !ok || c.told[l.List] {
			continue
		}
		told[layer.AllowPath] = true
		c.report(Finding{
			Code: NeverTogether, Pos: l.Pos, Path: l.path,
			Text:  fmt.Sprintf("%s leaves no tool at all to %s", l.path, s),
			Proof: c.removers(s, c.matches(allow, l.Entries...)),
			Fix:   c.letThrough(s, l),
		})
	}
}

// leftWith counts the known tools that are left in a situation.
func (c *checker) leftWith(i int) int {
	n := 0
	kept := c.whole(i)
	for tool := range c.subjects {
		if kept.has(tool) && c.real(tool) {
			n++
		}
	}
	return n
}

// emptier gives the layer that takes the last tool, where it does so by an
// allow list that a file holds.
func (c *checker) emptier(i int) (int, policy.Layer) {
	last := -1
	var effect policy.Effect
	trace := c.tracer(&c.sits[i])
	for tool := range c.subjects {
		if !c.real(tool) {
			continue
		}
		for at, step := range trace(tool).Steps {
			if step.Effect.Removes() {
				if at > last || at == last && step.Effect == policy.NotAllowed {
					last, effect = at, step.Effect
				}
				break
			}
		}
	}
	if last < 0 || effect != policy.NotAllowed {
		return -1, policy.Layer{}
	}
	return last, c.layers(i)[last]
}

func (c *checker) listAt(path string) (list, bool) {
	i := slices.IndexFunc(c.lists, func(l list) bool { return l.path == path && l.kind == allow })
	if i < 0 || len(c.lists[i].Entries) == 0 {
		return list{}, false
	}
	return c.lists[i], true
}

// sandboxes reports whether sessions of an agent can run in a sandbox.
func (c *checker) sandboxes(agent string) bool {
	for cfg := c.cfg; cfg != nil; cfg = cfg.Base {
		mode := cfg.Defaults.SandboxMode
		for i := range cfg.Agents {
			if a := &cfg.Agents[i]; names.AgentID(a.ID) == agent && a.SandboxMode != "" {
				mode = a.SandboxMode
			}
		}
		if mode != "" && !strings.EqualFold(mode, "off") {
			return true
		}
	}
	return false
}
