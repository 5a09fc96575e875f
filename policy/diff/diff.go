// Package diff says what a change of a config changes: which tools appear and
// vanish, for whom, and what decided before and what decides after. It
// compares decisions, not texts: two configs that say the same in other words
// have no difference.
//
// Like all of policy it is pure: it reads no files and asks nobody.
package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// Reason is why a tool is there, or is not.
type Reason struct {
	Text  string       `json:"text"`
	Layer string       `json:"layer,omitempty"`
	Rule  string       `json:"rule,omitempty"`
	Pos   toolrest.Pos `json:"pos,omitzero"`
}

// String gives the reason with its place.
func (r Reason) String() string {
	if p := r.Pos.String(); p != "" {
		return r.Text + " (" + p + ")"
	}
	return r.Text
}

// Change is a tool that appears or vanishes.
type Change struct {
	Tool    string `json:"tool"`
	Appears bool   `json:"appears"`
	Before  Reason `json:"before"`
	After   Reason `json:"after"`
}

// Block are the changes that the same situations have.
type Block struct {
	// Where names the situations in a few words, and Situations each of them.
	Where      string   `json:"where"`
	Situations []string `json:"situations"`
	Changes    []Change `json:"changes"` // sorted by tool
	first      int
}

// Agent is an agent that only one of the configs has.
type Agent struct {
	ID    string `json:"id"`
	New   bool   `json:"new"` // else it is gone
	Tools int    `json:"tools"`
}

// Report is the whole difference.
type Report struct {
	Agents []Agent `json:"agents"`
	Blocks []Block `json:"blocks"`
	// Situations is how many were compared.
	Situations int `json:"situations"`
}

// Same reports whether there is no difference.
func (r *Report) Same() bool { return len(r.Agents)+len(r.Blocks) == 0 }

// Compare compares two configs in these situations. The inventory holds the
// tools of both.
func Compare(before, after *policy.Config, inv *survey.Inventory, situations []survey.Situation) Report {
	c := comparer{old: before, new: after, inv: inv, groups: map[Change][]int{}}
	agents := map[string]bool{}
	for i := range situations {
		s := &situations[i]
		if old, now := has(before, s.Agent), has(after, s.Agent); old != now {
			if !agents[s.Agent] {
				agents[s.Agent] = true
				c.out.Agents = append(c.out.Agents, c.lone(s, now))
			}
			continue
		}
		c.situations = append(c.situations, *s)
		c.compare(len(c.situations)-1, s)
	}
	c.out.Situations = len(c.situations)
	c.block()
	return c.out
}

// has reports whether a config knows an agent. Each knows the main one.
func has(cfg *policy.Config, agent string) bool {
	if agent == names.MainAgent {
		return true
	}
	for ; cfg != nil; cfg = cfg.Base {
		if slices.ContainsFunc(cfg.Agents, func(a policy.Agent) bool { return names.AgentID(a.ID) == agent }) {
			return true
		}
	}
	return false
}

type comparer struct {
	old, new   *policy.Config
	inv        *survey.Inventory
	situations []survey.Situation
	order      []Change
	groups     map[Change][]int // situations by change
	out        Report
}

func (c *comparer) lone(s *survey.Situation, isNew bool) Agent {
	cfg := c.old
	if isNew {
		cfg = c.new
	}
	p := c.inv.Pipeline(cfg, s)
	a := Agent{ID: s.Agent, New: isNew}
	for _, t := range c.inv.Tools {
		if !strings.Contains(t.Name, "*") && p.Decide(t).Kept {
			a.Tools++
		}
	}
	return a
}

// compare notes what differs in one situation.
func (c *comparer) compare(i int, s *survey.Situation) {
	before, after := c.inv.Pipeline(c.old, s), c.inv.Pipeline(c.new, s)
	for _, t := range c.inv.Tools {
		subject := policy.Prepare(t)
		had, has := before.Judge(&subject).Kept(), after.Judge(&subject).Kept()
		if had == has {
			continue
		}
		change := Change{Tool: t.Name, Appears: has, Before: reasonOf(before.Trace(&subject)), After: reasonOf(after.Trace(&subject))}
		if c.groups[change] == nil {
			c.order = append(c.order, change)
		}
		c.groups[change] = append(c.groups[change], i)
	}
}

// reasonOf gives the step that removes a tool, or the last that allows it.
func reasonOf(t policy.Trace) Reason {
	var best policy.Step
	for _, s := range t.Steps {
		if s.Effect == policy.Allowed {
			best = s
		}
	}
	if removing := t.Removing(); len(removing) > 0 {
		best = removing[0]
	}
	if best.Layer == "" {
		return Reason{Text: "no layer restricts it"}
	}
	return Reason{Text: best.Reason(), Layer: best.Layer, Rule: best.Rule, Pos: best.Pos}
}

// block puts changes of the same situations together.
func (c *comparer) block() {
	at := map[string]int{}
	for _, change := range c.order {
		in := c.groups[change]
		key := fmt.Sprint(in)
		n, ok := at[key]
		if !ok {
			n = len(c.out.Blocks)
			at[key] = n
			b := Block{Where: c.where(in), first: in[0]}
			for _, i := range in {
				b.Situations = append(b.Situations, c.situations[i].String())
			}
			c.out.Blocks = append(c.out.Blocks, b)
		}
		c.out.Blocks[n].Changes = append(c.out.Blocks[n].Changes, change)
	}
	for _, b := range c.out.Blocks {
		slices.SortFunc(b.Changes, func(x, y Change) int { return strings.Compare(x.Tool, y.Tool) })
	}
	slices.SortStableFunc(c.out.Blocks, func(x, y Block) int { return cmp.Compare(x.first, y.first) })
}
