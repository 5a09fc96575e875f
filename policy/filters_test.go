package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

// filterTools are tools that some filter is about, and one that none is.
var filterTools = []policy.Tool{
	{Name: "read"}, {Name: "write"}, {Name: "edit"}, {Name: "apply_patch"}, {Name: "exec"}, {Name: "cron"}, {Name: "nodes"},
	{Name: "gateway"}, {Name: "message"}, {Name: "browser"}, {Name: "web_search"}, {Name: "web_fetch"}, {Name: "tts"},
	{Name: "update_plan"}, {Name: "skill_workshop"}, {Name: "heartbeat_respond"}, {Name: "sessions_send"},
	{Name: "own_tool"},
	{Name: "lobster_go", Plugin: "lobster", Optional: true},
	{Name: "kb_find", Plugin: "kb"},
}

// lacks gives those of the tools that ctx does not get from a config without a
// profile, in their order.
func lacks(t *testing.T, d policy.Dialect, text string, ctx policy.Context) string {
	t.Helper()
	cfg := read(t, text)
	cfg.Dialect, cfg.DefaultProfile = d, ""
	p := pipeline(cfg, ctx)
	var out []string
	for _, tool := range filterTools {
		if !p.Decide(tool).Kept {
			out = append(out, tool.Name)
		}
	}
	return strings.Join(out, " ")
}

func run(r policy.Run) policy.Context {
	return policy.Context{Caller: toolrest.Caller{Agent: "main", Owner: true}, Run: r}
}

func model(provider, name, api string) policy.Context {
	return by(toolrest.Caller{Agent: "main", Owner: true, Provider: provider, Model: name, API: api})
}

func entry(texts ...string) policy.List {
	l := policy.List{Set: true}
	for _, text := range texts {
		l.Entries = append(l.Entries, policy.Entry{Text: text})
	}
	return l
}

// What an ordinary run of the owner lacks although no list says so.
const usual = "update_plan heartbeat_respond lobster_go"

func TestFilters(t *testing.T) {
	const codex = "openai-chatgpt-responses"
	for _, c := range []struct {
		name, config string
		ctx          policy.Context
		want         string // in both dialects
	}{
		{"an ordinary run", `{}`, run(policy.Run{}), usual},
		{"a heartbeat", `{}`, run(policy.Run{Heartbeat: true}), "update_plan lobster_go"},
		{"without messages", `{}`, run(policy.Run{NoMessage: true}), "message " + usual},
		{"a sandbox that only reads", `{}`, run(policy.Run{ReadOnly: true}), "write edit apply_patch " + usual},
		{"only saving to the memory", `{}`, run(policy.Run{Flush: true}),
			"edit apply_patch exec cron nodes gateway message browser web_search web_fetch tts update_plan skill_workshop " +
				"heartbeat_respond sessions_send own_tool lobster_go kb_find"},
		{"the run's own list", `{}`, run(policy.Run{Allow: entry("group:fs", "kb")}),
			"exec cron nodes gateway message browser web_search web_fetch tts update_plan skill_workshop heartbeat_respond " +
				"sessions_send own_tool lobster_go"},
		{"that list with everything", `{}`, run(policy.Run{Allow: entry("read", " * "), Heartbeat: true}), "lobster_go"},
		{"that list empty", `{}`, run(policy.Run{Allow: policy.List{Set: true}}),
			"read write edit apply_patch exec cron nodes gateway message browser web_search web_fetch tts update_plan " +
				"skill_workshop heartbeat_respond sessions_send own_tool lobster_go kb_find"},

		{"a voice channel", `{}`, by(toolrest.Caller{Owner: true, Channel: " Voice "}), "tts " + usual},
		{"a device", `{}`, by(toolrest.Caller{Owner: true, Channel: "node"}),
			"read write edit apply_patch exec cron nodes gateway message browser update_plan skill_workshop " +
				"heartbeat_respond sessions_send own_tool lobster_go kb_find"},
		{"any other channel", `{}`, by(toolrest.Caller{Owner: true, Channel: "telegram"}), usual},

		{"a small model", `{agents:{defaults:{experimental:{localModelLean:true}}}}`, run(policy.Run{}), "cron message browser " + usual},
		{"a small model, but not this agent's", `{agents:{defaults:{experimental:{localModelLean:true}},list:[{id:"main",experimental:{localModelLean:false}}]}}`,
			run(policy.Run{}), usual},
		{"a small model whose run answers by messages", `{agents:{defaults:{experimental:{localModelLean:true}}}}`,
			run(policy.Run{Message: true}), "cron browser " + usual},

		{"the model searches", `{tools:{web:{search:{openaiCodex:{enabled:true}}}}}`, model("own", "m", codex), "web_search " + usual},
		{"it would, but for the wire", `{tools:{web:{search:{openaiCodex:{enabled:true}}}}}`, model("own", "m", "openai"), usual},
		{"it would, but nobody signed in", `{tools:{web:{search:{openaiCodex:{enabled:true}}}}}`, model("openai", "m", codex), usual},
		{"somebody did", `{tools:{web:{search:{openaiCodex:{enabled:true}}}},auth:{profiles:{p:{provider:"openai",mode:"oauth"}}}}`,
			model("openai", "m", codex), "web_search " + usual},
		{"with a mere key", `{tools:{web:{search:{openaiCodex:{enabled:true}}}},auth:{profiles:{p:{provider:"openai",mode:"api_key"}}}}`,
			model("openai", "m", codex), usual},
		{"searching is switched off", `{tools:{web:{search:{enabled:false},fetch:{enabled:false}}}}`, run(policy.Run{}), "web_search web_fetch " + usual},

		{"no patches", `{tools:{exec:{applyPatch:{enabled:false}}}}`, run(policy.Run{}), "apply_patch " + usual},
		{"patches, says the agent", `{tools:{exec:{applyPatch:{enabled:false}}},agents:{list:[{id:"main",tools:{exec:{applyPatch:{}}}}]}}`,
			run(policy.Run{}), usual},
		{"patches for another model", `{tools:{exec:{applyPatch:{allowModels:["gpt-5"]}}}}`, model("x", "gpt-5.5", ""), "apply_patch " + usual},
		{"patches for this one", `{tools:{exec:{applyPatch:{allowModels:["X/GPT-5.5 "]}}}}`, model("x", "gpt-5.5", ""), usual},
		{"patches for models, and none is known", `{tools:{exec:{applyPatch:{allowModels:["gpt-5"]}}}}`, run(policy.Run{}), "apply_patch " + usual},

		{"plans", `{tools:{experimental:{planTool:true}}}`, run(policy.Run{}), "heartbeat_respond lobster_go"},
		{"plans, named", `{tools:{alsoAllow:["update_*"]}}`, run(policy.Run{}), "heartbeat_respond lobster_go"},
		{"plans, in the profile", `{tools:{profile:"coding",alsoAllow:["group:automation","group:ui","group:messaging","tts","own_tool","kb","lobster","nodes"]}}`,
			run(policy.Run{}), "heartbeat_respond"},
		{"plans, by the model", `{}`, model("openai", "openai/gpt-5.5-mini", ""), "heartbeat_respond lobster_go"},
		{"plans, not by the model", `{}`, model("openai", "gpt-50", ""), usual},
		{"plans, by no contract", `{agents:{defaults:{embeddedAgent:{executionContract:"default"}}}}`, model("openai", "gpt-5.5", ""), usual},
		{"plans, switched off", `{tools:{experimental:{planTool:false}}}`, model("openai", "gpt-5.5", ""), usual},

		{"the active set", `{}`, run(policy.Run{Active: []string{"read", "lobster_go", "Exec"}}),
			"write edit apply_patch exec cron nodes gateway message browser web_search web_fetch tts update_plan skill_workshop " +
				"heartbeat_respond sessions_send own_tool lobster_go kb_find"},
		{"an active set of nothing", `{tools:{profile:"full"}}`, run(policy.Run{Active: []string{}}),
			"read write edit apply_patch exec cron nodes gateway message browser web_search web_fetch tts update_plan skill_workshop " +
				"heartbeat_respond sessions_send own_tool lobster_go kb_find"},
		{"left out", `{}`, run(policy.Run{Exclude: []string{"read", "Exec", "group:fs"}}), "read " + usual},
	} {
		for _, d := range []policy.Dialect{policy.Default, policy.OpenClaw} {
			want := c.want
			if d == policy.OpenClaw && strings.HasPrefix(c.name, "that list with everything") {
				want = "" // there a "*" names optional tools
			}
			if got := lacks(t, d, c.config, c.ctx); got != want {
				t.Errorf("%s, dialect %d: lacks\n     %s\nwant %s", c.name, d, got, want)
			}
		}
	}
}

// The rows of the table of decisions that filters make, by their numbers
// there: 3 owners, 6 optional tools, 10 doors.
func TestDecisionsOfFilters(t *testing.T) {
	const denied = "apply_patch exec cron nodes gateway update_plan heartbeat_respond sessions_send lobster_go"
	const hosts = "read write edit apply_patch exec cron nodes gateway update_plan heartbeat_respond sessions_send lobster_go"
	agent := toolrest.Caller{Surface: toolrest.SurfaceAgent}
	http, skill := toolrest.Caller{Surface: toolrest.SurfaceHTTP, Owner: true}, toolrest.Caller{Surface: toolrest.SurfaceSkill, Owner: true}
	voice := toolrest.Caller{Surface: toolrest.SurfaceSkill, Owner: true, Channel: "voice"}
	alice := toolrest.Caller{Surface: toolrest.SurfaceHTTP, Owner: true, Sender: toolrest.Sender{ID: "alice"}, Provider: "openai"}
	boxed := toolrest.Caller{Surface: toolrest.SurfaceHTTP, Owner: true, Sandbox: "on"}
	for _, c := range []struct {
		row           int
		name, config  string
		ctx           policy.Context
		def, openclaw string
	}{
		{3, "an agent's run for somebody", `{}`, by(agent), "cron nodes gateway " + usual, usual},
		{3, "the same for the owner", `{}`, by(owner(agent)), usual, usual},
		{3, "a list cannot give them away", `{tools:{allow:["*"],alsoAllow:["cron"]}}`, by(agent),
			"cron nodes gateway heartbeat_respond lobster_go", "heartbeat_respond"},
		{3, "MCP over HTTP for somebody", `{}`, by(toolrest.Caller{Surface: toolrest.SurfaceMCPHTTP}),
			"cron nodes gateway " + usual, "cron nodes gateway " + usual},

		{6, "named", `{tools:{alsoAllow:[" LOBSTER_GO "]}}`, by(owner(agent)), "update_plan heartbeat_respond", "update_plan heartbeat_respond"},
		{6, "named by the plugin", `{tools:{alsoAllow:["Lobster"]}}`, by(owner(agent)), "update_plan heartbeat_respond", "update_plan heartbeat_respond"},
		{6, "named with all plugins", `{agents:{list:[{id:"main",tools:{alsoAllow:["group:plugins"]}}]}}`, by(owner(toolrest.Caller{Agent: "main"})),
			"update_plan heartbeat_respond", "update_plan heartbeat_respond"},
		{6, "a glob names nothing", `{tools:{alsoAllow:["lobster_*"]}}`, by(owner(agent)), usual, usual},
		{6, "everything names it in OpenClaw alone", `{tools:{alsoAllow:["*"]}}`, by(owner(agent)), "heartbeat_respond lobster_go", "heartbeat_respond"},
		{6, "and so does profile full", `{tools:{profile:"full"}}`, by(owner(agent)), "heartbeat_respond lobster_go", "heartbeat_respond"},
		{6, "the run's own list does in OpenClaw alone", `{}`,
			run(policy.Run{Heartbeat: true, Allow: entry("lobster", "group:fs", "group:openclaw", "exec", "own_tool", "kb")}), "lobster_go", ""},
		{6, "a deny keeps it out", `{tools:{alsoAllow:["lobster"],deny:["group:plugins"]}}`, by(owner(agent)),
			usual + " kb_find", usual + " kb_find"},

		{10, "HTTP, by itself", `{}`, by(http), denied, hosts},
		{10, "HTTP, lifted", `{gateway:{tools:{allow:["sessions_send","exec","cron"]}}}`, by(http),
			"apply_patch nodes gateway " + usual,
			"read write edit apply_patch exec nodes gateway " + usual},
		{10, "HTTP, lifted in another case", `{gateway:{tools:{allow:["Sessions_Send"]}}}`, by(http),
			"apply_patch exec cron nodes gateway " + usual, hosts},
		{10, "HTTP, a glob lifts nothing", `{gateway:{tools:{allow:["*","sessions_*","group:sessions"]}}}`, by(http), denied, hosts},
		{10, "HTTP, lifted, but not the owner's for others", `{gateway:{tools:{allow:["cron"]}}}`, by(toolrest.Caller{Surface: toolrest.SurfaceHTTP}),
			denied, hosts},
		{10, "HTTP, denied by group", `{gateway:{tools:{deny:["group:web"]}}}`, by(http),
			"apply_patch exec cron nodes gateway web_search web_fetch update_plan heartbeat_respond sessions_send lobster_go", hosts},
		{10, "HTTP knows senders", `{tools:{toolsBySender:{"id:alice":{deny:["tts"]}}}}`, by(alice),
			"apply_patch exec cron nodes gateway tts update_plan heartbeat_respond sessions_send lobster_go", hosts},
		{10, "HTTP knows models", `{tools:{byProvider:{openai:{deny:["tts"]}}}}`, by(alice),
			"apply_patch exec cron nodes gateway tts update_plan heartbeat_respond sessions_send lobster_go", hosts},
		{10, "HTTP knows sandboxes", `{tools:{sandbox:{tools:{allow:[],deny:["tts"]}}}}`, by(boxed),
			"apply_patch exec cron nodes gateway tts update_plan skill_workshop heartbeat_respond sessions_send lobster_go", hosts},
		{10, "HTTP asked for a plugin's tool", `{tools:{profile:"minimal"}}`,
			policy.Context{Caller: http, Run: policy.Run{Requested: []string{"kb_find"}}},
			hosts[:len(hosts)-len(" heartbeat_respond sessions_send lobster_go")-len(" update_plan")] +
				" message browser web_search web_fetch tts update_plan skill_workshop heartbeat_respond sessions_send own_tool lobster_go kb_find",
			hosts[:len(hosts)-len(" heartbeat_respond sessions_send lobster_go")-len(" update_plan")] +
				" message browser web_search web_fetch tts update_plan skill_workshop heartbeat_respond sessions_send own_tool lobster_go"},
		{10, "a skill command", `{}`, by(skill), usual, "read write edit apply_patch exec " + usual},
		{10, "a skill command by voice", `{}`, by(voice), "tts " + usual, "read write edit apply_patch exec " + usual},
	} {
		if got, want := sorted(lacks(t, policy.Default, c.config, c.ctx)), sorted(c.def); got != want {
			t.Errorf("row %d, %s: Default lacks\n     %s\nwant %s", c.row, c.name, got, want)
		}
		if got, want := sorted(lacks(t, policy.OpenClaw, c.config, c.ctx)), sorted(c.openclaw); got != want {
			t.Errorf("row %d, %s: OpenClaw lacks\n     %s\nwant %s", c.row, c.name, got, want)
		}
	}
}

func sorted(words string) string {
	list := strings.Fields(words)
	slices.Sort(list)
	return strings.Join(list, " ")
}

// In the dialect OpenClaw the agent's own machinery asks without the deny list
// of HTTP. In Default it is a door as any other.
func TestLoopback(t *testing.T) {
	ctx := policy.Context{Caller: owner(toolrest.Caller{Surface: toolrest.SurfaceHTTP}), Run: policy.Run{Loopback: true}}
	for d, want := range map[policy.Dialect]bool{policy.Default: false, policy.OpenClaw: true} {
		cfg := read(t, `{}`)
		cfg.Dialect, cfg.DefaultProfile = d, ""
		if got := pipeline(cfg, ctx).Decide(policy.Tool{Name: "cron"}).Kept; got != want {
			t.Errorf("dialect %d: cron kept: %v", d, got)
		}
	}
}

// The change that is proposed works, and where no edit of the config can help a
// remedy says what does.
func TestFixOfEachFilter(t *testing.T) {
	http := owner(toolrest.Caller{Surface: toolrest.SurfaceHTTP})
	optional := policy.Tool{Name: "lobster_go", Plugin: "lobster", Optional: true}
	for _, c := range []struct {
		name, config string
		ctx          policy.Context
		tool         policy.Tool
		want         string
	}{
		{"HTTP", `{tools:{profile:"full"}}`, by(http), policy.Tool{Name: "exec"}, "add 'exec' to gateway.tools.allow"},
		{"HTTP, beside others", `{gateway:{tools:{allow:["cron"]}}}`, by(http), policy.Tool{Name: "exec"},
			"add 'exec' to gateway.tools.allow (c.json5:1:24)"},
		{"the gateway's deny", `{gateway:{tools:{deny:["group:fs"]}}}`, by(http), policy.Tool{Name: "read"},
			"remove 'group:fs' from gateway.tools.deny (c.json5:1:24)"},
		{"an optional tool", `{tools:{profile:"full"}}`, run(policy.Run{}), optional, "add 'lobster_go' to tools.alsoAllow"},
		{"an optional tool beside a list", `{tools:{profile:"full",allow:["lobster_*"]}}`, run(policy.Run{}), optional,
			"add 'lobster_go' to tools.allow (c.json5:1:30)"},
		{"models for patches", `{tools:{exec:{applyPatch:{allowModels:["gpt-5"]}}}}`, model("x", "Gpt-6", ""), policy.Tool{Name: "apply_patch"},
			"add 'x/gpt-6' to tools.exec.applyPatch.allowModels (c.json5:1:39)"},
		{"an agent's models for patches", `{agents:{list:[{id:"main",tools:{exec:{applyPatch:{allowModels:["gpt-5"]}}}}]}}`,
			model("", "a/b", ""), policy.Tool{Name: "apply_patch"},
			"add 'a/b' to agents.list[0].tools.exec.applyPatch.allowModels (c.json5:1:64)"},
	} {
		fix := pipeline(read(t, c.config), c.ctx).Allow(c.tool)
		if len(fix.Edits) != 1 || fix.Edits[0].String() != c.want || len(fix.Remedies) > 0 {
			t.Errorf("%s: %s\nwant %s", c.name, fix, c.want)
		}
		if trace := pipeline(read(t, edited(t, c.config, fix.Edits)), c.ctx).Decide(c.tool); !trace.Kept {
			t.Errorf("%s: the edit does not help: %+v", c.name, trace.Removing())
		}
	}
}

// drawRun draws a run with some of its gates closed.
func drawRun(t *rapid.T) policy.Run {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	r := policy.Run{
		Flush: flag("flush"), NoMessage: flag("no message"), ReadOnly: flag("read only"), Heartbeat: flag("heartbeat"),
		Message: flag("message"), Loopback: flag("loopback"), SignedIn: flag("signed in"),
	}
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"read", "write", "lobster", "*", " ", "group:fs", "web_*"}), 0, 3)
	if flag("allow") {
		r.Allow = entry(names.Draw(t, "allowed")...)
	}
	if flag("active") {
		r.Active = append([]string{}, names.Draw(t, "active set")...)
	}
	if flag("exclude") {
		r.Exclude = names.Draw(t, "excluded")
	}
	return r
}

func drawFilterConfig(t *rapid.T) *policy.Config {
	parts := []string{
		`experimental:{planTool:true}`, `exec:{applyPatch:{enabled:false}}`, `exec:{applyPatch:{allowModels:["m"]}}`,
		`web:{search:{openaiCodex:{enabled:true}}}`, `web:{search:{enabled:false}}`, `allow:["lobster","read"]`, `alsoAllow:["lobster_go","cron"]`,
	}
	tools := rapid.SliceOfNDistinct(rapid.SampledFrom(parts), 0, 3, func(s string) string { return s[:4] }).Draw(t, "tools")
	rest := rapid.SampledFrom([]string{
		``, `,gateway:{tools:{allow:["exec","cron"]}}`, `,gateway:{tools:{deny:["group:web","read"]}}`,
		`,agents:{defaults:{experimental:{localModelLean:true}}}`, `,commands:{ownerAllowFrom:["7"]}`,
	}).Draw(t, "rest")
	cfg := read(t, "{tools:{"+strings.Join(tools, ",")+"}"+rest+"}")
	cfg.Dialect = rapid.SampledFrom([]policy.Dialect{policy.Default, policy.OpenClaw}).Draw(t, "dialect")
	return cfg
}

func drawFilterContext(t *rapid.T) policy.Context {
	return policy.Context{Run: drawRun(t), Caller: toolrest.Caller{
		Agent: "main", Owner: rapid.Bool().Draw(t, "owner"),
		Surface: rapid.SampledFrom([]toolrest.Surface{
			toolrest.SurfaceAgent, toolrest.SurfaceHTTP, toolrest.SurfaceMCPHTTP, toolrest.SurfaceSkill, toolrest.SurfaceCLI,
		}).Draw(t, "surface"),
		Channel: rapid.SampledFrom([]string{"", "node", "voice", "telegram"}).Draw(t, "channel"),
		API:     rapid.SampledFrom([]string{"", "openai-chatgpt-responses"}).Draw(t, "api"),
		Sandbox: rapid.SampledFrom([]string{"on", "off"}).Draw(t, "sandbox"),
	}}
}

// Whatever a filter removes, the step says why, and a fix or a remedy says what
// to do. Layers stand in the order of their places.
func TestFiltersExplainThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg, ctx := drawFilterConfig(t), drawFilterContext(t)
		layers := policy.Resolve(cfg, ctx).Layers
		if !slices.IsSortedFunc(layers, func(a, b policy.Layer) int { return int(a.Place) - int(b.Place) }) {
			t.Fatalf("the layers are not in order: %+v", layers)
		}
		p := policy.Compile(cfg.Dialect, layers)
		for _, tool := range filterTools {
			trace := p.Decide(tool)
			for _, step := range trace.Removing() {
				inside := policy.PlaceProfile <= step.Place && step.Place <= policy.PlaceInherited
				if step.Layer == "" || !inside && step.Why == "" {
					t.Fatalf("%s: a step without a reason: %+v", tool.Name, step)
				}
			}
			if !trace.Kept && p.Allow(tool).Empty() {
				t.Fatalf("%s is removed by %+v, and nothing can be done about it", tool.Name, trace.Removing())
			}
		}
	})
}

// Doors, runs and filters only remove: who is asked for more circumspectly
// never gets more.
func TestGatesOnlyRemove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg, ctx := drawFilterConfig(t), drawFilterContext(t)
		cfg.Dialect = policy.Default
		open := ctx
		open.Surface, open.Owner, open.Channel, open.API, open.Sandbox = toolrest.SurfaceCLI, true, "", "", "off"
		open.Run = policy.Run{Heartbeat: ctx.Run.Heartbeat, Message: ctx.Run.Message, Allow: ctx.Run.Allow}
		all, some := pipeline(cfg, open), pipeline(cfg, ctx)
		for _, tool := range filterTools {
			if some.Decide(tool).Kept && !all.Decide(tool).Kept {
				t.Fatalf("%s is kept behind more gates: %+v", tool.Name, all.Decide(tool).Removing())
			}
		}
	})
}

// A config that is not trusted opens no filter of the one below it.
func TestUntrustedConfigOpensNoFilter(t *testing.T) {
	own := `{
		gateway:{tools:{allow:["exec","cron"]}}, commands:{ownerAllowFrom:["7"]},
		tools:{profile:"full",alsoAllow:["lobster_go","group:plugins"],experimental:{planTool:true},exec:{applyPatch:{enabled:true}},
			web:{search:{enabled:true}}},
		agents:{defaults:{experimental:{localModelLean:false}}},
	}`
	base := `{
		tools:{profile:"full",exec:{applyPatch:{enabled:false}},web:{search:{enabled:false}},experimental:{planTool:false},deny:["update_plan"]},
		agents:{defaults:{experimental:{localModelLean:true}}},
	}`
	baseline := policy.BaselineLayer("full", "trust it")
	for name, below := range map[string]policy.Config{
		"a trusted one": {Base: read(t, base)},
		"none":          {Baseline: &baseline},
	} {
		cfg := read(t, own)
		cfg.Base, cfg.Baseline = below.Base, below.Baseline
		http := toolrest.Caller{Surface: toolrest.SurfaceHTTP, Sender: toolrest.Sender{ID: "7"}}
		tools := []string{"exec"}
		if below.Base != nil {
			tools = []string{"exec", "cron", "lobster_go", "update_plan", "apply_patch", "web_search", "browser"}
		}
		p := pipeline(cfg, by(http))
		for _, tool := range filterTools {
			if trace := p.Decide(tool); slices.Contains(tools, tool.Name) && trace.Kept {
				t.Errorf("above %s: %s is let through", name, tool.Name)
			}
		}
	}
}

func TestHostileNamesInFilters(t *testing.T) {
	long := strings.Repeat("é\x00\xff ", 4<<10)
	many := make([]string, 100_000)
	for i := range many {
		many[i] = fmt.Sprintf("tool_%d*", i)
	}
	ctx := policy.Context{
		Caller: toolrest.Caller{Agent: long, Session: "agent:" + long + ":x", Channel: long, Provider: long, Model: long + "/" + long, API: long},
		Run:    policy.Run{Allow: entry(many...), Active: many, Exclude: many, Requested: many, Replies: long, Driver: long},
	}
	for _, d := range []policy.Dialect{policy.Default, policy.OpenClaw} {
		cfg := read(t, `{tools:{exec:{applyPatch:{allowModels:["x"]}}}}`)
		cfg.Dialect = d
		p := pipeline(cfg, ctx)
		for _, tool := range []string{"read", "exec", long, "", "*", "group:fs", "constructor", "__proto__"} {
			if p.Decide(policy.Tool{Name: tool}).Kept {
				t.Errorf("dialect %d: %.20q is let through", d, tool)
			}
		}
	}
}

// In the dialect OpenClaw it is the session that may search, whoever writes in
// it: what one sender alone may do does not send the search to the model.
func TestNativeSearchOfASender(t *testing.T) {
	text := `{
		tools:{web:{search:{openaiCodex:{enabled:true}}}},
		channels:{telegram:{groups:{"*":{tools:{allow:["message"]},toolsBySender:{"id:boss":{deny:[]}}}}}},
	}`
	ctx := by(owner(toolrest.Caller{
		Session: "agent:main:telegram:group:-1", Channel: "telegram", Sender: toolrest.Sender{ID: "boss"}, API: "openai-chatgpt-responses",
	}))
	for d, want := range map[policy.Dialect]bool{policy.Default: false, policy.OpenClaw: true} {
		cfg := read(t, text)
		cfg.Dialect = d
		if got := pipeline(cfg, ctx).Decide(policy.Tool{Name: "web_search"}).Kept; got != want {
			t.Errorf("dialect %d: web_search kept: %v", d, got)
		}
	}
}
