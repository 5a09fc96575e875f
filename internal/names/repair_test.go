package names

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRepair(t *testing.T) {
	tools := []string{"read", "write", "exec", "apply_patch", "web_search", "docs__search", "Bash_Tool"}
	for name, want := range map[string]string{
		" READ\n": "read", "bash": "exec", "apply-patch": "apply_patch", "bash_tool": "Bash_Tool",
		"functions.read": "read", "tools/web_search": "web_search", "default_api.read": "read", "a.b.read": "read",
		"read:0": "read", "read_3": "read", "functions.exec:12": "exec", "functionsread3": "read", "read:write": "read",
		// Nothing certain.
		"": "", "nope": "", "search": "", "docs.search": "", "websearch": "", "functions.nope:0": "", "read()": "", "call_read": "",
		"reads": "", ".read": "", "functions.": "", strings.Repeat("x.", 200) + "read": "",
	} {
		got, ok := Repair(name, tools)
		if got != want || ok != (want != "") {
			t.Errorf("Repair(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestRepairOnlyWhatIsUnique(t *testing.T) {
	for _, c := range []struct {
		name    string
		allowed []string
		want    string
	}{
		{"rEaD", []string{"Read", "READ"}, ""},
		{"functions.read_3", []string{"functions.read", "read_3"}, ""},
		{"ns.read_2", []string{"ns.read", "read"}, "ns.read"},
		{"x.READ", []string{"Read", "READ", "y"}, "READ"},
		{"docs/search", []string{"docs.search", "search"}, "docs.search"},
		{"read", nil, ""},
	} {
		if got, _ := Repair(c.name, c.allowed); got != c.want {
			t.Errorf("Repair(%q, %q) = %q, want %q", c.name, c.allowed, got, c.want)
		}
	}
}

// What is repaired to is always one of the allowed, whatever the order.
func TestRepairStaysAmongTheAllowed(t *testing.T) {
	piece := rapid.SampledFrom([]string{"read", "READ", "write", "functions", "tool", ".", "_", ":", "/", " ", "0", "3", "x"})
	name := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces"), "") })
	rapid.Check(t, func(t *rapid.T) {
		allowed := rapid.SliceOfNDistinct(name, 0, 5, rapid.ID).Draw(t, "allowed")
		word := name.Draw(t, "name")
		got, ok := Repair(word, allowed)
		if ok != slices.Contains(allowed, got) && (ok || got != "") {
			t.Fatalf("%q of %q: %q, %v", word, allowed, got, ok)
		}
		slices.Reverse(allowed)
		if again, _ := Repair(word, allowed); again != got {
			t.Fatalf("%q of %q: %q, and %q in the other order", word, allowed, got, again)
		}
	})
}

func TestFromID(t *testing.T) {
	tools := []string{"read", "docs__search"}
	for id, want := range map[string]string{
		"functions.read:0": "read", "functionsread3": "read", "docs__search-2": "docs__search", "read:write": "read",
		"call_read_1": "", "toolu_01read": "", "": "", "functions.nope:0": "",
	} {
		if got, _ := FromID(id, tools); got != want {
			t.Errorf("FromID(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestCallable(t *testing.T) {
	for _, c := range []struct {
		name    string
		allowed []string
		want    bool
	}{
		{"ns:tool.v1-2", nil, true}, {" read ", []string{"READ"}, true}, {strings.Repeat("x", 64), nil, true}, {"read", []string{" "}, true},
		{"a b", nil, false}, {"é", nil, false}, {"", nil, false}, {strings.Repeat("x", 65), nil, false}, {"read", []string{"write"}, false},
	} {
		if Callable(c.name, c.allowed) != c.want {
			t.Errorf("%q of %q: %v", c.name, c.allowed, !c.want)
		}
	}
}
