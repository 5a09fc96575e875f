package plan

import (
	"fmt"
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
	"sync"
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

// Plan is what one caller sees, and why. It is immutable, may share parts with
// other plans, and is safe for use by several goroutines.
type Plan struct {
	Context Context

	pipeline *policy.Pipeline
	index    *index
	hidden   pages[Hidden] // by the slots of the index; nil is visible
	listed   func() (visible []Entry, hidden []Hidden)
}

// Visible gives the tools that can be called, in order. The slice is shared and
// must not be changed.
func (p *Plan) Visible() []Entry {
	visible, _ := p.listed()
	return visible
}

// Hidden gives the registered tools that cannot be called, in order. The slice
// is shared and must not be changed.
func (p *Plan) Hidden() []Hidden {
	_, hidden := p.listed()
	return hidden
}

// list makes the lists, which nobody needs who only asks about one name.
func (p *Plan) list() (visible []Entry, hidden []Hidden) {
	for it := range p.index.all {
		if h := p.hidden.get(it.slot); h != nil {
			hidden = append(hidden, *h)
		} else {
			visible = append(visible, it.entry)
		}
	}
	return visible, hidden
}

func newPlan(x *index, pipeline *policy.Pipeline, ctx Context, hidden pages[Hidden]) *Plan {
	p := &Plan{Context: ctx, pipeline: pipeline, index: x, hidden: hidden}
	p.listed = sync.OnceValues(p.list)
	return p
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
	p := newPlan(x, pipeline, ctx, newPages[Hidden](x.slots))
	var broken error
	// By slots, as the items lie in memory.
	for slot := range int32(x.slots) {
		it := x.items.get(slot)
		if it == nil {
			continue
		}
		h, err := p.judge(it)
		if err != nil {
			broken = err
		}
		if h != nil {
			p.hidden.set(slot, h)
		}
	}
	if broken != nil {
		return nil, p.firstFault(broken)
	}
	return p, nil
}

// firstFault gives the error of the first tool, in order, that has one.
func (p *Plan) firstFault(found error) error {
	for it := range p.index.all {
		if _, err := p.judge(it); err != nil {
			return err
		}
	}
	return found
}

// judge gives why a tool is hidden; nil when it is visible.
func (p *Plan) judge(it *item) (*Hidden, error) {
	row := it.entry.Row
	var lacks []Diagnostic
	if !holds(row.Availability, &p.Context.Facts) {
		lacks = evaluate(row.Availability, p.Context.Facts)
	}
	if len(lacks) == 0 && row.Ref.IsZero() {
		return nil, &ContractError{Code: codeNoExecutor, Tool: row.Name, Source: row.Source}
	}
	verdict := p.pipeline.Judge(&it.subject)
	if len(lacks) == 0 && verdict.Kept() {
		return nil, nil
	}
	return &Hidden{Row: row, Diagnostics: lacks, verdict: verdict, subject: &it.subject, pipeline: p.pipeline}, nil
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
	visible := p.Visible()
	out := make([]string, len(visible))
	for i, e := range visible {
		out[i] = e.Name
	}
	return out
}

// Known gives every name that means something here: visible, hidden, and
// those of the catalogue that are not in this build.
func (p *Plan) Known() []string {
	out := p.Names()
	for _, h := range p.Hidden() {
		out = append(out, h.Name)
	}
	for _, row := range p.catalogue().All() {
		if p.index.names.find(row.ID) == nil {
			out = append(out, row.ID)
		}
	}
	return out
}

// Dialect gives the dialect of the policy that the plan was made by.
func (p *Plan) Dialect() policy.Dialect { return p.pipeline.Dialect() }

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
		if row.Ref.IsZero() && holds(row.Availability, &Facts{}) {
			return &ContractError{Code: codeNoExecutor, Tool: row.Name, Source: row.Source}
		}
	}
	return nil
}
