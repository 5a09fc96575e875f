package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

// The tools of the tables below. kb is a plugin with one required tool, mail an
// MCP server.
var tableTools = []policy.Tool{
	{Name: "read"}, {Name: "exec"}, {Name: "message"},
	{Name: "kb_find", Plugin: "kb"},
	{Name: "mail__send", Plugin: "bundle-mcp"},
}

// sees gives the names of the table's tools that a config leaves the main
// agent, with the tools of the table known as those of plugins.
func sees(t *testing.T, d policy.Dialect, text string) string {
	t.Helper()
	cfg := read(t, text)
	cfg.Dialect, cfg.DefaultProfile = d, ""
	known := policy.NewKnown(tableTools)
	ctx := policy.Context{Caller: toolrest.Caller{Agent: "main", Owner: true, Provider: "openai"}, Known: known}
	p := policy.CompileWith(d, policy.Resolve(cfg, ctx).Layers, &policy.Options{Plugins: known.Plugins()})
	var out []string
	for _, tool := range tableTools {
		if p.Decide(tool).Kept {
			out = append(out, tool.Name)
		}
	}
	return strings.Join(out, " ")
}

// The rows of the table of decisions that the layers of a config take part in,
// by their numbers there.
func TestDecisions(t *testing.T) {
	const all = "read exec message kb_find mail__send"
	for _, c := range []struct {
		row           int
		name, config  string
		def, openclaw string
	}{
		{1, "a plugin's tool", `{tools:{allow:["kb_find"]}}`, all, "kb_find"},
		{1, "a plugin's id, any case", `{tools:{allow:[" KB "]}}`, all, "kb_find"},
		{1, "all plugins", `{tools:{allow:["group:plugins"]}}`, all, "kb_find mail__send"},
		{1, "all MCP servers", `{tools:{allow:["bundle-mcp",""]}}`, all, "mail__send"},
		{1, "joins the profile", `{tools:{profile:"minimal",allow:["kb_find"]}}`, "kb_find", ""},
		{1, "the agent's joins the profile, too", `{tools:{profile:"messaging",allow:["mail__send"]},agents:{list:[{id:"main",tools:{allow:["kb"]}}]}}`,
			"message kb_find mail__send", ""},
		{1, "only the agent's", `{tools:{profile:"messaging"},agents:{list:[{id:"main",tools:{allow:["kb"]}}]}}`, "message kb_find mail__send", ""},
		{1, "does not go past a provider's profile", `{tools:{allow:["kb"],byProvider:{openai:{profile:"messaging"}}}}`, "message mail__send", ""},
		{1, "a core tool beside it", `{tools:{allow:["kb_find","read"]}}`, "read kb_find", "read kb_find"},
		{1, "a misspelt entry beside it", `{tools:{allow:["kb_find","kb_fnd"]}}`, "kb_find", "kb_find"},
		{1, "a glob", `{tools:{allow:["kb_*"]}}`, "kb_find", "kb_find"},
		{1, "a server's bare name", `{tools:{allow:["mail"]}}`, "", ""},
		{1, "as is for a provider", `{tools:{byProvider:{openai:{allow:["kb_find"]}}}}`, "kb_find", "kb_find"},
		{1, "as is for a sender", `{tools:{toolsBySender:{"*":{allow:["kb_find"]}}}}`, "kb_find", "kb_find"},
		{1, "deny beats it", `{tools:{allow:["kb_find"],deny:["kb"]}}`, "read exec message mail__send", ""},
		{4, "full", `{tools:{profile:"full"}}`, all, all},
		{4, "full for a provider", `{tools:{byProvider:{openai:{profile:"full"}}}}`, all, all},
		{8, "a profile hides required plugin tools", `{tools:{profile:"coding"}}`, "read exec mail__send", "read exec mail__send"},
		{8, "unless alsoAllow names them", `{tools:{profile:"coding",alsoAllow:["kb"]}}`, "read exec kb_find mail__send", "read exec kb_find mail__send"},
		{9, "an empty list", `{tools:{allow:[]}}`, all, all},
		{9, "blank entries", `{tools:{allow:["  ","\t"]}}`, all, all},
		{9, "an empty list of a provider", `{tools:{byProvider:{openai:{allow:[]}}}}`, all, all},
	} {
		if got := sees(t, policy.Default, c.config); got != c.def {
			t.Errorf("row %d, %s: Default leaves %q, want %q", c.row, c.name, got, c.def)
		}
		if got := sees(t, policy.OpenClaw, c.config); got != c.openclaw {
			t.Errorf("row %d, %s: OpenClaw leaves %q, want %q", c.row, c.name, got, c.openclaw)
		}
	}
}

// Profile full is no list in the Default dialect, and the list of everything in
// the other: only there does it name optional tools.
func TestFullProfile(t *testing.T) {
	for d, want := range map[policy.Dialect]int{policy.Default: 0, policy.OpenClaw: 1} {
		cfg := read(t, `{tools:{profile:"full"}}`)
		cfg.Dialect = d
		if l := at(policy.Resolve(cfg, policy.Context{}), policy.PlaceProfile); len(l.Allow) != want {
			t.Errorf("dialect %d: %d entries, want %d", d, len(l.Allow), want)
		}
	}
}

// The profile's own hiding has one fix, and it works: row 8.
func TestProfileHidesPluginTools(t *testing.T) {
	text := `{tools:{profile:"coding"}}`
	fix := pipeline(read(t, text), by(owner(toolrest.Caller{}))).Allow(policy.Tool{Name: "kb_find", Plugin: "kb"})
	if got := fix.String(); !strings.HasPrefix(got, "add 'kb_find' to tools.alsoAllow; in its place 'kb' lets in") {
		t.Errorf("fix: %s", got)
	}
}

func sender(channel, id string) toolrest.Caller {
	return toolrest.Caller{Channel: channel, Sender: toolrest.Sender{ID: id}}
}

// Row 12: who is the owner.
func TestOwner(t *testing.T) {
	authorised := sender("chatx", "555")
	authorised.Sender.Authorised = true
	nobody := sender("chatx", "")
	nobody.Sender.Authorised = true
	phone := toolrest.Caller{Channel: "whatsapp", Sender: toolrest.Sender{E164: "+1555"}}
	named := toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "9", Name: "123456", Username: "123456"}}
	for _, c := range []struct {
		name, owners string // the list as it is written, or empty for none
		who          toolrest.Caller
		def, oc      bool
	}{
		{"the local user", ``, toolrest.Caller{Owner: true}, true, true},
		{"somebody over HTTP", ``, toolrest.Caller{Surface: toolrest.SurfaceHTTP}, false, false},
		{"BR-027: id", `["123456"]`, sender("chatx", "123456"), true, true},
		{"BR-027: channel and id", `["chatx:123456"]`, sender("chatx", "123456"), true, true},
		{"BR-027: mention", `["<@123456>"]`, sender("chatx", "123456"), true, true},
		{"BR-027: any case", `["CHATX:123456"]`, sender("ChatX", "123456"), true, true},
		{"BR-027: in a group", `["123456"]`, toolrest.Caller{Channel: "chatx", Group: "g1", Sender: toolrest.Sender{ID: "123456"}}, true, true},
		{"BR-027: a longer id", `["123456","chatx:123456","<@123456>"]`, sender("chatx", "1234567"), false, false},
		{"BR-027: the id on another channel", `["chatx:123456"]`, sender("chaty", "123456"), false, false},
		{"the entry itself as an id", `["chatx:123456"]`, sender("chaty", "chatx:123456"), false, false},
		{"no channel", `["chatx:123456"]`, sender("", "123456"), false, false},
		{"a mention with its channel", `["chatx:<@!123>"]`, sender("chatx", "123"), true, true},
		{"an alias of the channel", `["teams:29:a"]`, sender("msteams", "29:A"), true, true},
		{"an address with a colon", `["@me:example.org"]`, sender("matrix", "@Me:example.org"), true, true},
		{"a telephone number", `["whatsapp:+1555"]`, phone, true, true},
		{"names are nobody", `["123456"]`, named, false, false},
		{"blank entries", `[""," ","chatx:","<@>"]`, sender("chatx", ""), false, false},
		{"everybody", `["*"]`, sender("chatx", "9"), false, true},
		{"nobody", `[]`, authorised, false, true},
		{"BR-028: authorised, nobody named", ``, authorised, true, true},
		{"BR-028: authorised without an id", ``, nobody, false, false},
		{"authorised, another named", `["123456"]`, authorised, false, false},
		{"neither", ``, sender("chatx", "555"), false, false},
	} {
		text := "{}"
		if c.owners != "" {
			text = "{commands:{ownerAllowFrom:" + c.owners + "}}"
		}
		for d, want := range map[policy.Dialect]bool{policy.Default: c.def, policy.OpenClaw: c.oc} {
			cfg := read(t, text)
			cfg.Dialect = d
			if got := policy.Owner(cfg, by(c.who)); got != want {
				t.Errorf("%s, dialect %d: owner %v, want %v", c.name, d, got, want)
			}
		}
	}
}

// BR-025: the answer depends on nothing but who wrote; a turn that waited in a
// queue has the same owner. BR-026: a turn that an event alone has started has
// none, even in the owner's session.
func TestOwnerOfATurn(t *testing.T) {
	cfg := read(t, `{commands:{ownerAllowFrom:["chatx:77001"]},tools:{profile:"full"}}`)
	direct := policy.Context{Caller: sender("chatx", "77001")}
	queued := direct
	queued.Session = "agent:main:main"
	event := direct
	event.Run.Driver = policy.DriverEvent
	for _, c := range []struct {
		name string
		ctx  policy.Context
		want bool
	}{{"direct", direct, true}, {"queued", queued, true}, {"event", event, false}, {"event in the owner's terminal", eventOf(toolrest.Caller{Owner: true}), false}} {
		if got := policy.Resolve(cfg, c.ctx).Owner; got != c.want {
			t.Errorf("%s: owner %v, want %v", c.name, got, c.want)
		}
	}
}

func eventOf(c toolrest.Caller) policy.Context {
	return policy.Context{Caller: c, Run: policy.Run{Driver: policy.DriverEvent}}
}

// BR-037: with no profile written the door makes no difference but by who the
// owner is.
func TestDoorsAgree(t *testing.T) {
	cfg := read(t, "{}")
	layers := func(c toolrest.Caller) []string {
		var out []string
		for _, l := range policy.Resolve(cfg, by(c)).Layers {
			if l.Place != policy.PlaceOwner {
				out = append(out, l.Label)
			}
		}
		return out
	}
	want := layers(toolrest.Caller{Agent: "main", Surface: toolrest.SurfaceCLI, Owner: true})
	for _, c := range []toolrest.Caller{
		{Agent: "main", Surface: toolrest.SurfaceAgent, Channel: "chatx", Owner: true},
		{Agent: "main", Surface: toolrest.SurfaceAgent, Channel: "chatx"},
	} {
		if got := layers(c); !slices.Equal(got, want) {
			t.Errorf("%+v has the layers %q, want %q", c, got, want)
		}
	}
}

func TestKnown(t *testing.T) {
	var none *policy.Known
	if none.Has("kb") || !none.Has("group:plugins") || none.Plugins() != nil {
		t.Error("nil knows something")
	}
	k := policy.NewKnown([]policy.Tool{{Name: "read"}, {Name: "Kb_Find", Plugin: "KB"}, {Name: "odd", FromPlugin: true}}, "later", " ")
	for entry, want := range map[string]bool{
		"kb": true, "KB_FIND": true, "odd": true, "later": true, "read": false, "": false, " ": false, "kb_*": false, "*": false,
	} {
		if k.Has(entry) != want {
			t.Errorf("has %q: %v", entry, !want)
		}
	}
	if got := k.Plugins(); !slices.Equal(got, []string{"kb", "later"}) {
		t.Errorf("plugins %q", got)
	}
}
