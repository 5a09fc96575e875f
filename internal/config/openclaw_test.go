package config_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
)

// TestOpenClaw holds what is understood of the configs in testdata/openclaw.
func TestOpenClaw(t *testing.T) {
	eachArchive(t, "openclaw", func(p *place, _ *txtar.Archive) string {
		c := p.mustLoad()
		for _, provider := range c.Models.Providers {
			if key := provider.APIKey.Reveal(); key != "" && key != "hunter2" {
				p.t.Errorf("the key of %s is %q", provider.ID, key)
			}
		}
		text := told(c)
		if strings.Contains(text, "hunter2") {
			p.t.Errorf("a secret is shown: %s", text)
		}
		return text
	})
}

// told describes a config in lines.
func told(c *config.Config) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("dialect %d, default profile %q, trusted %v", c.Policy.Dialect, c.Policy.DefaultProfile, c.Trusted)
	say("workspace %s (%s)", c.Workspace, c.WorkspacePos)
	say("exec %s (%s)", c.Exec.Ask, c.Exec.Pos)
	say("model %s", c.Model)
	tellScope(say, &c.Policy.Tools)
	say("defaults: sandbox %q, depth %d", c.Policy.Defaults.SandboxMode, c.Policy.Defaults.MaxSpawnDepth)
	for i, a := range c.Policy.Agents {
		own := c.Agents[i]
		say("agent %q = %q main %v sandbox %q model %q exec %q (%s)", a.ID, own.ID, a.Main, a.SandboxMode, own.Model, own.Exec.Ask, a.Pos)
		tellList(say, own.AllowAgents)
		tellScope(say, &a.Tools)
	}
	for _, ch := range c.Policy.Channels {
		for _, g := range ch.Groups {
			say("group %s %s (%s)", ch.ID, g.ID, g.Pos)
			tellSection(say, *g.Tools)
			for _, s := range g.BySender {
				tellSection(say, s.Section)
			}
		}
		for _, a := range ch.Accounts {
			say("account %s %s: %d groups", ch.ID, a.ID, len(a.Groups))
		}
	}
	tellSection(say, c.Policy.Gateway)
	tellList(say, c.Policy.Owners)
	say("session %q %q", c.Policy.MainKey, c.Policy.SessionScope)
	for _, a := range c.Policy.AuthProfiles {
		say("auth %s %s", a.Provider, a.Mode)
	}
	for _, s := range c.Policy.MCPServers {
		say("server %s off %v", s.Name, s.Off)
	}
	for _, m := range c.Models.Providers {
		say("provider %s %s key %v", m.ID, m.BaseURL, !m.APIKey.IsZero())
	}
	for _, w := range c.Warnings {
		say("warning %s: %s: %s", w.Pos, w.Path, w.Text)
	}
	for _, i := range c.Ignored {
		say("ignored %s: %s: %s", i.Pos, i.Path, i.Why)
	}
	for _, u := range c.Unused {
		say("unused %s: %s", u.Pos, u.Path)
	}
	for _, f := range c.Files {
		say("file %s", f)
	}
	return b.String()
}

func tellScope(say func(string, ...any), s *policy.Scope) {
	tellSection(say, s.Section)
	for _, k := range s.ByProvider {
		tellSection(say, k.Section)
	}
	for _, k := range s.BySender {
		tellSection(say, k.Section)
	}
	tellSection(say, s.Sandbox)
	tellSection(say, s.Subagents)
}

func tellSection(say func(string, ...any), s policy.Section) {
	if s.Profile != "" {
		say("  %s.profile %s (%s)", s.Path, s.Profile, s.ProfilePos)
	}
	for _, l := range []policy.List{s.Allow, s.AlsoAllow, s.Deny} {
		tellList(say, l)
	}
}

func tellList(say func(string, ...any), l policy.List) {
	if !l.Set {
		return
	}
	say("  %s (%s)", l.Path, l.Pos)
	for _, e := range l.Entries {
		say("    %q (%s)", e.Text, e.Pos)
	}
}

// A key of OpenClaw's counts in every config, and one that a file has is told
// once, at its topmost place.
func TestUnused(t *testing.T) {
	p := newPlace(t)
	p.own("{ cron: { enabled: true, store: '${NOT_SET}' }, agents: { list: [{ id: 'a', identity: { name: 'A' } }] } }")
	c := p.mustLoad()
	var got []string
	for _, u := range c.Unused {
		got = append(got, fmt.Sprintf("%d:%d %s", u.Pos.Line, u.Pos.Col, u.Path))
	}
	if want := "1:9 cron|1:87 agents.list[0].identity"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

// OpenClaw's own roots let its config, and only that, include files from other
// folders.
func TestIncludeRoots(t *testing.T) {
	p := newPlace(t)
	shared := filepath.Join(p.root, "shared")
	p.mkdir(shared, 0o755)
	p.write(filepath.Join(shared, "deny.json5"), "{ deny: ['exec'] }")
	opts := p.options()
	opts.Path = p.write(filepath.Join(p.work, config.OpenClawFileName), "{ tools: { $include: '../shared/deny.json5' } }")
	if _, err := config.Load(opts); err == nil || !strings.Contains(err.Error(), "outside of the config's folder") {
		t.Errorf("without roots: %v", err)
	}
	p.env["OPENCLAW_INCLUDE_ROOTS"] = "relative: :" + shared
	if c, err := config.Load(opts); err != nil || len(c.Policy.Tools.Deny.Entries) != 1 {
		t.Errorf("with roots: %v", err)
	}
	opts.Path = p.write(filepath.Join(p.work, "own.json5"), "{ tools: { $include: '../shared/deny.json5' } }")
	if _, err := config.Load(opts); err == nil {
		t.Error("a config that is not OpenClaw's includes from elsewhere")
	}
}
