package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// brings is a plugin whose code registers the tools one by one, as its
// manifest declares them.
func brings(id string, tools ...string) policy.Plugin {
	p := policy.Plugin{ID: id, Declares: tools}
	for _, name := range tools {
		p.Brings = append(p.Brings, registers(name))
	}
	return p
}

func registers(names ...string) policy.Registration {
	r := policy.Registration{Names: names}
	for _, name := range names {
		r.Tools = append(r.Tools, policy.BroughtTool{Name: name})
	}
	return r
}

func with(p policy.Plugin, change func(*policy.Plugin)) policy.Plugin {
	change(&p)
	return p
}

// loads gives the tools as "plugin/tool", with a question mark behind the
// optional ones, and those that are left out.
func loads(plugins []policy.Plugin, existing []string, l *policy.Loading) (tools, out string) {
	got, left := policy.PluginTools(plugins, existing, l)
	var a, b []string
	for _, tool := range got {
		name := tool.Plugin + "/" + tool.Name
		if tool.Optional {
			name += "?"
		}
		a = append(a, name)
	}
	for _, l := range left {
		b = append(b, l.Plugin+"/"+l.Tool+": "+l.Why)
	}
	return strings.Join(a, " "), strings.Join(b, "\n")
}

func TestPluginTools(t *testing.T) {
	for _, c := range []struct {
		name      string
		plugins   []policy.Plugin
		existing  []string
		want, out string
	}{
		{"as they come", []policy.Plugin{brings("kb", "kb_find", "kb_add"), brings("a", "b")}, nil, "kb/kb_find kb/kb_add a/b", ""},
		{"first come, first served", []policy.Plugin{brings("one", "x"), brings("two", "X ", "y")}, nil, "one/x two/y",
			"two/X: another tool has the name"},
		{"a name twice in one plugin", []policy.Plugin{brings("kb", "a", "a")}, nil, "kb/a", "kb/a: another tool has the name"},
		{"core comes first", []policy.Plugin{brings("kb", "bash", "ok")}, []string{"exec"}, "kb/ok", "kb/bash: another tool has the name"},
		{"an id that is a tool's name", []policy.Plugin{brings("Apply-Patch", "ok")}, []string{"apply_patch"}, "",
			"Apply-Patch/: the plugin's id Apply-Patch is the name of a tool"},
		{"an id that is an earlier plugin's tool", []policy.Plugin{brings("one", "two"), brings("two", "x")}, nil, "one/two",
			"two/: the plugin's id two is the name of a tool"},
		{"nothing declared", []policy.Plugin{{ID: "kb", Declares: []string{" "}, Brings: []policy.Registration{registers("a")}}}, nil, "",
			"kb/: its manifest declares no tools, so it can register none"},
		{"an undeclared name takes the whole registration", []policy.Plugin{{ID: "kb", Declares: []string{"a"}, Brings: []policy.Registration{registers("a", "b"), registers("a")}}},
			nil, "kb/a", "kb/b: its manifest does not declare the tool, so the whole registration is left out"},
		{"a factory brings what nobody declared", []policy.Plugin{{ID: "kb", Declares: []string{"a"}, Brings: []policy.Registration{{Tools: registers("a", "b").Tools}}}},
			nil, "kb/a", "kb/b: its manifest does not declare the tool"},
		{"a factory breaks", []policy.Plugin{{ID: "kb", Declares: []string{"a"}, Brings: []policy.Registration{{Names: []string{"a"}, Failed: true, Tools: registers("a").Tools}}}},
			nil, "", "kb/: the factory of its tools failed (a)"},
		{"a tool without a name", []policy.Plugin{{ID: "kb", Declares: []string{"a"}, Brings: []policy.Registration{{Tools: []policy.BroughtTool{{Name: " "}}}}}},
			nil, "", "kb/ : it has no name\nkb/a: its manifest declares the tool, and its code did not bring it: there is nothing to run"},
		{"declared and never brought, which is said once", []policy.Plugin{{ID: "kb", Declares: []string{"a", "b", "b "}, Brings: []policy.Registration{registers("a")}}},
			nil, "kb/a", "kb/b: its manifest declares the tool, and its code did not bring it: there is nothing to run"},
		{"a malformed tool", []policy.Plugin{{ID: "kb", Declares: []string{"a"}, Brings: []policy.Registration{{Tools: []policy.BroughtTool{{Name: "a", Malformed: "it has nothing to run"}}}}}},
			nil, "", "kb/a: it has nothing to run"},
		{"what lacks its settings", []policy.Plugin{with(brings("kb", "a", "b"), func(p *policy.Plugin) {
			p.Traits = map[string]policy.ToolTraits{"a": {Lacking: true}}
		})}, nil, "kb/b", ""},
		{"optional by the manifest, or by the code", []policy.Plugin{with(brings("kb", "a", "b", "c"), func(p *policy.Plugin) {
			p.Traits, p.Brings[1].Optional = map[string]policy.ToolTraits{"a": {Optional: true}}, true
		})}, nil, "kb/a? kb/b? kb/c", ""},
	} {
		got, out := loads(c.plugins, c.existing, nil)
		if got != c.want || out != c.out {
			t.Errorf("%s:\n got %q and %q\nwant %q and %q", c.name, got, out, c.want, c.out)
		}
	}
}

// Row 6 of the table of decisions: in the dialect OpenClaw lists decide about
// loading by exact names; in Default all tools load and the layers decide.
func TestLoading(t *testing.T) {
	plugins := []policy.Plugin{
		with(brings("kb", "kb_find", "kb_more"), func(p *policy.Plugin) { p.Brings[1].Optional = true }),
		with(brings("memory", "memory_get", "memory_put"), func(p *policy.Plugin) {
			p.Traits = map[string]policy.ToolTraits{"memory_put": {Optional: true}}
		}),
		{ID: "maker", Declares: []string{"made"}, Brings: []policy.Registration{{Tools: registers("made").Tools}}},
	}
	const required = "kb/kb_find memory/memory_get maker/made"
	const all = "kb/kb_find kb/kb_more? memory/memory_get memory/memory_put? maker/made"
	for _, c := range []struct{ name, config, want string }{
		{"no lists", `{}`, required},
		{"a name", `{tools:{allow:["KB_More"]}}`, "kb/kb_more?"},
		{"a name beside those that come by themselves", `{tools:{alsoAllow:["kb_more"]}}`, "kb/kb_find kb/kb_more? memory/memory_get maker/made"},
		{"an id", `{tools:{allow:["Memory"]}}`, "memory/memory_get memory/memory_put?"},
		{"all plugins", `{tools:{allow:["group:plugins"]}}`, all},
		{"everything", `{tools:{allow:["*"]}}`, all},
		{"everything, by the profile", `{tools:{profile:"full"}}`, all},
		{"a profile without its alsoAllow", `{tools:{profile:"minimal",alsoAllow:["kb_more"]}}`, "kb/kb_find kb/kb_more? memory/memory_get maker/made"},
		{"a profile that names a tool", `{tools:{profile:"coding"}}`, "memory/memory_get"},
		{"a glob", `{tools:{allow:["kb_*"]}}`, ""},
		{"a core group", `{tools:{allow:["group:memory"]}}`, ""},
		{"a denied tool", `{tools:{deny:["kb_*","made"]}}`, "memory/memory_get"},
		{"a denied plugin", `{tools:{deny:["MEMORY"]}}`, "kb/kb_find maker/made"},
		{"all plugins denied", `{tools:{deny:["group:plugins"]}}`, ""},
		{"denied by a glob of groups", `{tools:{deny:["group:*"]}}`, ""},
		{"a denied core group is a word", `{tools:{deny:["group:memory"]}}`, required},
	} {
		cfg := read(t, c.config)
		cfg.Dialect, cfg.DefaultProfile = policy.OpenClaw, ""
		res := policy.Resolve(cfg, policy.Context{})
		got, out := loads(plugins, nil, policy.NewLoading(policy.ExplicitLayers(cfg.Dialect, res.Layers, policy.Run{})))
		if got != c.want || out != "" {
			t.Errorf("%s: %q and %q, want %q", c.name, got, out, c.want)
		}
		if got, _ := loads(plugins, nil, nil); got != all {
			t.Errorf("%s: without lists %q come", c.name, got)
		}
	}
}

// Nothing that is loaded was there before or is there twice, and more lists
// never load more than none.
func TestLoadingOnlyRemoves(t *testing.T) {
	words := rapid.SampledFrom([]string{"a", "A", "b", "exec", "bash", "c", "kb", "*", "group:plugins", "b*", " "})
	list := rapid.SliceOfN(words, 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		var plugins []policy.Plugin
		for i := range rapid.IntRange(0, 3).Draw(t, "plugins") {
			p := policy.Plugin{ID: words.Draw(t, "id"), Declares: list.Draw(t, "declared"), Traits: map[string]policy.ToolTraits{}}
			p.Traits[words.Draw(t, "trait")] = policy.ToolTraits{Optional: i == 0, Lacking: i == 1}
			p.Brings = []policy.Registration{registers(list.Draw(t, "registered")...), {Tools: registers(list.Draw(t, "made")...).Tools, Optional: i == 2}}
			plugins = append(plugins, p)
		}
		existing := list.Draw(t, "existing")
		e := policy.Explicit{Allow: entry(list.Draw(t, "allow")...).Entries, Deny: entry(list.Draw(t, "deny")...).Entries, Defaults: rapid.Bool().Draw(t, "defaults")}
		some, _ := policy.PluginTools(plugins, existing, policy.NewLoading(e))
		seen := map[string]bool{}
		for _, name := range existing {
			seen[names.Normalise(name)] = true
		}
		for _, tool := range some {
			name := names.Normalise(tool.Name)
			if seen[name] {
				t.Fatalf("%q comes although it is taken", tool.Name)
			}
			seen[name] = true
			i := slices.IndexFunc(plugins, func(p policy.Plugin) bool {
				return p.ID == tool.Plugin && slices.Contains(p.Declares, strings.TrimSpace(tool.Name))
			})
			if i < 0 {
				t.Fatalf("%q of %q is not declared", tool.Name, tool.Plugin)
			}
		}
	})
}

func TestHostilePlugins(t *testing.T) {
	long := strings.Repeat("\x00\xff", 5<<10)
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprintf("tool_%d", i)
	}
	big := policy.Plugin{ID: long, Declares: many, Brings: []policy.Registration{registers(many...)}}
	denied, _ := policy.PluginTools([]policy.Plugin{big, {}, {ID: "x", Declares: []string{""}, Brings: []policy.Registration{{}}}}, many[:10],
		policy.NewLoading(policy.Explicit{Allow: entry(many...).Entries, Deny: entry(long, "tool_1*").Entries}))
	if len(denied) != 0 {
		t.Errorf("%d tools of a denied plugin", len(denied))
	}
	got, out := policy.PluginTools([]policy.Plugin{big}, many[:10], nil)
	if len(got) != len(many)-10 || len(out) != 10 {
		t.Errorf("%d tools, %d left out", len(got), len(out))
	}
}

func TestExplicitLists(t *testing.T) {
	e := policy.ExplicitSections(
		policy.Section{AlsoAllow: entry(" a", "A", "a ")}, policy.Section{},
		policy.Section{Allow: entry("*", "b"), Deny: entry("x", "x", " ")}, policy.Section{Allow: policy.List{Set: true}, AlsoAllow: entry("c")},
	)
	if got := textsOf(e.Allow); !slices.Equal(got, []string{"a", "A", "*", "b", "c"}) || !e.Defaults {
		t.Errorf("allow %q, defaults %v", got, e.Defaults)
	}
	if got := textsOf(e.Deny); !slices.Equal(got, []string{"x", "x"}) {
		t.Errorf("deny %q", got)
	}
	for name, s := range map[string]policy.Section{"nothing": {}, "blanks": {Allow: entry(" ")}, "everything": {Allow: entry("*")}, "a deny": {Deny: entry("x")}} {
		if s.Restrictive() {
			t.Errorf("%s restricts", name)
		}
	}
	if !(policy.Section{AlsoAllow: entry("x")}).Restrictive() {
		t.Error("an alsoAllow with a name does not count as restricting")
	}
}
