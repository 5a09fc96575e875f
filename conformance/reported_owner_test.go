package conformance

import (
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
)

// TestReportedOwners is BR-026, BR-027 and BR-028: who is the owner.
func TestReportedOwners(t *testing.T) {
	chat := func(channel, id string) toolrest.Caller {
		return toolrest.Caller{Channel: channel, Group: "g1", Sender: toolrest.Sender{ID: id}}
	}
	authorised := func(id string) toolrest.Caller {
		return toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: id, Authorised: true}}
	}
	for _, c := range []struct {
		id, config string
		who        toolrest.Caller
		driver     string
		want       bool
	}{
		{"BR-026 the owner's message", `['77001']`, chat("chatx", "77001"), "", true},
		{"BR-026 an untrusted event", `['77001']`, chat("chatx", "77001"), policy.DriverEvent, false},
		{"BR-027 an id", `['123456']`, chat("chatx", "123456"), "", true},
		{"BR-027 with its channel", `['chatx:123456']`, chat("chatx", "123456"), "", true},
		{"BR-027 a mention", `['<@123456>']`, chat("chatx", "123456"), "", true},
		{"BR-027 in upper case", `['CHATX:123456']`, chat("chatx", "123456"), "", true},
		{"BR-027 another id", `['123456']`, chat("chatx", "1234567"), "", false},
		{"BR-027 another channel", `['chatx:123456']`, chat("chaty", "123456"), "", false},
		{"BR-027 anybody by id on another channel", `['123456']`, chat("chaty", "123456"), "", true},
		{"BR-028 no list: whom the chat's own list lets command", ``, authorised("555"), "", true},
		{"BR-028 nobody", ``, authorised(""), "", false},
		{"no list, and nobody vouches", ``, chat("chatx", "555"), "", false},
	} {
		t.Run(c.id, func(t *testing.T) {
			text := `{tools: {profile: 'full'}, commands: {}}`
			if c.config != "" {
				text = `{tools: {profile: 'full'}, commands: {ownerAllowFrom: ` + c.config + `}}`
			}
			ctx := policy.Context{Caller: c.who, Run: policy.Run{Driver: c.driver}}
			cfg := load(t, text)
			if got := policy.Owner(cfg, ctx); got != c.want {
				t.Errorf("the owner: %v, want %v", got, c.want)
			}
			// The plan says the same.
			p, err := plan.Build(world{}.registry(t).Snapshot(), policy.For(cfg, ctx), plan.Context{Caller: c.who})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"cron", "gateway", "nodes"} {
				d := p.Resolve(name)
				if (d.Entry != nil) != c.want {
					t.Errorf("%s visible: %v, want %v", name, d.Entry != nil, c.want)
				}
				if !c.want && d.Refusal != nil && !strings.Contains(d.Refusal.Error(), "owner") {
					t.Errorf("the refusal does not speak of the owner: %v", d.Refusal)
				}
			}
		})
	}
}

// TestReportedConfigs is BR-211 and BR-213: what the loader refuses, and that
// the resolvers decide well all the same.
func TestReportedConfigs(t *testing.T) {
	for _, c := range []struct {
		id, config string
		errors     []string
		visible    []string
		hidden     []string
	}{
		{
			"BR-211", `{agents: {list: [{id: 'main', tools: {profile: 'default', allow: ['read'], alsoAllow: [], deny: ['bash']}}]}}`,
			[]string{"1:48", `"default"`, "minimal, coding, messaging, full"}, []string{"read"}, []string{"exec", "write"},
		},
		{
			"BR-213", `{tools: {profile: 'minimal', allow: ['camera_*'], alsoAllow: ['weather']}}`,
			[]string{"1:62", "tools.alsoAllow", "allow"}, nil, []string{"camera_snap", "read"},
		},
	} {
		t.Run(c.id, func(t *testing.T) {
			err := loadError(t, c.config)
			for _, part := range c.errors {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("the error does not say %q: %v", part, err)
				}
			}
			cfg, err := config.ReadPolicy("c.json5", []byte(c.config))
			if err != nil {
				t.Fatal(err)
			}
			tools := world{plugins: map[string][]string{"cam": {"camera_snap"}, "wx": {"weather"}}}.registry(t).Snapshot()
			ctx := policy.Context{Caller: toolrest.Caller{Agent: "main"}, Known: plan.Known(tools)}
			p, err := plan.Build(tools, policy.For(cfg, ctx), plan.Context{Caller: ctx.Caller})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range c.visible {
				if d := p.Resolve(name); d.Entry == nil {
					t.Errorf("%s is hidden: %v", name, d.Refusal)
				}
			}
			for _, name := range c.hidden {
				if p.Resolve(name).Entry != nil {
					t.Errorf("%s is visible", name)
				}
			}
		})
	}
}
