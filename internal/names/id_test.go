package names

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAgentID(t *testing.T) {
	a := strings.Repeat("a", 70)
	for in, want := range map[string]string{
		"Main": "main", "my agent": "my-agent", "-a-": "a", "--": "main", "": "main", "日本": "main", a: a[:64], a[:64]: a[:64],
		"a_b-": "a_b-", "_a": "_a", "a.b..c": "a-b-c", "A B ": "a-b", "a - b": "a---b",
		strings.Repeat("-", 70) + "x": "x", a[:63] + "--b": a[:63] + "-",
	} {
		if got := AgentID(in); got != want {
			t.Errorf("AgentID(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAgentIDIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := AgentID(rapid.String().Draw(t, "text"))
		if id == "" || len(id) > maxAgent || strings.IndexFunc(id, isNoID) >= 0 {
			t.Fatalf("%q", id)
		}
	})
}

func TestAgentOf(t *testing.T) {
	for _, c := range []struct{ explicit, session, want string }{
		{"Coder", "agent:other:main", "coder"},
		{" ", "agent:Other:main", "other"},
		{"", "agent::x:y", "x"},
		{"", "AGENT:a:b", "a"},
		{"", " agent:z:b ", "z"},
		{"", "agent:a b:c", "a-b"},
		{"", "agent:a", "main"},
		{"", "agent:x:", "main"},
		{"", "subagent:q", "main"},
		{"", "main", "main"},
		{"", "", ""},
		{"", " ", ""},
	} {
		if got := AgentOf(c.explicit, c.session); got != c.want {
			t.Errorf("AgentOf(%q, %q) = %q, want %q", c.explicit, c.session, got, c.want)
		}
	}
	if id, rest, ok := SplitSession("agent:A:telegram:group:-1"); id != "A" || rest != "telegram:group:-1" || !ok {
		t.Errorf("%q, %q, %v", id, rest, ok)
	}
}

func TestProviderKey(t *testing.T) {
	for in, want := range map[string]string{
		"OpenAI": "openai", " OpenAI / GPT-5 ": "openai/ gpt-5", "openai/": "openai", "/x": "/x", " /x": "/x",
		"a/b/c": "a/b/c", "openai /gpt": "openai/gpt", "a//b": "a//b", "/": "/", "": "", "  ": "",
	} {
		if got := ProviderKey(in); got != want {
			t.Errorf("ProviderKey(%q) = %q, want %q", in, got, want)
		}
	}
}
