package policy

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
)

func entries(line int, texts ...string) []Entry {
	var out []Entry
	for i, s := range texts {
		out = append(out, Entry{Text: s, Pos: toolrest.Pos{File: "t.json5", Line: line, Col: 1 + i}})
	}
	return out
}

func list(line int, texts ...string) List {
	return List{Set: true, Entries: entries(line, texts...), Pos: toolrest.Pos{File: "t.json5", Line: line, Col: 1}}
}

func decide(d Dialect, s Scopes, name string) Trace {
	s.Dialect = d
	return Compile(d, Layers(s)).Decide(Tool{Name: name})
}

func TestOneLayer(t *testing.T) {
	for _, c := range []struct {
		name        string
		allow, deny []string
		tool        string
		def, oc     bool // kept in each dialect
	}{
		{"no lists", nil, nil, "exec", true, true},
		{"allowed", []string{"read"}, nil, "read", true, true},
		{"not in the list", []string{"read"}, nil, "exec", false, false},
		{"denied", nil, []string{"exec"}, "exec", false, false},
		{"deny beats allow", []string{"exec"}, []string{"exec"}, "exec", false, false},
		{"alias and case", nil, []string{" BASH "}, "exec", false, false},
		{"group", nil, []string{"group:runtime"}, "exec", false, false},
		{"group, other section", nil, []string{"group:runtime"}, "read", true, true},
		{"unknown group matches nothing", []string{"group:none"}, nil, "exec", false, false},
		{"glob", []string{"web_*"}, nil, "web_fetch", true, true},
		{"glob misses", []string{"web_*"}, nil, "exec", false, false},
		{"star", []string{"*"}, nil, "exec", true, true},
		{"star denied", nil, []string{"*"}, "exec", false, false},
		{"allow write allows apply_patch", []string{"write"}, nil, "apply_patch", true, true},
		{"allow group:fs but not by name", []string{"group:fs"}, nil, "apply_patch", true, true},
		{"allow apply_patch does not allow write", []string{"apply_patch"}, nil, "write", false, false},
		{"deny write denies apply_patch", nil, []string{"write"}, "apply_patch", false, true},
		{"deny wri* denies apply_patch", nil, []string{"wri*"}, "apply_patch", false, true},
		{"deny apply_patch leaves write", nil, []string{"apply-patch"}, "write", true, true},
		{"deny apply_patch beats the link", []string{"write"}, []string{"apply_patch"}, "apply_patch", false, false},
		{"an accident of names", []string{"constructor"}, nil, "exec", false, false},
	} {
		var s Scopes
		if c.allow != nil {
			s.Global.Allow = list(1, c.allow...)
		}
		if c.deny != nil {
			s.Global.Deny = list(2, c.deny...)
		}
		if got := decide(Default, s, c.tool).Kept; got != c.def {
			t.Errorf("%s: Default keeps %s: %v, want %v", c.name, c.tool, got, c.def)
		}
		if got := decide(OpenClaw, s, c.tool).Kept; got != c.oc {
			t.Errorf("%s: OpenClaw keeps %s: %v, want %v", c.name, c.tool, got, c.oc)
		}
	}
}

func TestProfiles(t *testing.T) {
	agent := &Section{Path: "agents.list[0].tools", AlsoAllow: list(5, "tts")}
	for _, c := range []struct {
		name string
		s    Scopes
		tool string
		kept bool
	}{
		{"default profile", Scopes{DefaultProfile: "coding"}, "exec", true},
		{"default profile lacks", Scopes{DefaultProfile: "coding"}, "message", false},
		{"written profile wins", Scopes{DefaultProfile: "coding", Global: Section{Profile: "minimal"}}, "exec", false},
		{"agent's profile wins", Scopes{Global: Section{Profile: "minimal"}, Agent: &Section{Profile: "coding"}}, "exec", true},
		{"full", Scopes{Global: Section{Profile: "full"}}, "anything", true},
		{"alsoAllow widens", Scopes{Global: Section{Profile: "minimal", AlsoAllow: list(1, "exec")}}, "exec", true},
		{"the agent's alsoAllow replaces the global one", Scopes{Global: Section{Profile: "minimal", AlsoAllow: list(1, "exec")}, Agent: agent}, "exec", false},
		{"the agent's alsoAllow counts", Scopes{Global: Section{Profile: "minimal"}, Agent: agent}, "tts", true},
		{"an empty one of the agent switches it off", Scopes{Global: Section{Profile: "minimal", AlsoAllow: list(1, "exec")}, Agent: &Section{AlsoAllow: List{Set: true}}}, "exec", false},
		{"a later allow revives nothing", Scopes{Global: Section{Profile: "minimal", Allow: list(1, "exec")}}, "exec", false},
		{"alsoAllow without profile restricts nothing", Scopes{Global: Section{AlsoAllow: list(1, "tts")}}, "exec", true},
	} {
		if got := decide(Default, c.s, c.tool); got.Kept != c.kept {
			t.Errorf("%s: kept %v, want %v (%+v)", c.name, got.Kept, c.kept, got.Steps)
		}
	}
}

func TestPluginEntries(t *testing.T) {
	tool := Tool{Name: "kb__find", Plugin: "bundle-mcp"}
	for entry, kept := range map[string]bool{
		"bundle-mcp": true, "group:plugins": true, "kb__*": true, "kb__find": true, "kb": false, "group:fs": false,
	} {
		p := Compile(Default, Layers(Scopes{Global: Section{Allow: list(1, entry)}}))
		if got := p.Decide(tool).Kept; got != kept {
			t.Errorf("allow %s keeps the MCP tool: %v, want %v", entry, got, kept)
		}
	}
}

func TestTraceNamesLayerRuleAndPlace(t *testing.T) {
	s := Scopes{
		DefaultProfile: "coding",
		Global:         Section{Path: "tools", Deny: list(3, "cron")},
		AgentID:        "ops",
		Agent:          &Section{Path: "agents.list[0].tools", Deny: list(9, "read", "group:runtime")},
	}
	removing := decide(Default, s, "exec").Removing()
	want := Step{
		Layer: "agents.ops.tools.deny", Effect: Denied, Rule: "group:runtime", Via: "group",
		Pos: toolrest.Pos{File: "t.json5", Line: 9, Col: 2}, Member: "exec", Members: 3,
		Place: PlaceAgent,
	}
	if len(removing) != 1 || removing[0] != want {
		t.Fatalf("removing = %+v\nwant %+v", removing, want)
	}
	if got := removing[0].Reason(); got != "denied by agents.ops.tools.deny, rule 'group:runtime' (group)" {
		t.Errorf("reason: %s", got)
	}
}

func TestFix(t *testing.T) {
	conflict := Section{Path: "tools", Profile: "minimal", Allow: list(2, "read")}
	for _, c := range []struct {
		name string
		s    Scopes
		tool string
		want []Edit
	}{
		{
			"nothing to change", Scopes{}, "exec", nil,
		},
		{
			"every entry that denies", Scopes{Global: Section{Path: "tools", Deny: list(4, "bash", "read", "ex*")}}, "exec",
			[]Edit{
				{Op: EditRemove, Path: "tools.deny", Value: "bash", Pos: toolrest.Pos{File: "t.json5", Line: 4, Col: 1}},
				{Op: EditRemove, Path: "tools.deny", Value: "ex*", Pos: toolrest.Pos{File: "t.json5", Line: 4, Col: 3}},
			},
		},
		{
			"the built-in profile", Scopes{DefaultProfile: "coding"}, "tts",
			[]Edit{{Op: EditAdd, Path: "tools.alsoAllow", Value: "tts"}},
		},
		{
			"an allow list beside the profile", Scopes{Global: conflict}, "exec",
			[]Edit{
				{Op: EditSet, Path: "tools.profile", Value: "full"},
				{Op: EditAdd, Path: "tools.allow", Value: "exec", Pos: toolrest.Pos{File: "t.json5", Line: 2, Col: 1}},
			},
		},
		{
			"the write that denies apply_patch", Scopes{Global: Section{Path: "tools", Deny: list(1, "write")}}, "apply_patch",
			[]Edit{{Op: EditRemove, Path: "tools.deny", Value: "write", Pos: toolrest.Pos{File: "t.json5", Line: 1, Col: 1}}},
		},
	} {
		got := Compile(Default, Layers(c.s)).Allow(Tool{Name: c.tool})
		if !slices.Equal(got.Edits, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got.Edits, c.want)
		}
	}
}

func TestBaselineOnlyTightens(t *testing.T) {
	base := BaselineLayer("coding", "run: toolrest trust")
	s := Scopes{Baseline: &base, Global: Section{Profile: "full", AlsoAllow: list(1, "message")}}
	if decide(Default, s, "message").Kept {
		t.Error("an untrusted config let a tool through that the built-in profile lacks")
	}
	if !decide(Default, s, "exec").Kept {
		t.Error("exec is in the built-in profile")
	}
	fix := Compile(Default, Layers(s)).Allow(Tool{Name: "message"})
	if !slices.Equal(fix.Remedies, []string{"run: toolrest trust"}) {
		t.Errorf("fix = %+v", fix)
	}
}

// A glob is an anchored regular expression in which only the star is special.
func TestGlobAgainstRegexp(t *testing.T) {
	alphabet := rapid.SliceOfN(rapid.SampledFrom([]rune("ab*.\n")), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		pattern, name := string(alphabet.Draw(t, "pattern")), string(alphabet.Draw(t, "name"))
		if !isGlob(pattern) {
			pattern += "*"
		}
		expr := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, "[^\\n\\r\u2028\u2029]*")
		want := regexp.MustCompile(`\A` + expr + `\z`).MatchString(name)
		if got := compileGlob(pattern).match(name); got != want {
			t.Fatalf("%q matches %q: %v, want %v", pattern, name, got, want)
		}
	})
}

var (
	someTools   = []string{"read", "write", "apply_patch", "exec", "process", "web_fetch", "kb__find", "tts"}
	someEntries = rapid.SampledFrom([]string{
		"read", "write", "apply_patch", "BASH", "exec", "group:fs", "group:runtime", "group:openclaw", "*", "web_*", "*_*", "kb__*", "nonsense", " ",
	})
)

func drawSection(t *rapid.T, name string, line int) Section {
	s := Section{Path: name}
	if allow := rapid.SliceOfN(someEntries, 0, 3).Draw(t, name+".allow"); len(allow) > 0 {
		s.Allow = list(line, allow...)
	} else if also := rapid.SliceOfN(someEntries, 0, 3).Draw(t, name+".alsoAllow"); len(also) > 0 {
		s.AlsoAllow = list(line+1, also...)
	}
	if deny := rapid.SliceOfN(someEntries, 0, 3).Draw(t, name+".deny"); len(deny) > 0 {
		s.Deny = list(line+2, deny...)
	}
	s.Profile = rapid.SampledFrom([]string{"", "minimal", "coding", "full"}).Draw(t, name+".profile")
	return s
}

func drawScopes(t *rapid.T) Scopes {
	s := Scopes{DefaultProfile: "coding", AgentID: "a", Global: drawSection(t, "tools", 10)}
	if rapid.Bool().Draw(t, "agent") {
		agent := drawSection(t, "agents.list[0].tools", 20)
		s.Agent = &agent
	}
	return s
}

// The proposed edits, applied to the scopes, let the tool through.
func TestFixWorks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScopes(t)
		name := rapid.SampledFrom(someTools).Draw(t, "tool")
		for _, e := range Compile(Default, Layers(s)).Allow(Tool{Name: name}).Edits {
			apply(t, &s, e)
		}
		if trace := decide(Default, s, name); !trace.Kept {
			t.Fatalf("%s is still removed: %+v", name, trace.Removing())
		}
	})
}

func apply(t *rapid.T, s *Scopes, e Edit) {
	section, key, _ := strings.Cut(strings.TrimPrefix(e.Path, "agents.list[0]."), ".")
	if section != "tools" {
		t.Fatalf("edit of %s", e.Path)
	}
	target := &s.Global
	if strings.HasPrefix(e.Path, "agents.") {
		target = s.Agent
	}
	lists := map[string]*List{"allow": &target.Allow, "alsoAllow": &target.AlsoAllow, "deny": &target.Deny}
	switch e.Op {
	case EditSet:
		target.Profile = e.Value
	case EditAdd:
		l := lists[key]
		l.Set, l.Entries = true, append(slices.Clone(l.Entries), Entry{Text: e.Value})
		if key == "alsoAllow" && len(target.Allow.Entries) > 0 {
			t.Fatalf("%s beside an allow list is refused by the config", e.Path)
		}
	case EditRemove:
		l := lists[key]
		l.Entries = slices.DeleteFunc(slices.Clone(l.Entries), func(x Entry) bool { return x.Pos == e.Pos && x.Text == e.Value })
	}
}
