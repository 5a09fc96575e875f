package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
)

type toolsCmd struct {
	who
	gates
	Hidden bool       `help:"List what the agent lacks, and why." xor:"view"`
	Matrix matrixFlag `help:"Show all agents side by side; --matrix=profiles shows what each profile would give." xor:"view"`
	JSON   bool       `name:"json" help:"Print JSON."`
}

func (toolsCmd) Help() string {
	return `Examples:

  toolrest tools                  what the agent main has, by section
  toolrest tools --hidden         what it lacks, each with the reason
  toolrest tools --agent ops --json
  toolrest tools --sandboxed --channel telegram --sender 42
  toolrest tools --matrix         every agent beside the others`
}

// toolRow is one tool as the listing shows it.
type toolRow struct {
	Name    string            `json:"name"`
	Section string            `json:"section,omitempty"`
	Source  string            `json:"source,omitempty"`
	About   string            `json:"about"`
	Visible bool              `json:"visible"`
	Asks    string            `json:"asks,omitempty"` // why a person is asked before each call
	Refusal *toolrest.Refusal `json:"refusal,omitempty"`
}

func (c *toolsCmd) Run(ctx context.Context, g *cli, s streams) error {
	d, err := open(ctx, g, s, use{run: c.run()})
	if err != nil {
		return err
	}
	defer d.Close()
	st := d.now()
	st.warnUntrusted(s)
	who, err := c.caller(st.isOwner)
	if err != nil {
		return err
	}
	if c.Matrix != "" {
		return c.matrix(ctx, s, st, who)
	}
	p, err := st.Plan(ctx, who)
	if err != nil {
		return err
	}
	rows := visibleRows(st, p)
	if c.Hidden {
		rows = hiddenRows(p)
	}
	if c.JSON {
		return printJSON(s.out, rows)
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(s.out, "none")
		return errors.Join(err, p.Guard(st.run, policy.GuardFacts{}))
	}
	return printTools(s, rows, c.Hidden)
}

// matrix puts the agents, or the profiles of one agent, side by side.
func (c *toolsCmd) matrix(ctx context.Context, s streams, st *stack, who toolrest.Caller) error {
	var columns []column
	add := func(name string, p *plan.Plan, err error) error {
		columns = append(columns, column{name, p})
		return err
	}
	if c.Matrix == matrixProfiles {
		for _, profile := range catalog.Profiles {
			p, err := st.planWithProfile(who, profile)
			if err := add(profile, p, err); err != nil {
				return err
			}
		}
	} else {
		for _, agent := range st.agents() {
			p, err := st.Plan(ctx, c.as(who, agent))
			if err := add(agent, p, err); err != nil {
				return err
			}
		}
	}
	m := buildMatrix(columns)
	if c.JSON {
		return printJSON(s.out, m)
	}
	return m.print(s)
}

func visibleRows(st *stack, p *plan.Plan) []toolRow {
	visible := p.Visible()
	rows := make([]toolRow, 0, len(visible))
	for i := range visible {
		e := &visible[i]
		row := toolRow{Name: e.Name, Section: sectionOf(e.Name), Source: e.Source, About: about(e.Descriptor), Visible: true}
		if asked, ask := st.asks(&toolrest.Call{Tool: e.Name, Caller: p.Context.Caller}, e); ask {
			row.Asks = asked.Why
		}
		rows = append(rows, row)
	}
	return rows
}

// hiddenRows holds what is registered but not visible, then what the
// catalogue names and this build lacks.
func hiddenRows(p *plan.Plan) []toolRow {
	rows := []toolRow{}
	seen := map[string]bool{}
	for _, name := range p.Names() {
		seen[name] = true
	}
	add := func(name, source, about string) {
		seen[name] = true
		d := p.Resolve(name)
		rows = append(rows, toolRow{Name: name, Section: sectionOf(name), Source: source, About: about, Refusal: d.Refusal})
	}
	for _, h := range p.Hidden() {
		add(h.Name, h.Source, about(h.Descriptor))
	}
	for _, name := range p.Known() {
		if !seen[name] {
			row, _ := catalog.Default.Lookup(name)
			add(name, "", row.About)
		}
	}
	return rows
}

func sectionOf(name string) string {
	row, _ := catalog.Default.Lookup(name)
	return row.Section
}

// about is the catalogue's short line, or the first sentence of what the model
// reads.
func about(d toolrest.Descriptor) string {
	if row, ok := catalog.Default.Lookup(d.Name); ok && d.Owner.Kind == toolrest.OwnerCore {
		return row.About
	}
	line, _, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
	if sentence, _, found := strings.Cut(line, ". "); found {
		return sentence
	}
	return line
}

// printTools lists the rows below the headings of the catalogue.
func printTools(s streams, rows []toolRow, hidden bool) error {
	p := painter(s.out)
	bySection := map[string][][]string{}
	for _, r := range rows {
		bySection[r.Section] = append(bySection[r.Section], []string{"  " + r.Name, note(r, hidden)})
	}
	sections := append([]catalog.Section{}, catalog.Sections...)
	sections = append(sections, catalog.Section{Label: "Others"})
	for _, section := range sections {
		if len(bySection[section.ID]) == 0 {
			continue
		}
		fmt.Fprintln(s.out, p.bold(section.Label))
		for _, line := range table(bySection[section.ID]) {
			fmt.Fprintln(s.out, visible(line))
		}
	}
	if hidden {
		_, err := fmt.Fprintln(s.out, "\ntoolrest explain TOOL tells more, and what would change it.")
		return err
	}
	_, err := fmt.Fprintln(s.out, "\ntoolrest tools --hidden lists what is missing, and why.")
	return err
}

func note(r toolRow, hidden bool) string {
	switch {
	case hidden:
		text := r.Refusal.Reason
		if p := r.Refusal.Pos.String(); p != "" {
			text += " (" + nearby(p) + ")"
		}
		return text
	case r.Asks != "":
		return r.About + " (asks first)"
	}
	return r.About
}
