package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
)

// keys tells what the config says and nothing here listens to.
func (c *checkup) keys(cfg *config.Config) {
	for _, w := range cfg.Warnings {
		c.say("warn", "config", "%s: %s (%s)", w.Path, w.Text, w.Pos)
	}
	if len(cfg.Unused) == 0 {
		return
	}
	const most = 12
	var paths []string
	for _, u := range cfg.Unused {
		if !slices.Contains(paths, u.Path) {
			paths = append(paths, u.Path)
		}
	}
	text := strings.Join(paths[:min(most, len(paths))], ", ")
	if len(paths) > most {
		text += fmt.Sprintf(" and %d more", len(paths)-most)
	}
	c.say("ok", "config", "keys of OpenClaw that have no effect here: %s", text)
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
	names := p.Names()
	if err := p.Guard(d.run, policy.GuardFacts{}); err != nil {
		c.say("fail", check, "%v", err)
	} else if len(names) == 0 {
		c.say("warn", check, "it has no tools at all; toolrest tools --hidden --agent %s says why", who.Agent)
	} else {
		c.say("ok", check, "%s: %s", countTools(len(names)), strings.Join(names, ", "))
	}
	for _, source := range p.Sources() {
		c.source(check, source)
	}
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

// mend shows the changes and makes them.
func (c *checkup) mend(s streams) error {
	if len(c.changes) == 0 {
		_, err := fmt.Fprintln(s.err, "nothing that can be mended without a decision of yours")
		return err
	}
	for _, change := range c.changes {
		if _, err := fmt.Fprintf(s.err, "\n%s", visible(change.Diff())); err != nil {
			return err
		}
		if err := change.Write(); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "%s is mended; no decision is another\n", change.File)
	}
	return nil
}
