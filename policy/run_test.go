package policy_test

import (
	"slices"
	"testing"

	"github.com/toolrest/toolrest/policy"
)

func textsOf(list []policy.Entry) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Text)
	}
	return out
}

func TestRunAllow(t *testing.T) {
	for _, c := range []struct {
		name    string
		list    policy.List
		message bool
		want    []string
	}{
		{"no list stays none", policy.List{}, true, nil},
		{"an empty list gets the message tool", policy.List{Set: true}, true, []string{"message"}},
		{"and none without need", policy.List{Set: true}, false, nil},
		{"it comes last", entry("read"), true, []string{"read", "message"}},
		{"and once", entry("read", " MESSAGE"), true, []string{"read", " MESSAGE"}},
		{"everything holds it", entry("read", " * "), true, []string{"read", " * "}},
	} {
		r := policy.Run{Allow: c.list, Message: c.message}
		got := r.RunAllow()
		if got.Set != c.list.Set || !slices.Equal(textsOf(got.Entries), c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	shared := policy.Run{Allow: policy.List{Set: true, Entries: entry("a", "b").Entries[:1]}, Message: true}
	if shared.RunAllow(); shared.Allow.Entries[:2][1].Text != "b" {
		t.Error("the caller's own list was written into")
	}
}

func TestNeeds(t *testing.T) {
	every := policy.Needs{Core: true, Plugins: true, MCP: true, LSP: true}
	for _, c := range []struct {
		name string
		list policy.List
		off  bool
		def  policy.Needs
		oc   policy.Needs
	}{
		{"no list", policy.List{}, false, every, every},
		{"switched off", policy.List{}, true, policy.Needs{}, policy.Needs{}},
		{"switched off, whatever is asked", entry("*"), true, policy.Needs{}, policy.Needs{}},
		{"everything", entry("read", " *"), false, every, every},
		{"nothing", policy.List{Set: true}, false, policy.Needs{}, policy.Needs{}},
		{"blanks", entry(" "), false, policy.Needs{}, policy.Needs{}},
		{"a core tool", entry("BASH"), false, policy.Needs{Core: true}, policy.Needs{Core: true}},
		{"a group", entry("group:web"), false, policy.Needs{Core: true, Plugins: true}, policy.Needs{Core: true, Plugins: true}},
		{"a tool that a plugin supplies", entry("memory_get"), false, policy.Needs{Plugins: true}, policy.Needs{Plugins: true}},
		{"a name that nobody knows", entry("lobster"), false, policy.Needs{Plugins: true}, policy.Needs{Plugins: true}},
		{"plugins", entry("group:plugins"), false, policy.Needs{Plugins: true, MCP: true}, policy.Needs{Plugins: true, MCP: true}},
		{"all servers", entry(" Bundle-MCP"), false, policy.Needs{MCP: true}, policy.Needs{MCP: true}},
		{"a server's tool", entry("mail__send"), false, policy.Needs{MCP: true}, policy.Needs{MCP: true}},
		{"a language server's", entry("lsp_hover"), false, policy.Needs{Plugins: true, LSP: true}, policy.Needs{Plugins: true, LSP: true}},
		{"a glob", entry("mail*"), false, every, policy.Needs{Plugins: true}},
		{"a glob of servers' tools", entry("*__*"), false, every, policy.Needs{MCP: true}},
	} {
		if got := policy.NeedsOf(policy.Default, c.list, c.off); got != c.def {
			t.Errorf("%s: Default needs %+v, want %+v", c.name, got, c.def)
		}
		if got := policy.NeedsOf(policy.OpenClaw, c.list, c.off); got != c.oc {
			t.Errorf("%s: OpenClaw needs %+v, want %+v", c.name, got, c.oc)
		}
	}
}
