package plan

import (
	"fmt"
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// Context is for whom and in which circumstances a plan is made.
type Context struct {
	Caller toolrest.Caller
	Facts  Facts
	// FactsVersion names the state of Facts: whoever changes what they say
	// changes it, too. Only plans with a version are kept and compared by it;
	// zero is for facts of which nobody knows when they change.
	FactsVersion uint64
}

// Entry is a visible tool: it can be called.
type Entry struct{ *registry.Row }

// Hidden is a tool that this caller cannot use.
type Hidden struct {
	*registry.Row
	// Diagnostics say what it lacks; empty when policy alone removed it.
	Diagnostics []Diagnostic

	verdict  policy.Verdict
	subject  *policy.Subject
	pipeline *policy.Pipeline
}

// Trace gives what each layer did to the tool.
func (h *Hidden) Trace() policy.Trace { return h.pipeline.Trace(h.subject) }

// Step gives the step that is enforced: that of the first layer that removed
// the tool. It is the zero Step when no layer did.
func (h *Hidden) Step() policy.Step { return h.pipeline.Reason(h.subject, h.verdict) }

// Plan is what one caller sees, and why. It is immutable, its slices included,
// and may share parts with other plans.
type Plan struct {
	Context Context
	Visible []Entry
	Hidden  []Hidden

	pipeline *policy.Pipeline
	index    *index
	states   states
}

const (
	codeDuplicate  = "duplicate-tool-name"
	codeNoExecutor = "missing-executor"
)

// ContractError is a mistake in what was registered: no plan can be made.
type ContractError struct {
	Code   string // "duplicate-tool-name" or "missing-executor"
	Tool   string
	Source string
}

func (e *ContractError) Error() string {
	if e.Code == codeDuplicate {
		return fmt.Sprintf("two tools of %s are named %q", e.Source, e.Tool)
	}
	return fmt.Sprintf("tool %q of %s has nothing to run: its descriptor names no executor", e.Tool, e.Source)
}

// Build makes the plan for ctx. It refuses, with a [*ContractError], a
// snapshot in which a name stands twice or in which an available tool has no
// executor.
func Build(snap *registry.Snapshot, pipeline *policy.Pipeline, ctx Context) (*Plan, error) {
	x, err := newIndex(snap, nil)
	if err != nil {
		return nil, err
	}
	return build(x, pipeline, ctx)
}

func build(x *index, pipeline *policy.Pipeline, ctx Context) (*Plan, error) {
	p := &Plan{Context: ctx, pipeline: pipeline, index: x, states: newStates(x.slots)}
	p.Visible = make([]Entry, 0, len(x.order))
	var slots []int32 // of the hidden ones
	for _, it := range x.order {
		hidden, is, err := p.judge(it)
		switch {
		case err != nil:
			return nil, err
		case is:
			p.Hidden, slots = append(p.Hidden, hidden), append(slots, it.slot)
		default:
			p.Visible = append(p.Visible, it.entry)
		}
	}
	for i, slot := range slots {
		p.states.set(slot, &p.Hidden[i])
	}
	return p, nil
}

// judge tells whether a tool is hidden, and why.
func (p *Plan) judge(it *item) (h Hidden, hidden bool, err error) {
	row := it.entry.Row
	var lacks []Diagnostic
	if row.Availability != nil {
		lacks = evaluate(row.Availability, p.Context.Facts)
	}
	if len(lacks) == 0 && row.Ref.IsZero() {
		return h, false, &ContractError{Code: codeNoExecutor, Tool: row.Name, Source: row.Source}
	}
	verdict := p.pipeline.Judge(&it.subject)
	if len(lacks) == 0 && verdict.Kept() {
		return h, false, nil
	}
	return Hidden{Row: row, Diagnostics: lacks, verdict: verdict, subject: &it.subject, pipeline: p.pipeline}, true, nil
}

func subject(row *registry.Row) policy.Tool {
	t := policy.Tool{Name: row.Name, Optional: row.Optional}
	switch row.Owner.Kind {
	case toolrest.OwnerPlugin:
		t.Plugin, t.FromPlugin = row.Owner.ID, true
	case toolrest.OwnerMCP:
		t.Plugin = catalog.MCPPlugin
	}
	return t
}

// Names gives the names of the visible tools in the plan's order.
func (p *Plan) Names() []string {
	out := make([]string, len(p.Visible))
	for i, e := range p.Visible {
		out[i] = e.Name
	}
	return out
}

// Known gives every name that means something here: visible, hidden, and
// those of the catalogue that are not in this build.
func (p *Plan) Known() []string {
	out := p.Names()
	for i := range p.Hidden {
		out = append(out, p.Hidden[i].Name)
	}
	for _, row := range p.catalogue().All() {
		if p.index.names.find(row.ID) == nil {
			out = append(out, row.ID)
		}
	}
	return out
}

func (p *Plan) catalogue() *catalog.Catalogue {
	if p.pipeline.Dialect() == policy.OpenClaw {
		return catalog.OpenClaw
	}
	return catalog.Default
}

// Check tells whether a snapshot keeps the contract of [Build] when nothing is
// known of the world and policy removes nothing. It is what a registry is given
// to judge a new snapshot by; it costs less than a plan.
func Check(snap *registry.Snapshot) error {
	seen := make(map[string]bool, len(snap.Rows))
	for _, row := range snap.Rows {
		if seen[row.Name] {
			return &ContractError{Code: codeDuplicate, Tool: row.Name, Source: row.Source}
		}
		seen[row.Name] = true
	}
	for _, row := range snap.Rows {
		if row.Ref.IsZero() && len(evaluate(row.Availability, Facts{})) == 0 {
			return &ContractError{Code: codeNoExecutor, Tool: row.Name, Source: row.Source}
		}
	}
	return nil
}
