package catalog

import "slices"

// Catalogue is a list of rows with what follows from it. It is immutable.
type Catalogue struct {
	rows   []Row
	byID   map[string]Row
	groups map[string][]string
}

// The two catalogues. OpenClaw has [Rows] alone, Default those of [Added] as
// well. The functions of the package ask OpenClaw: what both know.
var (
	OpenClaw = newCatalogue(Rows)
	Default  = newCatalogue(withAdded())
)

// withAdded puts each added row behind the last one of its section.
func withAdded() []Row {
	var out []Row
	for _, s := range Sections {
		for _, r := range slices.Concat(Rows, Added) {
			if r.Section == s.ID {
				out = append(out, r)
			}
		}
	}
	return out
}

func newCatalogue(rows []Row) *Catalogue {
	c := &Catalogue{rows: rows, byID: make(map[string]Row, len(rows)), groups: make(map[string][]string, len(Sections)+1)}
	for _, r := range rows {
		c.byID[r.ID] = r
		key := "group:" + r.Section
		c.groups[key] = append(c.groups[key], r.ID)
		if r.Open {
			c.groups["group:openclaw"] = append(c.groups["group:openclaw"], r.ID)
		}
	}
	return c
}

// All gives the rows in catalogue order. The slice is shared and must not be
// changed.
func (c *Catalogue) All() []Row { return c.rows }

// Lookup gives the row of a tool by its normalised name.
func (c *Catalogue) Lookup(id string) (Row, bool) {
	r, ok := c.byID[id]
	return r, ok
}

// Group gives the members of a core group ("group:fs") in catalogue order.
// The slice is shared and must not be changed.
func (c *Catalogue) Group(name string) ([]string, bool) {
	members, ok := c.groups[name]
	return members, ok
}

// ProfileAllow gives the entries that a profile allows, in catalogue order,
// and whether there is such a profile. Names are exact: a profile that is
// misspelt is not a profile.
func (c *Catalogue) ProfileAllow(profile string) ([]string, bool) {
	if !slices.Contains(Profiles, profile) {
		return nil, false
	}
	if profile == "full" {
		return []string{"*"}, true
	}
	var allow []string
	for _, r := range c.rows {
		if slices.Contains(r.Profiles, profile) {
			allow = append(allow, r.ID)
		}
	}
	if profile != "minimal" {
		allow = append(allow, MCPPlugin)
	}
	return allow, true
}

// Lookup asks [OpenClaw].
func Lookup(id string) (Row, bool) { return OpenClaw.Lookup(id) }

// Group asks [OpenClaw].
func Group(name string) ([]string, bool) { return OpenClaw.Group(name) }

// ProfileAllow asks [OpenClaw].
func ProfileAllow(profile string) ([]string, bool) { return OpenClaw.ProfileAllow(profile) }

// GroupNames gives the names of the core groups in the order of the sections.
func GroupNames() []string {
	out := make([]string, 0, len(Sections)+1)
	for _, s := range Sections {
		out = append(out, "group:"+s.ID)
	}
	return append(out, "group:openclaw")
}
