package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
)

// decisions are the rows in which the dialects differ, as docs/policy.md lists
// them: the same config, and what it gives in each.
var decisions = []struct {
	row    int
	name   string
	tools  string // what stands in tools besides the dialect
	rest   string // other keys
	world  world
	who    toolrest.Caller
	inBoth []string // visible in both dialects
	ours   []string // visible in Default only
	theirs []string // visible in OpenClaw only
	never  []string // visible in neither
}{
	{
		row: 1, name: "an allow list of plugin tools only is an opt-in", tools: `profile: 'coding', allow: ['notes_add']`,
		world: world{core: []string{"read", "exec"}, plugins: map[string][]string{"notes": {"notes_add", "notes_del"}}},
		ours:  []string{"read", "exec", "notes_add"}, never: []string{"notes_del"},
	},
	{
		row: 1, name: "a misspelt entry beside it is none", tools: `profile: 'full', allow: ['notes_add', 'raed']`,
		world:  world{core: []string{"read", "exec"}, plugins: map[string][]string{"notes": {"notes_add"}}},
		inBoth: []string{"notes_add"}, never: []string{"read", "exec"},
	},
	{
		row: 1, name: "other layers are applied as they are", tools: `profile: 'full', byProvider: {openai: {allow: ['notes_add']}}`,
		world: world{core: []string{"read"}, plugins: map[string][]string{"notes": {"notes_add"}}}, who: toolrest.Caller{Provider: "openai", Model: "m"},
		inBoth: []string{"notes_add"}, never: []string{"read"},
	},
	{
		row: 2, name: "who may not write may not patch", tools: `profile: 'coding', deny: ['write']`,
		inBoth: []string{"edit"}, theirs: []string{"apply_patch"}, never: []string{"write"},
	},
	{
		row: 2, name: "who may write may patch", tools: `profile: 'full', allow: ['write']`,
		inBoth: []string{"write", "apply_patch"}, never: []string{"edit"},
	},
	{
		row: 3, name: "owner's tools for somebody else", tools: `profile: 'full'`, who: toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "8"}},
		inBoth: []string{"exec"}, theirs: []string{"cron", "gateway", "nodes"},
	},
	{
		row: 3, name: "and for the owner", tools: `profile: 'full'`, who: toolrest.Caller{Owner: true},
		inBoth: []string{"cron", "gateway", "nodes"},
	},
	{
		row: 4, name: "profile full does not name optional tools", tools: `profile: 'full'`,
		world:  world{core: []string{"read"}, plugins: map[string][]string{"notes": {"notes_add", "notes_rare?"}}},
		inBoth: []string{"read", "notes_add"}, theirs: []string{"notes_rare"},
	},
	{
		row: 6, name: "an optional tool wants its name, its plugin or group:plugins", tools: `profile: 'full', alsoAllow: ['notes_rare']`,
		world:  world{plugins: map[string][]string{"notes": {"notes_rare?"}}},
		inBoth: []string{"notes_rare"},
	},
	{
		row: 6, name: "and is not meant by a star", tools: `profile: 'full', alsoAllow: ['*']`,
		world:  world{plugins: map[string][]string{"notes": {"notes_rare?", "notes_add"}}},
		theirs: []string{"notes_rare"}, inBoth: []string{"notes_add"},
	},
	{
		row: 7, name: "names of JavaScript's objects are names that nobody has", tools: `profile: 'full', allow: ['constructor', '__proto__']`,
		never: []string{"read", "exec", "constructor"},
	},
	{
		row: 8, name: "a profile hides required plugin tools", tools: `profile: 'coding'`,
		world:  world{plugins: map[string][]string{"notes": {"notes_add"}}},
		inBoth: []string{"read"}, never: []string{"notes_add"},
	},
	{
		row: 12, name: "the owner is whom the list names", tools: `profile: 'full'`, rest: `commands: {ownerAllowFrom: ['7']}`,
		who:    toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "7"}},
		inBoth: []string{"cron"},
	},
	{
		row: 12, name: "an empty list makes nobody an owner", tools: `profile: 'full'`, rest: `commands: {ownerAllowFrom: []}`,
		who:    toolrest.Caller{Channel: "chatx", Sender: toolrest.Sender{ID: "7", Authorised: true}},
		theirs: []string{"cron"}, inBoth: []string{"exec"},
	},
	{
		row: 13, name: "grep, find and ls are files' tools", tools: `profile: 'full', allow: ['group:fs']`,
		world:  world{core: []string{"read", "grep", "find", "ls", "pdf"}},
		inBoth: []string{"read"}, ours: []string{"grep", "find", "ls"}, never: []string{"pdf"},
	},
	{
		row: 13, name: "and in profile coding", tools: `profile: 'coding'`,
		world:  world{core: []string{"read", "grep", "pdf"}},
		inBoth: []string{"read"}, ours: []string{"grep", "pdf"},
	},
}

func TestDecisions(t *testing.T) {
	for _, c := range decisions {
		t.Run(c.name, func(t *testing.T) {
			for dialect, others := range map[string][2][]string{
				"default":  {c.ours, c.theirs},
				"openclaw": {c.theirs, c.ours},
			} {
				w := c.world
				w.config = `{tools: {dialect: '` + dialect + `', ` + c.tools + `}, ` + c.rest + `}`
				visible := w.plan(t, c.who).Names()
				for _, name := range slices.Concat(c.inBoth, others[0]) {
					if !slices.Contains(visible, name) {
						t.Errorf("row %d, %s: %s is hidden", c.row, dialect, name)
					}
				}
				for _, name := range slices.Concat(c.never, others[1]) {
					if slices.Contains(visible, name) {
						t.Errorf("row %d, %s: %s is visible", c.row, dialect, name)
					}
				}
			}
		})
	}
}

// TestEmptyAllow is row 9: the loader refuses what a reader would take for
// "nothing", but in the dialect that takes it for "everything".
func TestEmptyAllow(t *testing.T) {
	for _, list := range []string{`[]`, `['  ', '']`} {
		err := loadError(t, `{tools: {allow: `+list+`}}`)
		if err == nil || !strings.Contains(err.Error(), "deny: ['*']") {
			t.Errorf("allow: %s: %v", list, err)
		}
		visible := world{config: `{tools: {dialect: 'openclaw', allow: ` + list + `}}`}.plan(t, toolrest.Caller{}).Names()
		if !slices.Contains(visible, "exec") {
			t.Errorf("allow: %s in the dialect openclaw gives %v", list, visible)
		}
	}
}

// TestDoorsSkipNothing is row 10: over HTTP every layer counts in Default, and
// in OpenClaw those of providers, senders and sandboxes do not.
func TestDoorsSkipNothing(t *testing.T) {
	for dialect, visible := range map[string]bool{"default": false, "openclaw": true} {
		w := world{config: `{tools: {dialect: '` + dialect + `', profile: 'full', toolsBySender: {'*': {deny: ['image']}}}}`}
		p := w.plan(t, toolrest.Caller{Surface: toolrest.SurfaceHTTP, Owner: true, Agent: "main", Session: "agent:main:main"})
		if (p.Resolve("image").Entry != nil) != visible {
			t.Errorf("%s: image is visible: %v", dialect, !visible)
		}
		if d := p.Resolve("exec"); d.Entry != nil || !strings.Contains(d.Refusal.Error(), "HTTP") {
			t.Errorf("%s: exec over HTTP: %v", dialect, d.Refusal)
		}
	}
}
