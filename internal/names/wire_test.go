package names

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var rules = map[string]Rule{"openai": OpenAINames, "anthropic": AnthropicNames, "google": GoogleNames, "any": AnyNames}

func TestNaming(t *testing.T) {
	long := strings.Repeat("x", 80)
	for _, c := range []struct {
		rule        Rule
		name, begin string
	}{
		{OpenAINames, "web_search", "web_search"},
		{OpenAINames, "docs.search", "docs_search_"},
		{OpenAINames, "docs/search all", "docs_search_all_"},
		{OpenAINames, "1st", "1st"},
		{OpenAINames, long, long[:55] + "_"},
		{GoogleNames, "docs.search", "docs.search"},
		{GoogleNames, "1st", "_1st_"},
		{AnyNames, "-x", "_-x_"},
		{AnyNames, "日本", "__"},
	} {
		n, err := NewNaming([]string{c.name}, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if w := n.Wire(c.name); !strings.HasPrefix(w, c.begin) || n.Tool(w) != c.name {
			t.Errorf("%q → %q → %q, want %q…", c.name, w, n.Tool(w), c.begin)
		}
	}
	if _, err := NewNaming([]string{"a", "a"}, AnyNames); err == nil {
		t.Error("two tools of one name")
	}
}

// TestNamingStays pins the form of names that a provider does not accept:
// conversations on disk have them.
func TestNamingStays(t *testing.T) {
	n, err := NewNaming([]string{"docs.search", "docs_search"}, OpenAINames)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Wire("docs.search"); got != "docs_search_0342853a" {
		t.Errorf("%q", got)
	}
}

func TestNamingIsInjectiveAndStable(t *testing.T) {
	name := rapid.OneOf(rapid.SampledFrom([]string{"read", "a.b", "a_b", "a b", "a/b", "1a", "", strings.Repeat("x", 80), strings.Repeat("x", 81)}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		rule := rules[rapid.SampledFrom([]string{"openai", "anthropic", "google", "any"}).Draw(t, "rule")]
		tools := rapid.SliceOfNDistinct(name, 0, 12, rapid.ID).Draw(t, "tools")
		n, err := NewNaming(tools, rule)
		if err != nil {
			t.Fatal(err)
		}
		shuffled := rapid.Permutation(tools).Draw(t, "shuffled")
		other, err := NewNaming(shuffled, rule)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, tool := range tools {
			w := n.Wire(tool)
			if !rule.Accepts(w) || seen[w] || n.Tool(w) != tool {
				t.Fatalf("%q → %q → %q", tool, w, n.Tool(w))
			}
			if rule.Accepts(tool) && w != tool || other.Wire(tool) != w {
				t.Fatalf("%q is %q here and %q there", tool, w, other.Wire(tool))
			}
			seen[w] = true
		}
		old := name.Filter(func(s string) bool { return !slices.Contains(tools, s) }).Draw(t, "an older call's")
		if w := n.Wire(old); !rule.Accepts(w) || seen[w] {
			t.Fatalf("the name of an older call, %q, became %q", old, w)
		}
	})
}
