package lint_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
	"github.com/toolrest/toolrest/policy/survey"
)

var someEntries = rapid.SampledFrom([]string{
	"read", "READ", "write", "apply_patch", "bash", "exec", "message", "cron", "session_status", "sessions_spawn", "image",
	"group:fs", "group:runtime", "group:web", "group:nope", "group:plugins", "web_*", "*_*", "*", " ", "nonsense",
	"wiki__search", "wiki__*", "bundle-mcp", "cam", "camera_*", "camera_pan", "kb__find", "kb__*", "*__find",
})

// drawing draws configs in which every entry has a place of its own.
type drawing struct {
	*rapid.T
	line int
}

func (d *drawing) list(name string, most int) policy.List {
	var l policy.List
	texts := rapid.SliceOfN(someEntries, 0, most).Draw(d.T, name)
	for i, text := range texts {
		l.Entries = append(l.Entries, policy.Entry{Text: text, Pos: d.pos(i)})
	}
	l.Set = len(texts) > 0 || rapid.IntRange(0, 9).Draw(d.T, name+" written") == 0
	l.Path, l.Pos = name, d.pos(0)
	d.line++
	return l
}

func (d *drawing) pos(col int) toolrest.Pos {
	return toolrest.Pos{File: "t.json5", Line: d.line + 1, Col: col + 1}
}

func (d *drawing) section(path string) policy.Section {
	return policy.Section{
		Path: path, Profile: rapid.SampledFrom([]string{"", "", "minimal", "coding", "messaging", "full"}).Draw(d.T, path+".profile"),
		Allow: d.list(path+".allow", 3), AlsoAllow: d.list(path+".alsoAllow", 2), Deny: d.list(path+".deny", 2),
	}
}

func (d *drawing) keyed(path string, keys ...string) []policy.KeyedSection {
	var out []policy.KeyedSection
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 2, rapid.ID).Draw(d.T, path+" keys") {
		out = append(out, policy.KeyedSection{Key: key, Section: d.section(path + "." + key)})
	}
	return out
}

func (d *drawing) scope(path string) policy.Scope {
	return policy.Scope{
		Section:    d.section(path),
		ByProvider: d.keyed(path+".byProvider", "openai", "openai/gpt-5", "anthropic"),
		BySender:   d.keyed(path+".toolsBySender", "*", "id:1", "username:bob", "channel:chat:2"),
		Sandbox:    d.section(path + ".sandbox.tools"),
	}
}

func (d *drawing) config() *policy.Config {
	cfg := &policy.Config{
		Dialect:        rapid.SampledFrom([]policy.Dialect{policy.Default, policy.OpenClaw}).Draw(d.T, "dialect"),
		DefaultProfile: rapid.SampledFrom([]string{"", "coding"}).Draw(d.T, "default profile"),
		Tools:          d.scope("tools"),
	}
	cfg.Defaults.MaxSpawnDepth = rapid.IntRange(0, 2).Draw(d.T, "depth")
	cfg.Tools.Subagents = d.section("tools.subagents.tools")
	if rapid.Bool().Draw(d.T, "agent") {
		cfg.Agents = append(cfg.Agents, policy.Agent{ID: "ops", Tools: d.scope("agents.list[0].tools")})
	}
	if rapid.Bool().Draw(d.T, "groups") {
		g := policy.Group{ID: rapid.SampledFrom([]string{"*", "g1"}).Draw(d.T, "group"), BySender: d.keyed("channels.chat.groups.toolsBySender", "*", "id:1", "id:7")}
		if rapid.Bool().Draw(d.T, "group tools") {
			s := d.section("channels.chat.groups.tools")
			g.Tools = &s
		}
		cfg.Channels = []policy.Channel{{ID: "chat", Groups: []policy.Group{g}}}
	}
	if rapid.Bool().Draw(d.T, "server") {
		cfg.MCPServers = []policy.Server{{Name: "kb"}}
	}
	return cfg
}

// list is one list of a config and where to find it.
type list struct {
	entries *[]policy.Entry
	deny    bool
}

func lists(cfg *policy.Config) []list {
	var out []list
	section := func(s *policy.Section) {
		out = append(out, list{&s.Allow.Entries, false}, list{&s.AlsoAllow.Entries, false}, list{&s.Deny.Entries, true})
	}
	keyed := func(k []policy.KeyedSection) {
		for i := range k {
			section(&k[i].Section)
		}
	}
	scope := func(s *policy.Scope) {
		section(&s.Section)
		keyed(s.ByProvider)
		keyed(s.BySender)
		section(&s.Sandbox)
	}
	scope(&cfg.Tools)
	section(&cfg.Tools.Subagents)
	for i := range cfg.Agents {
		scope(&cfg.Agents[i].Tools)
	}
	for _, ch := range cfg.Channels {
		for i := range ch.Groups {
			keyed(ch.Groups[i].BySender)
			if ch.Groups[i].Tools != nil {
				section(ch.Groups[i].Tools)
			}
		}
	}
	return out
}

// asked are all situations that a drawn config can tell apart: every mixture
// of every trait.
func asked() []policy.Context {
	var out []policy.Context
	senders := []toolrest.Sender{{}, {ID: "1"}, {Username: "bob"}, {ID: "7"}, {ID: "2"}, {ID: "1", Username: "bob"}, {ID: "7", Username: "bob"}}
	for _, agent := range []string{"main", "ops"} {
		for _, model := range [][2]string{{}, {"openai", "gpt-5"}, {"openai", "x"}, {"anthropic", "x"}} {
			for _, group := range []string{"", "g1", "g2"} {
				for _, sandbox := range []string{"on", "off"} {
					for depth := range 3 {
						for _, sender := range senders {
							c := toolrest.Caller{
								Agent: agent, Owner: true, Surface: toolrest.SurfaceAgent, Provider: model[0], Model: model[1],
								Channel: "chat", Sandbox: sandbox, Depth: depth, Sender: sender,
							}
							if group != "" {
								c.Group, c.Session = group, "agent:"+agent+":chat:group:"+group
							}
							out = append(out, policy.Context{Caller: c})
						}
					}
				}
			}
		}
	}
	return out
}

// oracle asks about everything, everywhere, without any of the package's own
// short cuts.
type oracle struct {
	cfg      *policy.Config
	contexts []policy.Context
	subjects []policy.Subject
	known    *policy.Known
}

func (o *oracle) decide(i int) string {
	ctx := o.contexts[i]
	ctx.Known = o.known
	p := policy.CompileWith(o.cfg.Dialect, policy.Resolve(o.cfg, ctx).Layers, &policy.Options{Plugins: o.known.Plugins()})
	row := make([]byte, len(o.subjects))
	for n := range o.subjects {
		row[n] = '0'
		if p.Judge(&o.subjects[n]).Kept() {
			row[n] = '1'
		}
	}
	return string(row)
}

// differs gives the first of the contexts in which the config now decides
// otherwise than before, or -1.
func (o *oracle) differs(before []string, among []int) int {
	return slices.IndexFunc(among, func(i int) bool { return o.decide(i) != before[i] })
}

// An entry is called dead when, and only when, it can be taken out and nothing
// changes: asked of all tools in all situations, one entry at a time. All safe
// fixes together change nothing either.
//
// That an entry matters is looked for in every situation; that a dead one does
// not, in a part of them, another part each time.
func TestDeadIsExact(t *testing.T) {
	contexts := asked()
	all := make([]int, len(contexts))
	for i := range all {
		all[i] = i
	}
	rapid.Check(t, func(t *rapid.T) {
		cfg := (&drawing{T: t}).config()
		inv := survey.NewInventory(cfg.Dialect, pluginTools)
		report, err := lint.Check(context.Background(), cfg, inv, nil)
		if err != nil || len(report.Bounded) > 0 {
			t.Fatalf("%v, bounded: %q", err, report.Bounded)
		}
		dead, safe := claims(report)
		o := oracle{cfg: cfg, contexts: contexts, known: inv.Known}
		for _, tool := range slices.Concat(inv.Tools, inv.Guess(cfg, survey.Entries(cfg))) {
			o.subjects = append(o.subjects, policy.Prepare(tool))
		}
		before := make([]string, len(contexts))
		for i := range contexts {
			before[i] = o.decide(i)
		}
		step := rapid.IntRange(5, 13).Draw(t, "step")
		var some []int
		for i := rapid.IntRange(0, step-1).Draw(t, "first"); i < len(all); i += step {
			some = append(some, i)
		}
		for _, l := range lists(cfg) {
			whole := *l.entries
			for i, e := range whole {
				*l.entries = slices.Concat(whole[:i:i], whole[i+1:])
				among := all
				if dead[e.Pos] {
					among = some
				}
				if at := o.differs(before, among); (at < 0) != dead[e.Pos] {
					t.Fatalf("'%s' at %s: called dead: %v, changes situation %d\n%s", e.Text, e.Pos, dead[e.Pos], at, tell(report))
				}
			}
			*l.entries = whole
		}
		for _, l := range lists(cfg) {
			*l.entries = slices.DeleteFunc(slices.Clone(*l.entries), func(e policy.Entry) bool { return safe[e.Pos] })
		}
		if at := o.differs(before, all); at >= 0 {
			t.Fatalf("the safe fixes together change situation %d\n%s", at, tell(report))
		}
	})
}

func claims(r lint.Report) (dead, safe map[toolrest.Pos]bool) {
	dead, safe = map[toolrest.Pos]bool{}, map[toolrest.Pos]bool{}
	for _, f := range r.Findings {
		if f.Dead {
			dead[f.Pos] = true
		}
		for _, e := range f.Entries {
			dead[e.Pos] = true
		}
		for _, e := range f.Fix.Edits {
			if f.Safe {
				safe[e.Pos] = true
			}
		}
	}
	return dead, safe
}

// Whatever a config holds, lint ends, says the same each time, and gives each
// finding a code and a text.
func TestFindingsAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := (&drawing{T: t}).config()
		inv := survey.NewInventory(cfg.Dialect, pluginTools)
		first, err := lint.Check(context.Background(), cfg, inv, nil)
		again, _ := lint.Check(context.Background(), cfg, inv, nil)
		if err != nil || tell(first) != tell(again) {
			t.Fatalf("%v\n%s\n%s", err, tell(first), tell(again))
		}
		for _, f := range first.Findings {
			if !slices.Contains(lint.Codes, f.Code) || f.Severity == "" || f.Text == "" {
				t.Fatalf("half a finding: %s", fmt.Sprintf("%+v", f))
			}
		}
	})
}
