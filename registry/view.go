package registry

import "slices"

// View is what a session had at one moment. It is immutable.
type View struct {
	Snapshot *Snapshot
	// Rows are the tools that the session has, in the registry's order.
	Rows []*Row
	// Active are those of them that it uses, in the session's order.
	Active []*Row

	session *Session
}

// Find gives the tool with this name when the session has it, active or not.
func (v *View) Find(name string) *Row {
	if row := v.Snapshot.Find(name); row != nil && v.session.admits(row) {
		return row
	}
	return nil
}

// Names gives the names of the active tools.
func (v *View) Names() []string {
	out := make([]string, len(v.Active))
	for i, row := range v.Active {
		out[i] = row.Name
	}
	return out
}

// Prompt writes the tool part of the system prompt for the active tools. A
// caller whose policy hides some of them gives the others to [ToolPrompt].
func (v *View) Prompt() string { return ToolPrompt(v.Active) }

// pick finds the rows of names, and gives the names that have none.
func (v *View) pick(wanted []string) (rows []*Row, unknown []string) {
	for _, name := range wanted {
		if row := v.Find(name); row != nil {
			rows = append(rows, row)
		} else {
			unknown = append(unknown, name)
		}
	}
	return rows, unknown
}

// activate makes the names active, each once.
func (v *View) activate(wanted []string) {
	rows, _ := v.pick(wanted)
	seen := make(map[*Row]bool, len(rows))
	rows = slices.DeleteFunc(rows, func(r *Row) bool {
		again := seen[r]
		seen[r] = true
		return again
	})
	if slices.Equal(rows, v.Rows) {
		rows = v.Rows
	}
	v.Active = rows
}

// added gives the tools that a refresh makes active by itself, those of other
// sources than core in the order of the sources.
func (v *View) added(last *View, o RefreshOptions) []string {
	var out []string
	add := func(row *Row) { out = append(out, row.Name) }
	switch {
	case v.session.allowed != nil:
		for _, row := range v.Rows {
			add(row)
		}
	case o.All:
		for _, at := range v.Snapshot.added {
			if row := v.Snapshot.Rows[at]; v.session.admits(row) {
				add(row)
			}
		}
	case o.Active == nil:
		for _, row := range v.Rows {
			if last.Find(row.Name) == nil {
				add(row)
			}
		}
	}
	return out
}
