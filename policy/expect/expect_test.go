package expect_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/expect"
	"github.com/toolrest/toolrest/policy/survey"
)

const aConfig = `{
	mcp: { servers: { kb: {} } },
	tools: { profile: 'coding' },
	agents: { list: [ { id: 'ops', tools: { deny: ['exec', 'cam'] } } ] },
	commands: { ownerAllowFrom: ['chat:7'] },
	channels: { chat: { groups: { g: { tools: { deny: ['write'] } } } } },
}`

var tools = []policy.Tool{{Name: "camera_snap", Plugin: "cam"}, {Name: "weather", Plugin: "wx"}}

func load(t testing.TB) (*policy.Config, *survey.Inventory) {
	t.Helper()
	cfg, err := config.ReadPolicy("c.json5", []byte(aConfig))
	if err != nil {
		t.Fatal(err)
	}
	return cfg, survey.NewInventory(cfg.Dialect, tools)
}

// tell runs one context against the config and tells what does not hold.
func tell(t *testing.T, body string) string {
	t.Helper()
	cfg, inv := load(t)
	suite, err := expect.Read("t.json5", []byte("{contexts:{x:{"+body+"}}}"), cfg, inv)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	var lines []string
	for _, f := range suite.Check(cfg, inv)[0].Failures {
		if f.Pos.IsZero() {
			t.Errorf("no place: %s", f.Text)
		}
		lines = append(lines, strings.TrimSpace(f.Text+" "+f.Hint))
	}
	return strings.Join(lines, "\n")
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`sees: ['read', 'BASH', 'group:web', 'kb__find', 'bundle-mcp']`, ""},
		{`not: ['message', 'cam', 'camera_*']`, ""},
		{`sees: ['message']`, "sees 'message', but message is not part of tools.profile (coding) (c.json5:3:20)"},
		{`not: ['r*d']`, "not 'r*d', but read is there: allowed by tools.profile (coding), rule 'read' (c.json5:3:20)"},
		{`agent: 'ops', removedBy: { exec: 'agents.ops.tools.deny' }`, ""},
		{`agent: 'ops', removedBy: { exec: 'agents.osp.tools.deny' }`,
			"exec is to be removed by agents.osp.tools.deny, but it is denied by agents.ops.tools.deny, rule 'exec' (c.json5:4:49) did you mean agents.ops.tools.deny?"},
		{`removedBy: { read: 'tools.deny' }`,
			"read is to be removed by tools.deny, but it is there: allowed by tools.profile (coding), rule 'read' (c.json5:3:20)"},
		// The local user is the owner; a sender is when the config says so.
		{`sees: ['cron']`, ""},
		{`owner: false, not: ['cron']`, ""},
		{`channel: 'chat', sender: '8', not: ['cron']`, ""},
		{`channel: 'chat', sender: 'id:7', sees: ['cron']`, ""},
		{`channel: 'chat', sender: { id: '8' }, owner: true, sees: ['cron']`, ""},
		// Groups, sub-agents and sandboxes.
		{`channel: 'Chat', group: 'g', not: ['write'], sees: ['read']`, ""},
		{`channel: 'chat', group: 'h', sees: ['write']`, ""},
		{`channel: 'chat', group: 'g', depth: 1, not: ['write', 'sessions_spawn']`, ""},
		{`sandboxed: true, not: ['web_fetch'], sees: ['exec']`, ""},
		{`surface: 'http', not: ['exec'], sees: ['read']`, ""},
		{`channel: 'voice', not: ['tts']`, ""},
		// A group means its members, and not what may be used besides.
		{`agent: 'ops', only: ['group:fs', 'group:web', 'group:memory', 'group:sessions', 'group:media', 'group:agents', 'group:automation', 'group:runtime', 'tts']`,
			strings.Join([]string{
				"only has 'group:media', but tts is not part of tools.profile (coding) (c.json5:3:20)",
				"only has 'group:agents', but agents_list is not part of tools.profile (coding) (c.json5:3:20)",
				"only has 'group:automation', but heartbeat_respond is removed by heartbeat: only a heartbeat run answers to the heartbeat",
				"only has 'group:automation', but gateway is not part of tools.profile (coding) (c.json5:3:20)",
				"only has 'group:runtime', but exec is denied by agents.ops.tools.deny, rule 'exec' (c.json5:4:49)",
				"only has 'tts', but tts is not part of tools.profile (coding) (c.json5:3:20)",
			}, "\n")},
		{`agent: 'ops', sandboxed: true, depth: 1, only: ['group:fs']`, strings.Join([]string{
			"only has 'group:fs', but grep is not in the allow list of sandbox tools.allow",
			"only has 'group:fs', but find is not in the allow list of sandbox tools.allow",
			"only has 'group:fs', but ls is not in the allow list of sandbox tools.allow",
			"only does not have process, which is there: allowed by sandbox tools.allow, rule 'process'",
			"only does not have sessions_yield, which is there: allowed by sandbox tools.allow, rule 'sessions_yield'",
			"only does not have image, which is there: allowed by sandbox tools.allow, rule 'image'",
		}, "\n")},
	} {
		if diff := cmp.Diff(c.want, tell(t, c.body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.body, diff)
		}
	}
}

func TestMistakes(t *testing.T) {
	cfg, inv := load(t)
	for text, want := range map[string]string{
		``:                                     "t.json5:1:1: ",
		`{`:                                    "t.json5:1:",
		`[]`:                                   "t.json5:1:1: expected an object",
		`{}`:                                   "t.json5:1:1: nothing is expected",
		`{contexts:{}}`:                        "t.json5:1:1: nothing is expected",
		`{contexts:{a:{}}}`:                    "t.json5:1:14: contexts.a: expects nothing",
		`{contexts:{" ":{sees:["read"]}}}`:     "t.json5:1:12: contexts[\" \"]: a blank name",
		`{contexts:{a:{sees:["raed"]}}}`:       "did you mean read",
		`{contexts:{a:{not:["no*such"]}}}`:     "t.json5:1:20: contexts.a.not[0]: \"no*such\" is no known tool",
		`{contexts:{a:{not:[1]}}}`:             "contexts.a.not[0]: expected a text",
		`{contexts:{a:{sees:["off__x"]}}}`:     "is no known tool",
		`{contexts:{a:{sender:{nme:"x"}}}}`:    "did you mean name?",
		`{contexts:{a:{removedBy:{read:""}}}}`: "contexts.a.removedBy.read: expected a text",
		`{contexts:{a:{depth:1.5,sees:["read"]}}}`:   "a whole number from 0 to 16",
		`{contexts:{a:{depth:-1,sees:["read"]}}}`:    "a whole number from 0 to 16",
		`{contexts:{a:{sandboxed:1,sees:["read"]}}}`: "expected true or false",
		`{contexts:{a:{sees:["read"]},a:{}}}`:        "t.json5:1:30: ",
	} {
		_, err := expect.Read("t.json5", []byte(text), cfg, inv)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Expectations that say what is so hold, and those that say the opposite fail,
// each at its place.
func TestExpectationsHoldExactly(t *testing.T) {
	cfg, inv := load(t)
	rapid.Check(t, func(t *rapid.T) {
		agent := rapid.SampledFrom([]string{"main", "ops"}).Draw(t, "agent")
		sandboxed, depth := rapid.Bool().Draw(t, "sandboxed"), rapid.IntRange(0, 2).Draw(t, "depth")
		situation := fmt.Sprintf("agent:%q,sandboxed:%v,depth:%d,", agent, sandboxed, depth)
		var sees, not []string
		lie := rapid.Bool().Draw(t, "lie")
		probe, err := expect.Read("t", []byte("{contexts:{x:{"+situation+`sees:["read"]}}}`), cfg, inv)
		if err != nil {
			t.Fatal(err)
		}
		s := probe.Situations(cfg)[0]
		p := inv.Pipeline(cfg, &s)
		for _, tool := range inv.Tools {
			if p.Decide(tool).Kept != lie {
				sees = append(sees, tool.Name)
			} else {
				not = append(not, tool.Name)
			}
		}
		suite, err := expect.Read("t", fmt.Appendf(nil, "{contexts:{x:{%ssees:%s,not:%s}}}", situation, list(sees), list(not)), cfg, inv)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if lie {
			want = len(inv.Tools)
		}
		if got := suite.Check(cfg, inv)[0].Failures; len(got) != want {
			t.Fatalf("%d failures, want %d: %v", len(got), want, got)
		}
	})
}

func list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// FuzzRead: whatever a file holds, it is read or refused with places.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "{", "[]", "{contexts:{a:{sees:['read'],not:['*'],removedBy:{exec:'x'}}}}", "{contexts:{a:{sender:{id:'1'},depth:1e9}}}",
		"{contexts:{a:{model:'/',sees:['\\u0000']}}}", "{contexts:{a:{group:'g',channel:':::',sees:['group:']}}}", "{contexts:[{}]}",
	} {
		f.Add([]byte(seed))
	}
	cfg, inv := load(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		suite, err := expect.Read("t.json5", text, cfg, inv)
		var errs expect.Errors
		switch {
		case err == nil:
			suite.Check(cfg, inv)
		case !errors.As(err, &errs) || len(errs) == 0 || slices.ContainsFunc(errs, func(e *expect.Error) bool { return e.Pos.Line < 1 || e.Pos.Col < 1 }):
			t.Fatalf("an error without a place: %v", err)
		}
	})
}
