package catalog

import "slices"

var (
	byID   = index()
	groups = buildGroups()
)

func index() map[string]Row {
	m := make(map[string]Row, len(Rows))
	for _, r := range Rows {
		m[r.ID] = r
	}
	return m
}

func buildGroups() map[string][]string {
	m := make(map[string][]string, len(Sections)+1)
	for _, r := range Rows {
		key := "group:" + r.Section
		m[key] = append(m[key], r.ID)
		if r.Open {
			m["group:openclaw"] = append(m["group:openclaw"], r.ID)
		}
	}
	return m
}

// Lookup gives the row of a tool by its normalised name.
func Lookup(id string) (Row, bool) {
	r, ok := byID[id]
	return r, ok
}

// Group gives the members of a core group ("group:fs") in catalogue order.
// The slice is shared and must not be changed.
func Group(name string) ([]string, bool) {
	members, ok := groups[name]
	return members, ok
}

// GroupNames gives the names of the core groups in the order of the sections.
func GroupNames() []string {
	out := make([]string, 0, len(groups))
	for _, s := range Sections {
		out = append(out, "group:"+s.ID)
	}
	return append(out, "group:openclaw")
}

// ProfileAllow gives the entries that a profile allows, in catalogue order,
// and whether there is such a profile. Names are exact: a profile that is
// misspelt is not a profile.
func ProfileAllow(profile string) ([]string, bool) {
	if !slices.Contains(Profiles, profile) {
		return nil, false
	}
	if profile == "full" {
		return []string{"*"}, true
	}
	var allow []string
	for _, r := range Rows {
		if slices.Contains(r.Profiles, profile) {
			allow = append(allow, r.ID)
		}
	}
	if profile != "minimal" {
		allow = append(allow, MCPPlugin)
	}
	return allow, true
}
