package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
)

// keys tells what the config says and nothing here listens to.
func (c *checkup) keys(cfg *config.Config) {
	for _, w := range cfg.Warnings {
		c.say("warn", "config", "%s: %s (%s)", w.Path, w.Text, w.Pos)
	}
	c.servers(cfg.Policy.MCPServers)
	if len(cfg.Unused) == 0 {
		return
	}
	var paths []string
	for _, u := range cfg.Unused {
		if !slices.Contains(paths, u.Path) {
			paths = append(paths, u.Path)
		}
	}
	c.say("ok", "config", "keys of OpenClaw that have no effect here: %s", strings.Join(paths, ", "))
}

// servers tells that the MCP servers of the config are known by name only.
func (c *checkup) servers(list []policy.Server) {
	var on []string
	for _, server := range list {
		if !server.Off {
			on = append(on, server.Name)
		}
	}
	if len(on) > 0 {
		c.say("warn", "config", "this build does not connect to MCP servers yet: the tools of %s are not there", strings.Join(on, ", "))
	}
}

// absent warns when nobody named main is in the list of agents: it is who
// calls where no --agent is given.
func (c *checkup) absent(cfg *config.Config) {
	if _, there := cfg.Agent(names.MainAgent); there || len(cfg.Agents) == 0 {
		return
	}
	c.say("warn", "agents", "the config has no agent main, and that is who calls without --agent: only the global lists count for it")
}

// agent makes the agent's real plans: that of its main session, and that of a
// sandboxed one where the config sandboxes any.
func (c *checkup) agent(ctx context.Context, d *door, agent string) {
	who := cliCaller(agent)
	c.plan(ctx, d, "agent "+agent, who)
	if said := policy.Resolve(d.now().config.Policy, policy.Context{Caller: who}); said.SandboxMode != "" && said.SandboxMode != "off" {
		who.Sandbox = "on"
		c.plan(ctx, d, "agent "+agent+", sandboxed", who)
	}
}

func (c *checkup) plan(ctx context.Context, d *door, check string, who toolrest.Caller) {
	p, err := d.Plan(ctx, who)
	if err != nil {
		c.say("fail", check, "%v", err)
		return
	}
	visible := p.Names()
	if unbuilt := allowedOnly(p); len(visible) == 0 && len(unbuilt) > 0 {
		c.say("warn", check, "nothing that it may use is in this build: %s", strings.Join(unbuilt, ", "))
	} else if err := p.Guard(d.run, policy.GuardFacts{}); err != nil {
		c.say("fail", check, "%v", err)
	} else if len(visible) == 0 {
		c.say("warn", check, "it has no tools at all; toolrest tools --hidden --agent %s says why", who.Agent)
	} else {
		c.say("ok", check, "%s: %s", countTools(len(visible)), strings.Join(visible, ", "))
	}
	for _, source := range p.Sources() {
		c.source(check, source)
	}
}

// allowedOnly are the tools that policy lets through and that cannot work here.
func allowedOnly(p *plan.Plan) []string {
	var out []string
	for _, name := range p.Known() {
		if d := p.Resolve(name); d.Entry == nil && d.Trace().Kept {
			out = append(out, name)
		}
	}
	return out
}

// source warns of a source that brought tools of which none is left.
func (c *checkup) source(check string, r plan.SourceReport) {
	if r.Mute() && r.Source != "core" {
		c.say("warn", check, "none of the %d tools of %s is visible; %s: %s", r.Listed, r.Source, r.Hidden[0].Tool, r.Hidden[0].Reason)
	}
}

// policy tells what lint finds, but for the notes, and keeps the changes that
// alter no decision.
func (c *checkup) policy(ctx context.Context, st *stack) {
	report, err := st.lint(ctx)
	if err != nil {
		c.say("fail", "policy", "%v", err)
		return
	}
	var edits []policy.Edit
	told := 0
	for _, f := range report.Findings {
		if f.Severity == lint.Note {
			continue
		}
		told++
		mend := ""
		if f.Safe && f.Repeats {
			edits, mend = append(edits, f.Fix.Edits...), "; toolrest doctor --fix does this"
		}
		c.say("warn", "policy", "%s [%s] (%s)%s", f.Text, f.Code, f.Pos, mend)
	}
	if told == 0 {
		c.say("ok", "policy", "every entry of the config does something")
	}
	if len(edits) == 0 {
		return
	}
	if c.changes, err = st.config.Apply(edits); err != nil {
		c.say("fail", "policy", "what would mend it cannot be written: %v", err)
	}
}

// mend shows the changes, asks, and makes them.
func (c *checkup) mend(s streams, yes bool) error {
	if len(c.changes) == 0 {
		_, err := fmt.Fprintln(s.err, "nothing that can be mended without a decision of yours")
		return err
	}
	for _, change := range c.changes {
		if _, err := fmt.Fprintf(s.err, "\n%s", visible(change.Diff())); err != nil {
			return err
		}
	}
	switch {
	case yes:
	case !isTerminal(s.in):
		return exit{exitUsage, errors.New("not written: nobody can be asked here; --fix --yes writes it")}
	case !agrees(s, "\nWrite this?"):
		_, err := fmt.Fprintln(s.out, "Not written.")
		return err
	}
	for _, change := range c.changes {
		if err := change.Write(); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "%s is mended; no decision is another\n", change.File)
	}
	return nil
}
