// Package survey finds the situations that a config tells apart: its agents,
// and for each of them the models, group chats, senders, depths, sandboxes and
// doors that some part of the config is about. Whoever wants to say "never" or
// "always" about a config asks in all of them.
//
// It decides nothing by itself: in each situation the product's own resolver
// and pipeline answer. It invents no situation that the config does not
// mention, and it is bounded: [Survey.Left] says how many were left out.
package survey

import (
	"strings"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// Situation is one set of circumstances.
type Situation struct {
	Agent string `json:"agent"`
	// Traits are what differs from the plain situation of the agent, in words:
	// "model openai/gpt-5", "sender id:42".
	Traits []string       `json:"traits,omitempty"`
	Asks   policy.Context `json:"-"`
}

// String names the situation: "ops, model openai/gpt-5, sandboxed".
func (s Situation) String() string {
	return strings.Join(append([]string{s.Agent}, s.Traits...), ", ")
}

// Options say how far a survey goes. The zero value is good.
type Options struct {
	// Most is how many situations there are at most; zero is 1500.
	Most int
	// Together is how many traits come together in one situation; zero is 1.
	// Senders and runs do not count: they combine with all others.
	Together int
	// Forced asks also for what the config does not mention and a caller can
	// bring about: with and without a sandbox whatever the config says of
	// sandboxes, a run that brings along tools of its own, a model that keeps a
	// plan, the HTTP door. Otherwise the config decides about the sandbox, in the
	// main session of an agent and, where that makes a difference, in another.
	Forced bool
}

// defaultMost keeps a survey of a large config in the seconds.
const defaultMost = 1500

func (o *Options) filled() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Most <= 0 {
		out.Most = defaultMost
	}
	if out.Together <= 0 {
		out.Together = 1
	}
	return out
}

// Survey is the list of situations, the plain ones first, then those with one
// trait, then those with more.
type Survey struct {
	Situations []Situation
	// Left is about how many situations there are beyond the bound.
	Left int
}

// Of finds the situations that any of the configs tells apart.
func Of(configs []*policy.Config, opts *Options) Survey {
	b := &builder{opts: opts.filled(), seen: map[asked]bool{}}
	var all []agentAxes
	for _, id := range agentsOf(configs) {
		all = append(all, agentAxes{id: id, axes: axesOf(configs, id, b.opts)})
	}
	for traits := range b.opts.Together + freeAxes + 1 {
		for _, a := range all {
			b.combine(a, traits)
		}
	}
	if b.full {
		b.out.Left = max(1, countAll(all, b.opts.Together)-len(b.out.Situations))
	}
	return b.out
}

// agentsOf gives the main agent and those that a config has an entry for.
func agentsOf(configs []*policy.Config) []string {
	out, seen := []string{names.MainAgent}, map[string]bool{names.MainAgent: true}
	for _, cfg := range configs {
		for ; cfg != nil; cfg = cfg.Base {
			for i := range cfg.Agents {
				if id := names.AgentID(cfg.Agents[i].ID); !seen[id] {
					seen[id], out = true, append(out, id)
				}
			}
		}
	}
	return out
}

// agentAxes are the ways in which situations of an agent can differ.
type agentAxes struct {
	id   string
	axes [][]trait // first those of senders and runs
}

// freeAxes is how many axes combine with all others.
const freeAxes = 2

// builder collects situations up to its bound.
type builder struct {
	opts Options
	out  Survey
	full bool
	seen map[asked]bool
}

// combine adds the agent's situations with exactly so many traits.
func (b *builder) combine(a agentAxes, traits int) {
	var chosen []trait
	var choose func(axis, left, together int)
	choose = func(axis, left, together int) {
		switch {
		case b.full || together > b.opts.Together:
			return
		case left == 0:
			b.add(a.id, chosen)
			return
		case axis == len(a.axes):
			return
		}
		counts := 1
		if axis < freeAxes {
			counts = 0
		}
		for _, t := range a.axes[axis] {
			chosen = append(chosen, t)
			choose(axis+1, left-1, together+counts)
			chosen = chosen[:len(chosen)-1]
		}
		choose(axis+1, left, together)
	}
	choose(0, traits, 0)
}

func (b *builder) add(agent string, chosen []trait) {
	c, ok := assemble(agent, chosen, b.opts)
	if !ok || b.seen[c] {
		return
	}
	if len(b.out.Situations) == b.opts.Most {
		b.full = true
		return
	}
	b.seen[c] = true
	s := Situation{Agent: agent, Asks: c.context()}
	for _, t := range chosen {
		s.Traits = append(s.Traits, t.words)
	}
	b.out.Situations = append(b.out.Situations, s)
}

// countAll counts without looking at each; traits that exclude each other are
// counted all the same.
func countAll(all []agentAxes, together int) int {
	total := 0
	for _, a := range all {
		ways := make([]int, together+1) // by number of traits that count
		ways[0] = 1
		for _, axis := range a.axes[freeAxes:] {
			for n := together; n > 0; n-- {
				ways[n] += ways[n-1] * len(axis)
			}
		}
		for _, w := range ways {
			total += w * (1 + len(a.axes[0])) * (1 + len(a.axes[1]))
		}
	}
	return total
}
