package registry

import (
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// merge brings the tools of the sources together, which are in the order of
// their kinds. What replaces a tool takes its place in the order. Rows that
// are as they were are those of the last snapshot.
func merge(last *Snapshot, sources []Source) *Snapshot {
	total := 0
	for _, s := range sources {
		total += len(s.Tools)
	}
	m := &merger{
		last:    last,
		snap:    &Snapshot{Rows: make([]*Row, 0, total), at: make(map[string]int, total)},
		alike:   make(map[string]int, total),
		plugins: map[string]string{},
	}
	for _, s := range sources {
		if s.Kind == Plugin {
			m.plugins[names.Fold(s.Name)] = s.Label()
		}
	}
	for i := range sources {
		m.source(&sources[i])
	}
	return m.snap
}

type merger struct {
	last    *Snapshot
	snap    *Snapshot
	kinds   []Kind            // of the rows' sources
	alike   map[string]int    // normalised name → index of its first row
	plugins map[string]string // folded id → label
}

func (m *merger) source(s *Source) {
	optional := make(map[string]bool, len(s.Optional))
	for _, name := range s.Optional {
		optional[name] = true
	}
	label := s.Label()
	if at, ok := m.alike[names.Fold(s.Name)]; ok && s.Kind == Plugin {
		m.snap.LeftOut = append(m.snap.LeftOut, ContractError{
			Code: CodeIDTaken, Source: label, Tool: m.snap.Rows[at].Name, tools: s.names(),
			Reason: m.snap.Rows[at].Source + " has a tool of the plugin's name, so that a policy could not tell them apart",
		})
		return
	}
	for i := range s.Tools {
		m.tool(s, label, &s.Tools[i], optional[s.Tools[i].Name])
	}
}

func (m *merger) tool(s *Source, label string, tool *toolrest.Tool, optional bool) {
	skip := func(holder, reason string) {
		m.snap.Skipped = append(m.snap.Skipped, Skipped{Tool: tool.Name, Source: label, Holder: holder, Reason: reason})
	}
	if err := names.Check(tool.Name); err != nil {
		skip("", "its name "+err.Error())
		return
	}
	at, taken := m.snap.at[tool.Name]
	if taken && !s.Kind.replaces(m.kinds[at]) {
		holder := m.snap.Rows[at].Source
		skip(holder, holder+" has a tool of that name")
		return
	}
	normal := names.Normalise(tool.Name)
	if s.Kind.foreign() {
		if holder, reason := m.mistaken(s, normal); reason != "" {
			skip(holder, reason)
			return
		}
	}
	row, reason := m.row(s, label, tool, optional, s.Kind == Core || taken && m.snap.Rows[at].BuiltIn)
	if reason != "" {
		skip("", reason)
		return
	}
	m.place(s, normal, row)
}

// place puts the row where the tool of its name was, or at the end.
func (m *merger) place(s *Source, normal string, row *Row) {
	at, taken := m.snap.at[row.Name]
	if !taken {
		at = len(m.snap.Rows)
		m.snap.at[row.Name] = at
		m.snap.Rows, m.kinds = append(m.snap.Rows, nil), append(m.kinds, Core)
	}
	if _, ok := m.alike[normal]; !ok {
		m.alike[normal] = at
	}
	if s.Kind != Core && m.kinds[at] == Core {
		m.snap.added = append(m.snap.added, at)
	}
	m.snap.Rows[at], m.kinds[at] = row, s.Kind
}

// mistaken says whom a tool from outside would be mistaken for: a tool whose
// name is compared as the same, or another plugin, so that an entry for that
// plugin would no longer reach the tool.
func (m *merger) mistaken(s *Source, normal string) (holder, reason string) {
	if at, ok := m.alike[normal]; ok {
		row := m.snap.Rows[at]
		return row.Source, row.Source + " has " + row.Name + ", which is the same name to a policy"
	}
	if label, ok := m.plugins[normal]; ok && (s.Kind != Plugin || names.Fold(s.Name) != normal) {
		return label, "it is named as " + label + " is"
	}
	return "", ""
}

// row gives the row of the last snapshot when nothing about it changed.
func (m *merger) row(s *Source, label string, tool *toolrest.Tool, optional, builtIn bool) (*Row, string) {
	row := describe(s, label, tool)
	row.Optional, row.BuiltIn = optional, builtIn
	if old := m.last.Find(tool.Name); old != nil && old.same(&row) {
		return old, ""
	}
	kept := row
	return kept.complete()
}
