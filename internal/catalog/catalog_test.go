package catalog

import (
	"slices"
	"testing"
)

func TestCatalogue(t *testing.T) {
	if len(Rows) != 37 || len(byID) != 37 {
		t.Fatalf("%d rows, %d ids; the catalogue has 37", len(Rows), len(byID))
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
