package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/event"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
)

type explainCmd struct {
	Tool string `arg:"" predictor:"tool" help:"The tool; or a group, a glob, a plugin or an MCP server for all of its tools."`
	who
	gates
	JSON bool `name:"json" help:"Print JSON."`
}

func (explainCmd) Help() string {
	return `Examples:

  toolrest explain exec
  toolrest explain exec --agent ops --json
  toolrest explain exec --model openai/gpt-5.5 --channel telegram --group -100123 --sender 42
  toolrest explain cron --depth 1
  toolrest explain group:fs

Exit code: 0 the agent may use the tool, 10 a policy denies it,
11 it is unknown or cannot work here.`
}

// explanation is the decision in the form that programs read.
type explanation struct {
	Tool    string            `json:"tool"`
	Agent   string            `json:"agent"`
	With    string            `json:"with,omitempty"` // the circumstances, in words
	Visible bool              `json:"visible"`
	Source  string            `json:"source,omitempty"`
	Asks    string            `json:"asks,omitempty"`
	Refusal *toolrest.Refusal `json:"refusal,omitempty"`
	Layers  []policy.Step     `json:"layers"`
	Missing []plan.Diagnostic `json:"missing,omitempty"`
	Fix     *policy.Fix       `json:"fix,omitempty"`
	Snippet string            `json:"snippet,omitempty"`
	// Hide is the change that would take a visible tool away.
	Hide *policy.Edit `json:"hide,omitempty"`
	// Since is the change that took the tool away, where one is on record.
	Since *event.PlanChanged `json:"since,omitempty"`
}

func (c *explainCmd) Run(ctx context.Context, g *cli, s streams) error {
	d, err := open(ctx, g, s, use{run: c.run()})
	if err != nil {
		return err
	}
	defer d.Close()
	st := d.now()
	st.warnUntrusted(s)
	who, err := c.caller(st.isOwner)
	if err != nil {
		return err
	}
	p, err := st.Plan(ctx, who)
	if err != nil {
		return err
	}
	if several := p.Matching(c.Tool); len(several) > 0 {
		return c.explainAll(s, st, p, several)
	}
	x := explain(st, p, c.Tool)
	x.With = c.words()
	if x.Refusal != nil {
		x.Since = d.since(who.Agent, x.Tool, x.Refusal.Reason)
	}
	if c.JSON {
		err = printJSON(s.out, x)
	} else {
		err = printExplanation(s, st, x)
	}
	if err != nil || x.Visible {
		return err
	}
	return exit{code: exitCode(x.Refusal.Code)}
}

// explainAll tells in a line each what becomes of the tools that a group, a
// glob, a plugin or a server stands for.
func (c *explainCmd) explainAll(s streams, st *stack, p *plan.Plan, tools []string) error {
	var all []explanation
	usable := 0
	for _, name := range tools {
		x := explain(st, p, name)
		x.With = c.words()
		if x.Visible {
			usable++
		}
		all = append(all, x)
	}
	if c.JSON {
		return printJSON(s.out, all)
	}
	paint := painter(s.out)
	fmt.Fprintf(s.out, "%s: the agent %s can use %d of these %d tools.\n\n", paint.bold(visible(c.Tool)), p.Context.Caller.Agent, usable, len(tools))
	rows := make([][]string, len(all))
	for i, x := range all {
		rows[i] = []string{"  " + visible(x.Tool), "can be used"}
		if !x.Visible {
			rows[i][1] = visible(x.Refusal.Reason)
			if pos := x.Refusal.Pos.String(); pos != "" {
				rows[i][1] += " (" + nearby(pos) + ")"
			}
		}
	}
	for i, line := range table(rows) {
		if !all[i].Visible {
			line = paint.red(line)
		}
		fmt.Fprintln(s.out, line)
	}
	if usable == 0 {
		return exit{code: exitDenied}
	}
	return nil
}

func explain(st *stack, p *plan.Plan, name string) explanation {
	d := p.Resolve(name)
	x := explanation{
		Tool: d.Tool, Agent: p.Context.Caller.Agent, Visible: d.Entry != nil,
		Refusal: d.Refusal, Layers: d.Trace().Steps,
	}
	switch {
	case d.Entry != nil:
		x.Source = d.Entry.Source
		if asked, ask := st.asks(&toolrest.Call{Tool: d.Tool, Caller: p.Context.Caller}, d.Entry); ask {
			x.Asks = asked.Why
		}
		hide := policy.Forbid(st.config.Policy, x.Agent, x.Tool)
		x.Hide, x.Snippet = &hide, st.config.Fix([]policy.Edit{hide})
	case d.Hidden != nil:
		x.Source, x.Missing = d.Hidden.Source, d.Hidden.Diagnostics
	case d.Refusal.Code == toolrest.CodeUnknown:
		// A person asks about tools that the agent lacks as well.
		unknown := *d.Refusal
		unknown.Nearest = names.Nearest(name, p.Known(), 3)
		x.Refusal = &unknown
	}
	if step, stops := p.GuardStep(st.run, policy.GuardFacts{}); stops && len(x.Layers) > 0 {
		x.Layers = append(slices.Clip(x.Layers), step)
	}
	if !d.Fix.Empty() {
		x.Fix, x.Snippet = &d.Fix, st.config.Fix(d.Fix.Edits)
	}
	return x
}

// printExplanation gives the verdict first, then the layers, then the change.
func printExplanation(s streams, st *stack, x explanation) error {
	p := painter(s.out)
	var b strings.Builder
	b.WriteString(verdict(p, x) + "\n")
	if len(x.Layers) > 0 {
		b.WriteString("\n" + layers(p, x.Layers))
	}
	if x.Hide != nil {
		b.WriteString("\n" + p.bold("To take it away:") + "\n" + indent(x.Snippet, "  ") + "\n")
	}
	if x.Fix != nil {
		b.WriteString("\n" + p.bold("To change it:") + "\n")
		for _, remedy := range x.Fix.Remedies {
			b.WriteString("  " + remedy + "\n")
		}
		if x.Snippet != "" {
			b.WriteString(indent(x.Snippet, "  ") + "\n")
		}
		if sharedEdit(x.Fix.Edits) && len(st.config.Agents) > 0 {
			b.WriteString("  (the lists of tools count for all agents, not for " + x.Agent + " alone)\n")
		}
		for _, w := range x.Fix.Wider {
			b.WriteString("  '" + visible(w.Value) + "' in its place lets in " + visible(w.Means) + "\n")
		}
	}
	_, err := fmt.Fprint(s.out, nearby(b.String()))
	return err
}

// sharedEdit reports whether an edit changes what all agents have.
func sharedEdit(edits []policy.Edit) bool {
	return slices.ContainsFunc(edits, func(e policy.Edit) bool { return strings.HasPrefix(e.Path, "tools.") })
}

func verdict(p paint, x explanation) string {
	who := "the agent " + x.Agent
	if x.With != "" {
		who += " " + visible(x.With)
	}
	if x.Visible {
		line := fmt.Sprintf("%s: %s can use it (%s).", p.bold(x.Tool), who, x.Source)
		if x.Asks != "" {
			line += "\nA person is asked before each call, because " + x.Asks + "."
		}
		return line
	}
	line := fmt.Sprintf("%s: %s for %s: %s.", p.bold(visible(x.Tool)), p.red(word(x.Refusal.Code)), who, x.Refusal.Reason)
	if pos := x.Refusal.Pos.String(); pos != "" {
		line += "\n" + pos
	}
	if len(x.Refusal.Nearest) > 0 {
		line += "\nDid you mean " + strings.Join(x.Refusal.Nearest, ", ") + "?"
	}
	if x.Since != nil {
		line += fmt.Sprintf("\nSince %s, by %s.", x.Since.Time.Local().Format("2006-01-02 15:04:05"), visible(x.Since.Cause))
	}
	return line
}

func word(c toolrest.Code) string {
	switch c {
	case toolrest.CodeDenied:
		return "denied"
	case toolrest.CodeUnknown:
		return "unknown"
	}
	return "not available"
}

// layers is the table of what each layer does to the tool. A filter that does
// nothing to it is left out.
func layers(p paint, all []policy.Step) string {
	steps := slices.DeleteFunc(slices.Clone(all), func(s policy.Step) bool {
		return s.Effect == policy.Passed && s.Place.IsFilter()
	})
	rows := [][]string{{"LAYER", "EFFECT", "RULE", "WHERE"}}
	for _, step := range steps {
		rule := ""
		if step.Rule != "" {
			rule = "'" + step.Rule + "'"
		}
		if step.Via != "" {
			rule += " (" + step.Via + ")"
		}
		where := nearby(step.Pos.String())
		if where == "" {
			where = "built in"
		}
		if step.Effect == policy.Passed {
			where = ""
		}
		rows = append(rows, []string{step.Layer, string(step.Effect), rule, where})
	}
	lines := table(rows)
	for i, step := range steps {
		if step.Effect.Removes() {
			lines[i+1] = p.red(lines[i+1])
		}
	}
	lines[0] = p.dim(lines[0])
	return indent(strings.Join(lines, "\n"), "  ") + "\n"
}

func exitCode(c toolrest.Code) int {
	switch c {
	case toolrest.CodeDenied, toolrest.CodeDeclined:
		return exitDenied
	case toolrest.CodeUnknown, toolrest.CodeHidden, toolrest.CodeInactive:
		return exitUnavailable
	case toolrest.CodeApproval:
		return exitApproval
	case toolrest.CodeArguments:
		return exitUsage
	}
	return exitFailed
}
