package catalog

import (
	"slices"
	"testing"
)

func TestCatalogue(t *testing.T) {
	if len(Rows) != 37 || len(OpenClaw.byID) != 37 {
		t.Fatalf("%d rows, %d ids; the catalogue has 37", len(Rows), len(OpenClaw.byID))
	}
	if len(Sections) != 11 {
		t.Fatalf("%d sections", len(Sections))
	}
	sections := map[string]int{}
	for i, s := range Sections {
		sections[s.ID] = i
	}
	last := 0
	for _, r := range Rows {
		at, ok := sections[r.Section]
		if !ok {
			t.Errorf("%s stands in no section: %q", r.ID, r.Section)
		}
		if at < last {
			t.Errorf("%s breaks the order of the sections", r.ID)
		}
		last = at
		if r.About == "" {
			t.Errorf("%s does not say what it does", r.ID)
		}
	}
}

func TestGroups(t *testing.T) {
	if got, _ := Group("group:fs"); !slices.Equal(got, []string{"read", "write", "edit", "apply_patch"}) {
		t.Errorf("group:fs = %v", got)
	}
	open, _ := Group("group:openclaw")
	if len(open) != 30 {
		t.Errorf("group:openclaw has %d members, want 30", len(open))
	}
	for _, id := range []string{"read", "write", "edit", "apply_patch", "exec", "process", "canvas"} {
		if slices.Contains(open, id) {
			t.Errorf("group:openclaw holds %s", id)
		}
	}
	if _, ok := Group("group:none"); ok {
		t.Error("group:none exists")
	}
	for _, name := range GroupNames() {
		if members, ok := Group(name); !ok || len(members) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
}

func TestProfiles(t *testing.T) {
	for profile, n := range map[string]int{"minimal": 1, "coding": 30, "messaging": 6, "full": 1} {
		got, ok := ProfileAllow(profile)
		if !ok || len(got) != n {
			t.Errorf("profile %s: %d entries (%v), want %d", profile, len(got), got, n)
		}
	}
	for _, name := range []string{"", "Coding", "default"} {
		if _, ok := ProfileAllow(name); ok {
			t.Errorf("%q is a profile", name)
		}
	}
}

func TestAddedRows(t *testing.T) {
	if len(Default.All()) != 41 || len(Default.byID) != 41 {
		t.Errorf("%d rows, %d ids, want 41", len(Default.All()), len(Default.byID))
	}
	if got, _ := Default.Group("group:fs"); !slices.Equal(got, []string{"read", "write", "edit", "apply_patch", "grep", "find", "ls"}) {
		t.Errorf("group:fs = %v", got)
	}
	profile, _ := Default.ProfileAllow("coding")
	for _, id := range []string{"grep", "find", "ls", "pdf"} {
		if row, ok := Default.Lookup(id); !ok || row.About == "" || !slices.Contains(profile, id) {
			t.Errorf("%s: %+v, %v, in profile coding: %v", id, row, ok, slices.Contains(profile, id))
		}
		if _, ok := OpenClaw.Lookup(id); ok {
			t.Errorf("the dialect openclaw knows %s", id)
		}
	}
	// Whatever was added, the other rows keep their order and groups.
	rest := slices.DeleteFunc(slices.Clone(Default.All()), func(r Row) bool { _, ok := Lookup(r.ID); return !ok })
	if !slices.EqualFunc(rest, Rows, func(a, b Row) bool { return a.ID == b.ID && a.Open == b.Open }) {
		t.Error("the rows that both know differ")
	}
}

func TestOwnerOnly(t *testing.T) {
	var got []string
	for _, r := range Rows {
		if r.OwnerOnly {
			got = append(got, r.ID)
		}
	}
	if !slices.Equal(got, []string{"cron", "gateway", "nodes"}) {
		t.Errorf("owner-only: %v", got)
	}
}
