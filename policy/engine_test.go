package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
)

// A scene is a random pipeline and a random tool, drawn so that they meet.
type scene struct {
	dialect Dialect
	plugins []string
	layers  []Layer
	tool    Tool
}

var (
	sceneNames = rapid.SampledFrom([]string{
		"read", "write", "apply_patch", "Apply-Patch", "exec", "bash", "web_fetch", "kb__find", "kb__Find", "tts", "lobster",
		"group:fs", "group:plugins", "a*b", "line\nbreak", "p\u2028q", "", " ", "\xff\xfe", "constructor",
	})
	scenePlugins = rapid.SampledFrom([]string{"", "bundle-mcp", "Lobster", "lobster", "bash", "read"})
	sceneEntries = rapid.SampledFrom([]string{
		"read", "write", " WRITE", "apply_patch", "apply-patch", "exec", "BASH", "web_fetch", "kb__find", "lobster", "bundle-mcp",
		"group:fs", "group:runtime", "group:plugins", "group:nobody", "*", "**", "web_*", "*_*", "kb__*", "*h", "wri*", "tts*", "*exec", "a*b", "*b__f*",
		"line*", "p*q", "nonsense", "", " ", "\xff*", "constructor",
	})
)

func (s scene) compile() *Pipeline {
	return CompileWith(s.dialect, s.layers, &Options{Plugins: s.plugins})
}

func drawScene(t *rapid.T, most int) scene {
	s := scene{dialect: rapid.SampledFrom([]Dialect{Default, OpenClaw}).Draw(t, "dialect")}
	s.plugins = rapid.SliceOfN(scenePlugins, 0, 2).Draw(t, "plugins")
	for i := range rapid.IntRange(0, most).Draw(t, "layers") {
		s.layers = append(s.layers, drawLayer(t, i))
	}
	s.tool = drawTool(t)
	return s
}

func drawTool(t *rapid.T) Tool {
	return Tool{
		Name: sceneNames.Draw(t, "name"), Plugin: scenePlugins.Draw(t, "plugin"),
		FromPlugin: rapid.Bool().Draw(t, "fromPlugin"), Optional: rapid.Bool().Draw(t, "optional"),
	}
}

func drawLayer(t *rapid.T, i int) Layer {
	draw := func(kind string, line int) (out []Entry) {
		for j, text := range rapid.SliceOfN(sceneEntries, 0, 4).Draw(t, kind) {
			out = append(out, Entry{Text: text, Pos: toolrest.Pos{File: "s.json5", Line: 10*i + line, Col: j + 1}})
		}
		return out
	}
	path := fmt.Sprintf("l%d", i)
	l := Layer{
		Label: path + ".allow", Place: PlaceTools, AllowPath: path + ".allow", DenyPath: path + ".deny",
		AllowPos: toolrest.Pos{File: "s.json5", Line: 10*i + 1, Col: 1}, Allow: draw("allow", 2), Deny: draw("deny", 3),
	}
	switch rapid.SampledFrom([]string{"", "", "", "exact", "closed", "named", "implicit"}).Draw(t, "sort") {
	case "exact":
		l.Exact = true
	case "closed":
		l.Closed = true
	case "named":
		l.Named = true
	case "implicit":
		l.Implicit = true
		l.Allow = append([]Entry{{Text: "*"}}, l.Allow...)
	}
	return l
}

// plainly is the definition of a layer, entry by entry.
func (s scene) plainly(l *Layer) Effect {
	v := vocabulary{dialect: s.dialect, plugins: s.compile().plugins}
	subject, write := Prepare(s.tool), Subject{name: writeTool}
	link := subject.linked() && !l.Exact && !l.Named
	matches := func(list []Entry, link bool) bool {
		return slices.ContainsFunc(list, func(e Entry) bool {
			return v.means(l, e, &subject) || link && v.means(l, e, &write)
		})
	}
	if l.Named && !s.tool.Optional {
		return Passed
	}
	if matches(l.Deny, link && s.dialect == Default) {
		return Denied
	}
	written := l.Allow
	if l.unlimited() {
		written = l.Allow[1:]
	}
	usable := slices.ContainsFunc(written, func(e Entry) bool { _, k := v.read(l, e); return k != unusable })
	switch {
	case matches(written, link):
		return Allowed
	case l.Closed || l.Named || usable && !l.unlimited():
		return NotAllowed
	}
	return Passed
}

// The index over all layers gives what each layer says entry by entry.
func TestIndexAgreesWithThePlainReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 4)
		trace, kept := s.compile().Decide(s.tool), true
		for i, step := range trace.Steps {
			want := s.plainly(&s.layers[i])
			if step.Effect != want {
				t.Fatalf("layer %d does %s to %+v, want %s\n%+v", i, step.Effect, s.tool, want, s.layers[i])
			}
			kept = kept && !want.Removes()
		}
		if trace.Kept != kept {
			t.Fatalf("kept %v, want %v", trace.Kept, kept)
		}
	})
}

func TestVerdictAndReasonAgreeWithTheTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 4)
		p, subject := s.compile(), Prepare(s.tool)
		v, trace := p.Judge(&subject), p.Decide(s.tool)
		if v.Kept() != trace.Kept {
			t.Fatalf("judged %v, traced %v", v.Kept(), trace.Kept)
		}
		var want Step
		if removing := trace.Removing(); len(removing) > 0 {
			want = removing[0]
		}
		if got := p.Reason(&subject, v); got != want {
			t.Fatalf("reason %+v\nwant %+v", got, want)
		}
	})
}

// A removed tool has a reason, and a place in the file: of the first entry that
// denies it, or of the list that lacks it.
func TestRemovedToolsHaveAPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 4)
		for i, step := range s.compile().Decide(s.tool).Steps {
			switch step.Effect {
			case Denied:
				at := slices.IndexFunc(s.layers[i].Deny, func(e Entry) bool { return e.Pos == step.Pos })
				if at < 0 || s.layers[i].Deny[at].Text != step.Rule || step.Layer != DenyLabel(s.layers[i].Label) {
					t.Fatalf("%+v is none of %+v", step, s.layers[i].Deny)
				}
				if earlier := (scene{s.dialect, s.plugins, []Layer{{Label: "x", Deny: s.layers[i].Deny[:at], Exact: s.layers[i].Exact, Named: s.layers[i].Named}}, s.tool}); step.Via != viaWrite && earlier.compile().Decide(s.tool).Steps[0].Effect == Denied && earlier.compile().Decide(s.tool).Steps[0].Via != viaWrite {
					t.Fatalf("%+v is not the first entry that denies", step)
				}
			case NotAllowed:
				if step.Pos != s.layers[i].AllowPos {
					t.Fatalf("%+v does not tell where the list is", step)
				}
			}
			if step.Effect.Removes() && step.Reason() == "" {
				t.Fatalf("%+v has no reason", step)
			}
		}
	})
}

func TestNoLayerBringsAToolBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 4)
		kept := true
		for n := range len(s.layers) + 1 {
			shorter := s
			shorter.layers = s.layers[:n]
			now := shorter.compile().Decide(s.tool).Kept
			if now && !kept {
				t.Fatalf("layer %d brought %+v back", n, s.tool)
			}
			kept = now
		}
	})
}

func TestDenyIsFinal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 3)
		text := rapid.SampledFrom([]string{s.tool.Name, "*"}).Draw(t, "deny")
		at := rapid.IntRange(0, len(s.layers)).Draw(t, "at")
		s.layers = slices.Insert(slices.Clone(s.layers), at, Layer{
			Label: "tools.allow", Exact: text != "*", Allow: []Entry{{Text: "*"}, {Text: s.tool.Name}}, Deny: []Entry{{Text: text}},
		})
		if text != "" && s.compile().Decide(s.tool).Kept {
			t.Fatalf("%+v is kept although %q is denied", s.tool, text)
		}
	})
}

func TestOrderOfEntriesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 3)
		mixed := s
		mixed.layers = slices.Clone(s.layers)
		for i := range mixed.layers {
			l := &mixed.layers[i]
			l.Deny = rapid.Permutation(l.Deny).Draw(t, "deny")
			if !l.Implicit { // its star is at the head
				l.Allow = rapid.Permutation(l.Allow).Draw(t, "allow")
			}
		}
		one, other := s.compile().Decide(s.tool), mixed.compile().Decide(s.tool)
		for i := range one.Steps {
			if one.Steps[i].Effect != other.Steps[i].Effect {
				t.Fatalf("%+v depends on the order of %+v", s.tool, s.layers[i])
			}
		}
	})
}

// The proposed edits, applied to the layers, let the tool through, unless it is
// said that no entry can.
func TestEditsLetTheToolThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 4)
		before := s.compile()
		fix := before.Allow(s.tool)
		if fix.Empty() != before.Decide(s.tool).Kept {
			t.Fatalf("fix %+v for a tool that is kept: %v", fix, before.Decide(s.tool).Kept)
		}
		if len(fix.Remedies) > 0 {
			return
		}
		s.layers = slices.Clone(s.layers)
		for _, e := range fix.Edits {
			s.edit(t, e)
		}
		if trace := s.compile().Decide(s.tool); !trace.Kept {
			t.Fatalf("%+v is still removed after %s: %+v", s.tool, fix, trace.Removing())
		}
	})
}

func (s scene) edit(t *rapid.T, e Edit) {
	for i := range s.layers {
		l := &s.layers[i]
		switch e.Path {
		case l.AllowPath:
			l.Allow = append(slices.Clone(l.Allow), Entry{Text: e.Value})
			return
		case l.DenyPath:
			before := len(l.Deny)
			l.Deny = slices.DeleteFunc(slices.Clone(l.Deny), func(x Entry) bool { return x.Text == e.Value && x.Pos == e.Pos })
			if len(l.Deny) != before-1 {
				t.Fatalf("%s removes %d entries", e, before-len(l.Deny))
			}
			return
		}
	}
	t.Fatalf("no layer has %s", e.Path)
}

// Removals counts every removed tool once, for the layer that did it.
func TestRemovalsCountEachToolOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 4)
		var tools []Tool
		for range rapid.IntRange(0, 12).Draw(t, "tools") {
			tools = append(tools, drawTool(t))
		}
		p := s.compile()
		want, got := map[string]bool{}, map[string]bool{}
		for _, tool := range tools {
			if removing := p.Decide(tool).Removing(); len(removing) > 0 {
				want[removing[0].Layer+" "+Prepared(tool)] = true
			}
		}
		for _, r := range Removals(p, tools) {
			if !slices.IsSorted(r.Tools) || !slices.IsSorted(r.Matched) || (r.Kind == RemovedByDeny) != (len(r.Matched) > 0) {
				t.Fatalf("%+v", r)
			}
			for _, name := range r.Tools {
				got[r.Rule+" "+name] = true
			}
		}
		if len(got) != len(want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
		for key := range want {
			if !got[key] {
				t.Fatalf("%s is missing in %v", key, got)
			}
		}
	})
}

// Prepared is the name as it is compared.
func Prepared(t Tool) string {
	s := Prepare(t)
	return s.name
}

// More layers than one index holds are judged alike.
func TestManyLayers(t *testing.T) {
	var layers []Layer
	for i := range 3*blockSize + 5 {
		layers = append(layers, Layer{Label: fmt.Sprintf("l%d.allow", i), Deny: []Entry{{Text: fmt.Sprintf("t%d", i)}}, Allow: []Entry{{Text: "t*"}}})
	}
	p := Compile(Default, layers)
	for i := range layers {
		name := fmt.Sprintf("t%d", i)
		subject := Prepare(Tool{Name: name})
		step := p.Reason(&subject, p.Judge(&subject))
		if want := fmt.Sprintf("l%d.deny", i); step.Layer != want || step.Rule != name {
			t.Fatalf("%s is removed by %+v, want %s", name, step, want)
		}
	}
	if trace := p.Decide(Tool{Name: "t-kept"}); !trace.Kept || len(trace.Steps) != len(layers) {
		t.Errorf("kept %v after %d steps", trace.Kept, len(trace.Steps))
	}
}

func TestKindsOfLayers(t *testing.T) {
	entry := func(texts ...string) (out []Entry) {
		for _, text := range texts {
			out = append(out, Entry{Text: text})
		}
		return out
	}
	optional := Tool{Name: "lobster_cook", Plugin: "lobster", Optional: true}
	for _, c := range []struct {
		name    string
		layer   Layer
		plugins []string
		tool    Tool
		def, oc Effect
	}{
		{"exact: the very name", Layer{Exact: true, Allow: entry("tts")}, nil, Tool{Name: "tts"}, Allowed, Allowed},
		{"exact: no other case", Layer{Exact: true, Deny: entry("TTS")}, nil, Tool{Name: "tts"}, Passed, Passed},
		{"exact: no group", Layer{Exact: true, Allow: entry("group:fs")}, nil, Tool{Name: "read"}, NotAllowed, NotAllowed},
		{"exact: no star", Layer{Exact: true, Allow: entry("*")}, nil, Tool{Name: "read"}, NotAllowed, NotAllowed},
		{"exact: no link to write", Layer{Exact: true, Allow: entry("write")}, nil, Tool{Name: "apply_patch"}, NotAllowed, NotAllowed},
		{"an empty list", Layer{Allow: entry()}, nil, Tool{Name: "read"}, Passed, Passed},
		{"a blank list", Layer{Allow: entry(" ")}, nil, Tool{Name: "read"}, Passed, Passed},
		{"closed: no list", Layer{Closed: true}, nil, Tool{Name: "read"}, NotAllowed, NotAllowed},
		{"closed: a blank list", Layer{Closed: true, Allow: entry(" ")}, nil, Tool{Name: "read"}, NotAllowed, NotAllowed},
		{"named: other tools pass", Layer{Named: true}, nil, Tool{Name: "read"}, Passed, Passed},
		{"named: other tools are not denied", Layer{Named: true, Deny: entry("*")}, nil, Tool{Name: "read"}, Passed, Passed},
		{"named: nothing names it", Layer{Named: true}, nil, optional, NotAllowed, NotAllowed},
		{"named: its name", Layer{Named: true, Allow: entry("Lobster_Cook")}, nil, optional, Allowed, Allowed},
		{"named: its plugin", Layer{Named: true, Allow: entry("lobster")}, nil, optional, Allowed, Allowed},
		{"named: all plugins", Layer{Named: true, Allow: entry("group:plugins")}, nil, optional, Allowed, Allowed},
		{"named: a glob", Layer{Named: true, Allow: entry("lobster_*")}, nil, optional, NotAllowed, NotAllowed},
		{"named: a star", Layer{Named: true, Allow: entry("*")}, nil, optional, NotAllowed, Allowed},
		{"named: a core group", Layer{Named: true, Allow: entry("group:memory")}, nil, Tool{Name: "memory_get", Plugin: "memory-core", Optional: true}, NotAllowed, NotAllowed},
		{"named: no link to write", Layer{Named: true, Allow: entry("write")}, nil, Tool{Name: "apply_patch", Plugin: "p", Optional: true}, NotAllowed, NotAllowed},
		{"an id that is a name, too", Layer{Deny: entry("exec")}, []string{"exec"}, Tool{Name: "exec"}, Denied, Passed},
		{"a name that is an id, too", Layer{Deny: entry("exec")}, []string{"exec"}, Tool{Name: "run", Plugin: "exec"}, Denied, Denied},
		{"an alias is no id", Layer{Allow: entry("bash")}, []string{"bash"}, Tool{Name: "run", Plugin: "bash"}, NotAllowed, NotAllowed},
		{"a plugin without an id", Layer{Allow: entry("group:plugins")}, nil, Tool{Name: "x", FromPlugin: true}, Allowed, Allowed},
		{"only the star crosses lines", Layer{Deny: entry("**")}, nil, Tool{Name: "a\nb"}, Passed, Passed},
		{"the star crosses lines", Layer{Deny: entry("*")}, nil, Tool{Name: "a\nb"}, Denied, Denied},
	} {
		c.layer.Label = "tools.allow"
		for d, want := range map[Dialect]Effect{Default: c.def, OpenClaw: c.oc} {
			p := CompileWith(d, []Layer{c.layer}, &Options{Plugins: c.plugins})
			if got := p.Decide(c.tool).Steps[0].Effect; got != want {
				t.Errorf("%s: %s in dialect %d, want %s", c.name, got, d, want)
			}
		}
	}
}

// What a step says of itself, where the layer's own label would mislead.
func TestStepsReadWell(t *testing.T) {
	for _, c := range []struct {
		name  string
		layer Layer
		want  Step
	}{
		{
			"a deny that passes", Layer{Label: "agents.x.tools.allow", Place: PlaceAgent, Deny: []Entry{{Text: "read"}}},
			Step{Layer: "agents.x.tools.deny", Effect: Passed, Place: PlaceAgent},
		},
		{
			"alsoAllow alone", Layer{Label: "tools.allow", Place: PlaceTools, Implicit: true, Allow: []Entry{{Text: "*"}, {Text: "tts"}}},
			Step{Layer: "tools.alsoAllow", Effect: Passed, Place: PlaceTools, Why: "alsoAllow without an allow list restricts nothing"},
		},
		{
			"alsoAllow with the tool", Layer{Label: "tools.allow", Place: PlaceTools, Implicit: true, Allow: []Entry{{Text: "*"}, {Text: "exec"}}},
			Step{Layer: "tools.allow", Effect: Allowed, Place: PlaceTools, Rule: "exec"},
		},
		{
			"a filter", Layer{Label: "voice channel", Place: PlaceMessageProvider, Exact: true, Deny: []Entry{{Text: "exec"}}, Why: "it cannot carry it"},
			Step{Layer: "voice channel", Effect: Denied, Place: PlaceMessageProvider, Rule: "exec", Why: "it cannot carry it"},
		},
		{
			"a group", Layer{Label: "tools.allow", Place: PlaceTools, Deny: []Entry{{Text: "Group:Runtime"}}},
			Step{Layer: "tools.deny", Effect: Denied, Place: PlaceTools, Rule: "Group:Runtime", Via: "group", Member: "exec", Members: 3},
		},
	} {
		if got := Compile(Default, []Layer{c.layer}).Decide(Tool{Name: "exec"}).Steps[0]; got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
	filtered := Step{Layer: "voice channel", Effect: Denied, Rule: "exec", Why: "it cannot carry it"}
	if got := filtered.Reason(); got != "removed by voice channel: it cannot carry it" {
		t.Errorf("reason: %s", got)
	}
}

// A name that no entry can mean alone gets advice, never an edit that opens
// more.
func TestNamesThatNoEntryMeans(t *testing.T) {
	closed := []Layer{{Label: "tools.allow", AllowPath: "tools.allow", Allow: []Entry{{Text: "read"}}}}
	for _, c := range []struct {
		tool Tool
		edit string
	}{
		{Tool{Name: "fine"}, "fine"},
		{Tool{Name: "a*b"}, ""},
		{Tool{Name: "group:fs"}, ""},
		{Tool{Name: "group:fs", Plugin: "P"}, "p"},
		{Tool{Name: " "}, ""},
	} {
		fix := Compile(Default, closed).Allow(c.tool)
		switch {
		case c.edit == "" && (len(fix.Edits) > 0 || len(fix.Remedies) != 1):
			t.Errorf("%q: %s", c.tool.Name, fix)
		case c.edit != "" && (len(fix.Edits) != 1 || fix.Edits[0].Value != c.edit):
			t.Errorf("%q: %s", c.tool.Name, fix)
		}
	}
}

func TestJudgingAllocatesNothing(t *testing.T) {
	p := Compile(Default, []Layer{
		{Label: "a", Allow: []Entry{{Text: "group:fs"}, {Text: "srv*"}, {Text: "*_get"}, {Text: "bundle-mcp"}}},
		{Label: "b", Exact: true, Deny: []Entry{{Text: "tts"}}},
	})
	for _, name := range []string{"read", "srv1__get", "apply_patch", "nobody"} {
		s := Prepare(Tool{Name: name, Plugin: "bundle-mcp"})
		if n := testing.AllocsPerRun(100, func() { p.Judge(&s) }); n != 0 {
			t.Errorf("judging %s allocates %v times", name, n)
		}
	}
}

// Lists and names as nobody writes them are still lists and names.
func TestHostileInput(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	stars := strings.Repeat("*a", 20_000) + "*"
	var many []Entry
	for i := range 100_000 {
		switch i % 4 {
		case 0:
			many = append(many, Entry{Text: fmt.Sprintf("t%d", i)})
		case 1:
			many = append(many, Entry{Text: fmt.Sprintf("p%d_*", i)})
		case 2:
			many = append(many, Entry{Text: "*"})
		default:
			many = append(many, Entry{Text: "exec"})
		}
	}
	for _, c := range []struct {
		name string
		deny []Entry
		tool string
		want Effect
	}{
		{"many entries", many, "exec", Denied},
		{"many entries, first rule", many[3:], "exec", Denied},
		{"a long name", []Entry{{Text: long + "*"}}, long + "y", Denied},
		{"a long name, shorter", []Entry{{Text: long + "*"}}, long[1:], Passed},
		{"a long name from behind", []Entry{{Text: "*" + long}}, "y" + long, Denied},
		{"deep stars", []Entry{{Text: stars}}, strings.Repeat("a", 20_000), Denied},
		{"deep stars, one short", []Entry{{Text: stars}}, strings.Repeat("a", 19_999), Passed},
		{"invalid UTF-8", []Entry{{Text: "\xff*"}}, "\xffx", Denied},
		{"half a rune", []Entry{{Text: "\xe2*"}}, "\xe2\x80", Denied},
		{"NUL", []Entry{{Text: "a\x00*"}}, "a\x00b", Denied},
	} {
		p := Compile(Default, []Layer{{Label: "tools.allow", Deny: c.deny}})
		if got := p.Decide(Tool{Name: c.tool}).Steps[0].Effect; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := p.Allow(Tool{Name: c.tool}); got.Empty() != (c.want == Passed) {
			t.Errorf("%s: fix %d edits", c.name, len(got.Edits))
		}
	}
}
