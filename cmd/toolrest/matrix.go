package main

import (
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/plan"
)

// matrixFlag is --matrix: alone it means the agents.
type matrixFlag string

// What a matrix can have as its columns.
const (
	matrixAgents   matrixFlag = "agents"
	matrixProfiles matrixFlag = "profiles"
)

// IsBool lets the flag stand without a value.
func (matrixFlag) IsBool() bool { return true }

// Decode reads the value behind an equals sign.
func (m *matrixFlag) Decode(ctx *kong.DecodeContext) error {
	*m = matrixAgents
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	switch value := matrixFlag(ctx.Scan.Pop().String()); value {
	case matrixAgents, matrixProfiles:
		*m = value
		return nil
	}
	return errors.New("it is --matrix or --matrix=profiles")
}

// column is what one agent, or one profile, has.
type column struct {
	name string
	plan *plan.Plan
}

// matrix is the table for programs.
type matrix struct {
	Columns []string    `json:"columns"`
	Rows    []matrixRow `json:"rows"`
}

type matrixRow struct {
	Tool    string          `json:"tool"`
	Section string          `json:"section,omitempty"`
	Cells   map[string]cell `json:"cells"`
}

// cell is what a column says of a tool.
type cell struct {
	Visible bool `json:"visible"`
	// Allowed is set also where only policy lets the tool through.
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason,omitempty"`
}

// mark is the cell for people.
func (c cell) mark() string {
	switch {
	case c.Visible:
		return "yes"
	case c.Allowed:
		return "(yes)"
	}
	return "-"
}

const matrixLegend = `
yes can be used, (yes) allowed but it cannot work here, - taken away.
toolrest explain TOOL --agent ID says which rule decides.`

// buildMatrix puts the columns side by side; all of them know the same tools.
func buildMatrix(columns []column) matrix {
	var m matrix
	var known []string
	for _, c := range columns {
		m.Columns = append(m.Columns, c.name)
		known = c.plan.Known()
	}
	for _, name := range known {
		row := matrixRow{Tool: name, Section: sectionOf(name), Cells: map[string]cell{}}
		for _, c := range columns {
			d := c.plan.Resolve(name)
			one := cell{Visible: d.Entry != nil, Allowed: d.Trace().Kept}
			if d.Refusal != nil {
				one.Reason = d.Refusal.Reason
			}
			row.Cells[c.name] = one
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// print lists the rows below the headings of the catalogue.
func (m matrix) print(s streams) error {
	p := painter(s.out)
	rows := [][]string{append([]string{""}, m.Columns...)}
	for _, section := range append(append([]catalog.Section{}, catalog.Sections...), catalog.Section{Label: "Others"}) {
		first := true
		for _, r := range m.Rows {
			if r.Section != section.ID {
				continue
			}
			if first {
				rows = append(rows, []string{section.Label})
				first = false
			}
			line := []string{"  " + r.Tool}
			for _, name := range m.Columns {
				line = append(line, r.Cells[name].mark())
			}
			rows = append(rows, line)
		}
	}
	for i, line := range table(rows) {
		if i == 0 || len(rows[i]) == 1 {
			line = p.bold(line)
		}
		if _, err := fmt.Fprintln(s.out, visible(line)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(s.out, matrixLegend)
	return err
}
