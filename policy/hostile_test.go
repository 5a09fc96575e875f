package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

const many = 100_000

func denies(text string) policy.Section {
	return policy.Section{Deny: policy.List{Set: true, Entries: []policy.Entry{{Text: text}}}}
}

// A config of any size gives a plain answer in time linear in it: anything
// else would not end here.
func TestHugeConfigs(t *testing.T) {
	long := strings.Repeat("k", 10_000)
	cfg := &policy.Config{Owners: policy.List{Set: true}}
	telegram := policy.Channel{ID: "telegram"}
	for i := range many {
		id := fmt.Sprint(many - i)
		s := denies("exec")
		telegram.Groups = append(telegram.Groups, policy.Group{ID: id, Tools: &s})
		cfg.Agents = append(cfg.Agents, policy.Agent{ID: "a" + id})
		keyed := policy.KeyedSection{Key: id, Section: denies("write")}
		cfg.Tools.BySender = append(cfg.Tools.BySender, keyed)
		cfg.Tools.ByProvider = append(cfg.Tools.ByProvider, keyed)
		cfg.Tools.Sandbox.AlsoAllow.Entries = append(cfg.Tools.Sandbox.AlsoAllow.Entries, policy.Entry{Text: "t*" + id})
		cfg.Owners.Entries = append(cfg.Owners.Entries, policy.Entry{Text: "chatx:" + id})
	}
	cfg.Tools.Sandbox.AlsoAllow.Set = true
	telegram.Groups[0].Tools.Deny.Entries = nil
	s := denies(long)
	telegram.Groups = append(telegram.Groups, policy.Group{ID: long, Tools: &s})
	cfg.Channels = []policy.Channel{telegram}
	r := policy.Resolve(cfg, by(toolrest.Caller{
		Session: "agent:a1:telegram:group:1", Channel: "telegram", Provider: "2", Sender: toolrest.Sender{ID: "3"}, Sandbox: "on",
	}))
	for _, place := range []policy.Place{policy.PlaceGroup, policy.PlaceSender, policy.PlaceProvider, policy.PlaceSandbox} {
		if at(r, place) == nil {
			t.Errorf("place %d has no layer", place)
		}
	}
	r = policy.Resolve(cfg, by(toolrest.Caller{Session: "agent:main:telegram:group:" + long}))
	if l := at(r, policy.PlaceGroup); l == nil || l.Deny[0].Text != long {
		t.Error("the group with the long id is not found")
	}
}

// A tool that is denied over and over gets its fix in linear time.
func TestDeniedOverAndOver(t *testing.T) {
	l := policy.Layer{Place: policy.PlaceTools, Label: "tools.allow", DenyPath: "tools.deny"}
	for i := range 2 * many {
		l.Deny = append(l.Deny, policy.Entry{Text: "exec", Pos: toolrest.Pos{File: "c.json5", Line: i + 1}})
	}
	l.Deny = append(l.Deny, l.Deny[0])
	fix := policy.Compile(policy.Default, []policy.Layer{l}).Allow(policy.Tool{Name: "exec"})
	if len(fix.Edits) != 2*many {
		t.Errorf("%d edits", len(fix.Edits))
	}
}

// Keys that are array indexes count by number and before all others, wherever
// they stand: among keys that mean the same sender the least index decides.
func TestIndexesComeFirst(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"id:12", "12"}, "12"},
		{[]string{"id:12", "@12"}, "id:12"},
		{[]string{"12", "id:12"}, "12"},
		{[]string{"id:12", "012"}, "id:12"},
		{[]string{"*", " * "}, ""}, // the narrower key of no sender: the last star
	} {
		var cfg policy.Config
		for _, key := range c.keys {
			cfg.Tools.BySender = append(cfg.Tools.BySender, policy.KeyedSection{Key: key, Section: denies(key)})
		}
		if c.want == "" {
			c.want = c.keys[len(c.keys)-1]
		}
		r := policy.Resolve(&cfg, by(sender("", "12")))
		if got := at(r, policy.PlaceSender).Deny[0].Text; got != c.want {
			t.Errorf("%q: %q decides, want %q", c.keys, got, c.want)
		}
	}
}

func TestGroupsThatNameThemselves(t *testing.T) {
	star, own := denies("exec"), denies("read")
	cfg := &policy.Config{Channels: []policy.Channel{{ID: "telegram", Groups: []policy.Group{
		{ID: "*", Tools: &star}, {ID: "telegram", Tools: &own}, {ID: "group:fs", Tools: &own}, {ID: "", Tools: &own},
	}}}}
	for key, want := range map[string]string{
		"agent:main:telegram:group:*":                 "exec",
		"agent:main:telegram:group:group:fs":          "read",
		"agent:main:telegram:group:telegram":          "read",
		"agent:main:telegram:group:other":             "exec",
		"agent:main:telegram:group:telegram:topic:1":  "read",
		"agent:main:telegram:group:telegram:sender:1": "read",
		"agent:main:telegram:group:\xff\xfe":          "exec",
		"agent:main:telegram:group: ":                 "",
		"agent:main:telegram:direct:telegram":         "",
	} {
		got := ""
		if l := at(policy.Resolve(cfg, by(toolrest.Caller{Session: key})), policy.PlaceGroup); l != nil {
			got = l.Deny[0].Text
		}
		if got != want {
			t.Errorf("%q: denied %q, want %q", key, got, want)
		}
	}
}

// A caller does not choose its group: only those that its session belongs to
// count.
func TestCallerDoesNotChooseItsGroup(t *testing.T) {
	open, shut := denies("nothing"), denies("exec")
	cfg := &policy.Config{Channels: []policy.Channel{{ID: "telegram", Groups: []policy.Group{
		{ID: "open", Tools: &open}, {ID: "shut", Tools: &shut},
	}}}}
	r := policy.Resolve(cfg, by(toolrest.Caller{Session: "agent:main:telegram:group:shut", Channel: "telegram", Group: "open"}))
	if !r.GroupRefused || at(r, policy.PlaceGroup).Deny[0].Text != "exec" {
		t.Errorf("resolved %+v", r)
	}
}

// Sessions that name each other, or a long line of them, come to an end.
func TestStoredSessionsWithoutEnd(t *testing.T) {
	cfg := &policy.Config{}
	circle := by(toolrest.Caller{Session: "agent:a:acp:1"})
	circle.Sessions = func(key string) (policy.Session, bool) {
		next := map[string]string{"agent:a:acp:1": "agent:a:acp:2", "agent:a:acp:2": "agent:a:acp:1"}
		return policy.Session{SpawnedBy: next[key]}, true
	}
	if r := policy.Resolve(cfg, circle); r.Subagent || r.Depth != 2 {
		t.Errorf("circle: %+v", r.Lineage)
	}
	line := by(toolrest.Caller{Session: "agent:a:subagent:100000"})
	line.Sessions = func(key string) (policy.Session, bool) {
		var n int
		if _, err := fmt.Sscanf(key, "agent:a:subagent:%d", &n); err != nil || n == 0 {
			zero := 0
			return policy.Session{SpawnDepth: &zero}, true
		}
		return policy.Session{SpawnedBy: fmt.Sprintf("agent:a:subagent:%d", n-1)}, true
	}
	if r := policy.Resolve(cfg, line); r.Depth != many || r.Role != "leaf" {
		t.Errorf("line: %+v", r.Lineage)
	}
}

// Whatever a session key or a group is, the ids stay few, distinct and not
// blank, and a group that a caller names is either one of them or refused.
func FuzzConversation(f *testing.F) {
	for _, key := range []string{
		"agent:main:telegram:group:-100:topic:7:sender:9:thread:3", "agent:main:subagent:slack:channel:C1", "::::", "agent:main:x:group:\xff:thread:",
		"telegram:group:a\nb:topic:1", "AGENT:Main:Telegram:Group:\u00a0:Topic:9",
	} {
		f.Add(key, "-100", "telegram")
	}
	cfg := &policy.Config{Channels: []policy.Channel{{ID: "telegram", Groups: []policy.Group{{ID: "*"}}}}}
	f.Fuzz(func(t *testing.T, key, group, channel string) {
		r := policy.Resolve(cfg, by(toolrest.Caller{Session: key, SpawnedBy: channel, Group: group, Channel: channel}))
		seen := map[string]bool{}
		for _, id := range r.Groups {
			if seen[id] || strings.TrimSpace(id) == "" {
				t.Errorf("%q: ids %q", key, r.Groups)
			}
			seen[id] = true
		}
		if len(r.Groups) > 12 {
			t.Errorf("%q: %d ids", key, len(r.Groups))
		}
		if named := strings.TrimSpace(group); named != "" && !r.GroupRefused && len(r.Groups) == 0 {
			t.Errorf("%q: group %q is taken from nowhere", key, group)
		}
	})
}
