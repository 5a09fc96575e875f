package plan

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// Context is for whom and in which circumstances a plan is made.
type Context struct {
	Caller toolrest.Caller
	Facts  Facts
}

// Entry is a visible tool: it can be called.
type Entry struct {
	*registry.Row
	Trace policy.Trace
}

// Hidden is a tool that this caller cannot use.
type Hidden struct {
	*registry.Row
	// Diagnostics say what it lacks; empty when policy alone removed it.
	Diagnostics []Diagnostic
	Trace       policy.Trace
}

// Plan is what one caller sees, and why.
type Plan struct {
	Context Context
	Visible []Entry
	Hidden  []Hidden

	pipeline *policy.Pipeline
	visible  map[string]int
	hidden   map[string]int
}

// ContractError is a mistake in what was registered: no plan can be made.
type ContractError struct {
	Code   string // "duplicate-tool-name" or "missing-executor"
	Tool   string
	Source string
}

func (e *ContractError) Error() string {
	if e.Code == "duplicate-tool-name" {
		return fmt.Sprintf("two tools of %s are named %q", e.Source, e.Tool)
	}
	return fmt.Sprintf("tool %q of %s has nothing to run: its descriptor names no executor", e.Tool, e.Source)
}

// Build makes the plan for ctx. It refuses, with a [*ContractError], a
// snapshot in which a name stands twice or in which an available tool has no
// executor.
func Build(snap *registry.Snapshot, pipeline *policy.Pipeline, ctx Context) (*Plan, error) {
	rows := slices.Clone(snap.Rows)
	sortRows(rows)
	if err := unique(rows); err != nil {
		return nil, err
	}
	p := &Plan{Context: ctx, pipeline: pipeline, visible: map[string]int{}, hidden: map[string]int{}}
	for _, row := range rows {
		if err := p.place(row); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Plan) place(row *registry.Row) error {
	diagnostics := evaluate(row.Availability, p.Context.Facts)
	if len(diagnostics) == 0 && row.Ref.IsZero() {
		return &ContractError{Code: "missing-executor", Tool: row.Name, Source: row.Source}
	}
	trace := p.pipeline.Decide(subject(row))
	if len(diagnostics) > 0 || !trace.Kept {
		p.hidden[row.Name] = len(p.Hidden)
		p.Hidden = append(p.Hidden, Hidden{Row: row, Diagnostics: diagnostics, Trace: trace})
		return nil
	}
	p.visible[row.Name] = len(p.Visible)
	p.Visible = append(p.Visible, Entry{Row: row, Trace: trace})
	return nil
}

func subject(row *registry.Row) policy.Tool {
	t := policy.Tool{Name: row.Name}
	switch row.Owner.Kind {
	case toolrest.OwnerPlugin:
		t.Plugin, t.FromPlugin = row.Owner.ID, true
	case toolrest.OwnerMCP:
		t.Plugin = catalog.MCPPlugin
	}
	return t
}

func unique(rows []*registry.Row) error {
	seen := make(map[string]bool, len(rows))
	for _, row := range rows {
		if seen[row.Name] {
			return &ContractError{Code: "duplicate-tool-name", Tool: row.Name, Source: row.Source}
		}
		seen[row.Name] = true
	}
	return nil
}

// sortRows orders by sort key, else name, ties by name, as dictionaries do:
// punctuation before digits before letters, case last.
func sortRows(rows []*registry.Row) {
	c := collate.New(language.Und)
	slices.SortStableFunc(rows, func(a, b *registry.Row) int {
		if d := c.CompareString(sortKey(a), sortKey(b)); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
}

func sortKey(row *registry.Row) string {
	if row.SortKey != nil {
		return *row.SortKey
	}
	return row.Name
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
	for _, h := range p.Hidden {
		out = append(out, h.Name)
	}
	for _, row := range catalog.Rows {
		if !slices.Contains(out, row.ID) {
			out = append(out, row.ID)
		}
	}
	return out
}

// Check builds a plan in which policy removes nothing, to see whether the
// snapshot keeps the contract. It is what a registry is given to judge a new
// snapshot by.
func Check(snap *registry.Snapshot) error {
	_, err := Build(snap, policy.Compile(policy.Default, nil), Context{})
	return err
}
