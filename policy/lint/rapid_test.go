package lint_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
	"github.com/toolrest/toolrest/policy/survey"
)

var someEntries = rapid.SampledFrom([]string{
	"read", "READ", "write", "apply_patch", "bash", "exec", "message", "cron", "session_status", "sessions_spawn", "image", "update_plan", "heartbeat_respond", "tool_search",
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
		Gateway:        policy.Section{Allow: d.list("gateway.tools.allow", 1), Deny: d.list("gateway.tools.deny", 1)},
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
	section(&cfg.Gateway)
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
// of every trait, those with few of them first.
func asked() []policy.Context {
	models := [][2]string{{}, {"openai", "gpt-5"}, {"openai", "x"}, {"anthropic", "x"}}
	groups := []string{"", "g1", "g2"}
	senders := []toolrest.Sender{{}, {ID: "1"}, {Username: "bob"}, {ID: "7"}, {ID: "2"}, {ID: "7", Username: "bob"}}
	runs := []policy.Run{{}, {Heartbeat: true}, {Replies: "message_tool_only"}, {ToolSearch: true}, {Heartbeat: true, Message: true, ToolSearch: true}}
	sizes := []int{2, len(models), len(groups), 2, 3, len(senders), len(runs), 2}
	type counted struct {
		traits int
		policy.Context
	}
	var all []counted
	for at := make([]int, len(sizes)); at != nil; at = next(at, sizes) {
		c := counted{Context: policy.Context{Run: runs[at[6]]}}
		c.Agent, c.Owner, c.Channel, c.Surface = []string{"main", "ops"}[at[0]], true, "chat", toolrest.SurfaceAgent
		c.Provider, c.Model = models[at[1]][0], models[at[1]][1]
		if c.Group = groups[at[2]]; c.Group != "" {
			c.Session = "agent:" + c.Agent + ":chat:group:" + c.Group
		}
		c.Sandbox, c.Depth, c.Sender = []string{"off", "on"}[at[3]], at[4], senders[at[5]]
		if at[7] == 1 {
			c.Surface = toolrest.SurfaceHTTP
		}
		for _, n := range at[1:] {
			c.traits += min(n, 1)
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b counted) int { return a.traits - b.traits })
	out := make([]policy.Context, len(all))
	for i := range all {
		out[i] = all[i].Context
	}
	return out
}

// next counts on; nil is the end.
func next(at, sizes []int) []int {
	for i := range at {
		if at[i]++; at[i] < sizes[i] {
			return at
		}
		at[i] = 0
	}
	return nil
}

// oracle asks about everything, without any of the package's own short cuts.
type oracle struct {
	cfg      *policy.Config
	contexts []policy.Context
	subjects []policy.Subject
	known    *policy.Known
	// requested are the names that no profile keeps out at the HTTP door.
	requested []string
	before    map[int]string // the decisions of the whole config
}

func (o *oracle) decide(i int) string {
	ctx := o.contexts[i]
	ctx.Known = o.known
	if ctx.Surface == toolrest.SurfaceHTTP { // every tool is asked for by its name
		ctx.Run.Requested = o.requested
	}
	p := policy.For(o.cfg, ctx)
	row := make([]byte, len(o.subjects))
	for n := range o.subjects {
		row[n] = '0'
		if p.Judge(&o.subjects[n]).Kept() {
			row[n] = '1'
		}
	}
	return string(row)
}

// differs gives the first of the situations in which the decisions differ
// while l has other entries, or -1.
func (o *oracle) differs(l list, entries []policy.Entry, among iter.Seq[int]) int {
	whole := *l.entries
	defer func() { *l.entries = whole }()
	for i := range among {
		if _, ok := o.before[i]; !ok {
			o.before[i] = o.decide(i)
		}
		*l.entries = entries
		now := o.decide(i)
		*l.entries = whole
		if now != o.before[i] {
			return i
		}
	}
	return -1
}

// An entry is called dead when, and only when, it can be taken out and nothing
// changes. All safe fixes together change nothing either.
//
// That an entry matters is looked for in every situation; that a dead one does
// not, in some of them, others each time.
func TestDeadIsExact(t *testing.T) {
	contexts := asked()
	rapid.Check(t, func(t *rapid.T) {
		cfg := (&drawing{T: t}).config()
		inv := survey.NewInventory(cfg.Dialect, pluginTools)
		report, err := lint.Check(context.Background(), cfg, inv, nil)
		if err != nil || len(report.Bounded) > 0 {
			t.Fatalf("%v, bounded: %q", err, report.Bounded)
		}
		dead, safe := claims(report)
		o := oracle{cfg: cfg, contexts: contexts, known: inv.Known, before: map[int]string{}}
		tools := []policy.Tool{{Name: "tool_search"}, {Name: "tool_search_code"}, {Name: "tool_describe"}, {Name: "tool_call"}}
		for _, tool := range slices.Concat(tools, inv.Tools, inv.Guess(cfg, survey.Entries(cfg))) {
			o.subjects = append(o.subjects, policy.Prepare(tool))
			o.requested = append(o.requested, policy.AskedFor(cfg.Dialect, tool.Name)...)
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		some := slices.Concat(random.Perm(len(contexts))[:30], random.Perm(200)[:30])
		for i := range some {
			o.before[some[i]] = o.decide(some[i])
		}
		for _, l := range lists(cfg) {
			for i, e := range *l.entries {
				among := slices.Values(some)
				if !dead[e.Pos] {
					among = func(yield func(int) bool) {
						for i := range contexts {
							if !yield(i) {
								return
							}
						}
					}
				}
				rest := slices.Concat((*l.entries)[:i:i], (*l.entries)[i+1:])
				if at := o.differs(l, rest, among); (at < 0) != dead[e.Pos] {
					where := "nowhere"
					if at >= 0 {
						where = fmt.Sprintf("%+v", contexts[at])
					}
					t.Fatalf("'%s' at %s: called dead: %v, changes: %s\n%s", e.Text, e.Pos, dead[e.Pos], where, tell(report))
				}
			}
		}
		for _, l := range lists(cfg) {
			*l.entries = slices.DeleteFunc(slices.Clone(*l.entries), func(e policy.Entry) bool { return safe[e.Pos] })
		}
		for _, i := range some {
			if o.decide(i) != o.before[i] {
				t.Fatalf("the safe fixes together change %+v\n%s", contexts[i], tell(report))
			}
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
