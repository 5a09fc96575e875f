package names

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestNormalise(t *testing.T) {
	for in, want := range map[string]string{
		"read": "read", " BASH ": "exec", "apply-patch": "apply_patch", "Apply_Patch": "apply_patch",
		"\u00a0Exec\ufeff": "exec", "bash*": "bash*", "": "", " \t": "", "toolX": "toolx",
		"\u2028read\u3000": "read", "\u0085read": "\u0085read", "\u200bread": "\u200bread",
	} {
		if got := Normalise(in); got != want {
			t.Errorf("Normalise(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " \n ": "", "two\n lines  here": "two lines here", "\ufeffa\u00a0b\t": "a b",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCouldBecome(t *testing.T) {
	for _, c := range []struct {
		allowed  []string
		yes, not []string
	}{
		{[]string{"exec", "apply_patch"}, []string{"B", "bas", "bash", "apply-", "apply-patch", "E", " ex"}, []string{"", "  ", "bash2", "x"}},
		{[]string{"bash", "apply-patch"}, []string{"b", "bash", "e", "exec", "apply_", "apply-"}, []string{"c"}},
		{[]string{" Exec ", "", "Read"}, []string{"b", "exec", "exe", "r"}, []string{"exec_"}},
		{[]string{"exec_more"}, []string{"exec", "e", "bash"}, []string{"b", "ba"}},
		{nil, nil, []string{"a"}},
	} {
		for _, prefix := range c.yes {
			if !CouldBecome(prefix, c.allowed) {
				t.Errorf("%q cannot become one of %q", prefix, c.allowed)
			}
		}
		if i := slices.IndexFunc(c.not, func(p string) bool { return CouldBecome(p, c.allowed) }); i >= 0 {
			t.Errorf("%q can become one of %q", c.not[i], c.allowed)
		}
	}
}

// What the quick look takes for folded is left alone by the slow way.
func TestIsFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom(nil, &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 0x100, Stride: 1}}}))).Draw(t, "name")
		if isFolded(name) && strings.ToLower(Trim(name)) != name {
			t.Fatalf("%q is not folded", name)
		}
	})
	if !isFolded("srv3__get_item-1.x") || isFolded("A") || isFolded(" a") || isFolded("é") {
		t.Error("the quick look sees nothing")
	}
}
