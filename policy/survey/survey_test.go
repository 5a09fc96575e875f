package survey_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

func read(t *testing.T, text string) *policy.Config {
	t.Helper()
	cfg, err := config.ReadPolicy("c.json5", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func namesOf(s survey.Survey) []string {
	var out []string
	for _, s := range s.Situations {
		out = append(out, s.String())
	}
	return out
}

func TestSituations(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		want   []string
	}{
		"nothing": {`{}`, []string{"main", "main, sub-agent at depth 1", "main, not the local user"}},
		"agents and providers": {
			`{ tools: { byProvider: { openai: {}, 'OpenAI/GPT-5': {} } }, agents: { list: [ { id: 'Ops', tools: { byProvider: { x: {} } } } ] } }`,
			[]string{
				"main", "ops",
				"main, provider openai", "main, model openai/gpt-5", "main, sub-agent at depth 1", "main, not the local user",
				"ops, provider openai", "ops, model openai/gpt-5", "ops, provider x", "ops, sub-agent at depth 1", "ops, not the local user",
			},
		},
		"senders combine with all others": {
			`{ tools: { toolsBySender: { '*': {}, 'id:1': {} } }, commands: { ownerAllowFrom: ['chat:7'] } }`,
			[]string{
				"main",
				"main, sender id:1", "main, sender chat:7", "main, sub-agent at depth 1", "main, not the local user",
				"main, sender id:1, sub-agent at depth 1", "main, sender id:1, not the local user",
				"main, sender chat:7, sub-agent at depth 1", "main, sender chat:7, not the local user",
			},
		},
		"groups": {
			`{ channels: { chat: { groups: { g: { toolsBySender: { 'id:1': {}, 'channel:other:2': {} } }, '*': {} }, accounts: { a: { groups: { h: {} } } } } } }`,
			[]string{
				"main", "main, group g of chat (account any-other)", "main, group g of chat (account any-other), sender id:1",
				"main, any other group of chat (account any-other)", "main, group h of chat (account a)",
				"main, sub-agent at depth 1", "main, not the local user",
			},
		},
		"depths and sandboxes": {
			`{ agents: { defaults: { sandbox: { mode: 'non-main' }, subagents: { maxSpawnDepth: 3 } } } }`,
			[]string{"main", "main, sub-agent at depth 3", "main, sub-agent at depth 1", "main, another session", "main, not the local user"},
		},
		"the HTTP door": {
			`{ gateway: { tools: { deny: ['read'] } } }`,
			[]string{"main", "main, sub-agent at depth 1", "main, over HTTP", "main, not the local user"},
		},
		"models that may patch": {
			`{ tools: { exec: { applyPatch: { allowModels: ['m', 'p/n'] } }, byProvider: { q: {} } } }`,
			[]string{
				"main", "main, provider q", "main, model p/n", "main, model any/m", "main, model q/m",
				"main, sub-agent at depth 1", "main, not the local user",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := survey.Of([]*policy.Config{read(t, c.config)}, nil)
			if diff := cmp.Diff(c.want, namesOf(got)); diff != "" || got.Left != 0 {
				t.Errorf("situations (-want +got):\n%s\nleft %d", diff, got.Left)
			}
		})
	}
}

// What a situation is called is what it asks.
func TestSituationsAreWhatTheySay(t *testing.T) {
	cfg := read(t, `{
		agents: { defaults: { sandbox: { mode: 'non-main' } }, list: [ { id: 'ops' } ] },
		tools: { toolsBySender: { '@bob': {}, 'channel:chat:9': {} }, byProvider: { 'p/m': {} } },
		channels: { chat: { groups: { g: {} } } },
	}`)
	asks := map[string]policy.Context{}
	for _, s := range survey.Of([]*policy.Config{cfg}, &survey.Options{Together: 2}).Situations {
		asks[s.String()] = s.Asks
	}
	for name, want := range map[string]string{
		"ops":                                        "agent:ops:main||||||0",
		"ops, another session":                       "agent:ops:another||||||0",
		"ops, sender @bob":                           "agent:ops:main||@bob||||0",
		"ops, sender channel:chat:9":                 "agent:ops:main|chat|9||||0",
		"ops, model p/m, group g of chat":            "agent:ops:chat:group:g|chat||g|p|m|0",
		"ops, group g of chat, sub-agent at depth 1": "agent:ops:subagent:1|chat||g|||1",
	} {
		a, ok := asks[name]
		got := strings.Join([]string{a.Session, a.Channel, a.Sender.ID, a.Group, a.Provider, a.Model, fmt.Sprint(a.Depth)}, "|")
		if !ok || got != want {
			t.Errorf("%s asks %s, want %s", name, got, want)
		}
	}
	if res := policy.Resolve(cfg, asks["ops, group g of chat, sub-agent at depth 1"]); !slices.Contains(res.Groups, "g") || !res.Subagent || !res.Sandboxed {
		t.Errorf("resolved %+v", res)
	}
}

func TestSurveyIsBounded(t *testing.T) {
	var keys []policy.KeyedSection
	for i := range 500 {
		keys = append(keys, policy.KeyedSection{Key: fmt.Sprintf("id:%d", i)})
	}
	cfg := &policy.Config{Tools: policy.Scope{BySender: keys}}
	got := survey.Of([]*policy.Config{cfg}, &survey.Options{Most: 100})
	if len(got.Situations) != 100 || got.Left < 900 {
		t.Errorf("%d situations, %d left", len(got.Situations), got.Left)
	}
}

// A made-up tool is matched by the globs that it was made for.
func TestGuesses(t *testing.T) {
	cfg := read(t, `{ mcp: { servers: { kb: {}, here: {}, off: { enabled: false } } } }`)
	inv := survey.NewInventory(policy.Default, []policy.Tool{{Name: "here__x", Plugin: "bundle-mcp"}})
	var got []string
	for _, tool := range inv.Guess(cfg, []string{"KB__find", "kb__get_*", "*_all", "*", "here__y", "off__z", "web_*", "kb__"}) {
		got = append(got, tool.Name)
	}
	if want := []string{"kb__*", "kb__find", "kb__get_*", "kb__*_all", "kb__get_*_all"}; !slices.Equal(got, want) {
		t.Errorf("guesses %q, want %q", got, want)
	}
}

func TestGuessesMatchTheirGlobs(t *testing.T) {
	glob := rapid.Custom(func(t *rapid.T) string {
		return "kb__" + string(rapid.SliceOfN(rapid.SampledFrom([]rune("ab*")), 0, 5).Draw(t, "glob")) + "*"
	})
	cfg := &policy.Config{MCPServers: []policy.Server{{Name: "kb"}}}
	inv := survey.NewInventory(policy.Default, nil)
	rapid.Check(t, func(t *rapid.T) {
		globs := []string{glob.Draw(t, "one"), glob.Draw(t, "other")}
		tools := inv.Guess(cfg, globs)
		for _, g := range globs {
			p := policy.Compile(policy.Default, []policy.Layer{{Allow: []policy.Entry{{Text: g}}}})
			if !slices.ContainsFunc(tools, func(t policy.Tool) bool { return p.Decide(t).Kept }) {
				t.Fatalf("no tool of %v matches %s", tools, g)
			}
		}
	})
}
