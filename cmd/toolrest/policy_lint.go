package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
	"github.com/toolrest/toolrest/policy/survey"
)

type policyLintCmd struct {
	Strict bool `help:"Fail on notes, too."`
	JSON   bool `name:"json" help:"Print JSON."`
}

func (policyLintCmd) Help() string {
	return `Every finding has a code, which docs/lint.md explains, a place, what it follows
from, and where there is one the change that mends it.

  toolrest policy lint
  toolrest policy lint --config prod.json5 --json

Exit code: 0 nothing but notes, 1 errors or warnings.`
}

// linted is what was found in one config.
type linted struct {
	File string `json:"file,omitempty"`
	lint.Report
	// Snippets are the fixes as a person makes them, by place in Findings.
	Snippets map[int]string `json:"snippets,omitempty"`
}

func (c *policyLintCmd) Run(ctx context.Context, g *cli, s streams) error {
	found, err := lintConfig(ctx, g, s)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(s.out, found)
	} else {
		err = printLint(s, found)
	}
	if err == nil && found.fails(c.Strict) {
		return exit{code: exitFailed}
	}
	return err
}

func (l *linted) fails(strict bool) bool {
	return slices.ContainsFunc(l.Findings, func(f lint.Finding) bool { return strict || f.Severity != lint.Note })
}

// lintConfig checks the config in force. What the loader refuses comes as
// findings.
func lintConfig(ctx context.Context, g *cli, s streams) (*linted, error) {
	d, err := open(ctx, g, s, use{})
	var refused config.Errors
	if errors.As(err, &refused) {
		return lintRefused(ctx, refused)
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	st := d.now()
	report, err := st.lint(ctx)
	if err != nil {
		return nil, err
	}
	out := &linted{File: st.config.File, Report: report, Snippets: map[int]string{}}
	for i, f := range report.Findings {
		if len(f.Fix.Edits) > 0 {
			out.Snippets[i] = st.config.Fix(f.Fix.Edits)
		}
	}
	return out, nil
}

// lint looks at the config of the stack.
func (st *stack) lint(ctx context.Context) (lint.Report, error) {
	cfg := st.config.Policy
	return lint.Check(ctx, cfg, st.inventory(cfg.Dialect), nil)
}

// lintRefused tells what the loader said of a config. Where lint can say it
// with a change, it does.
func lintRefused(ctx context.Context, refused config.Errors) (*linted, error) {
	out := &linted{File: refused[0].File, Report: lint.Report{Findings: []lint.Finding{}}}
	known, err := lintText(ctx, out.File)
	if err != nil {
		return nil, err
	}
	for _, e := range refused {
		at := toolrest.Pos{File: e.File, Line: e.Line, Col: e.Col}
		if i := slices.IndexFunc(known, func(f lint.Finding) bool { return f.Pos == at }); i >= 0 {
			out.Findings = append(out.Findings, known[i])
			continue
		}
		out.Findings = append(out.Findings, lint.Finding{
			Code: lint.Refused, Severity: lint.Error, Pos: at, Path: e.Path, Text: e.Text, Hint: e.Hint,
		})
	}
	return out, nil
}

// lintText gives the errors that lint finds in a text that does not load. A
// file that cannot be read has none: the loader has said why.
func lintText(ctx context.Context, file string) ([]lint.Finding, error) {
	text, err := config.ReadText(file)
	if err != nil {
		return nil, nil
	}
	cfg, err := config.ReadPolicy(file, text)
	if err != nil {
		return nil, nil
	}
	cfg.DefaultProfile = config.DefaultProfile
	if filepath.Base(file) == "openclaw.json" {
		cfg.Dialect, cfg.DefaultProfile = policy.OpenClaw, ""
	}
	report, err := lint.Check(ctx, cfg, survey.NewInventory(cfg.Dialect, nil), nil)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(report.Findings, func(f lint.Finding) bool {
		return f.Code != lint.AllowAndAlsoAllow && f.Code != lint.EmptyAllow
	}), nil
}

// printLint gives each finding as compilers do: place, severity, text, code.
func printLint(s streams, l *linted) error {
	p := painter(s.out)
	var b strings.Builder
	counts := map[lint.Severity]int{}
	for i, f := range l.Findings {
		counts[f.Severity]++
		place := f.Pos.String()
		if place == "" {
			place = l.File
		}
		word := string(f.Severity)
		if f.Severity != lint.Note {
			word = p.red(word)
		}
		text := f.Text
		if f.Code == lint.Refused && f.Path != "" {
			text = f.Path + ": " + text
		}
		fmt.Fprintf(&b, "%s: %s: %s [%s]\n", visible(place), word, visible(text), f.Code)
		for _, line := range append(slices.Clone(f.Proof), f.Hint) {
			if line != "" {
				b.WriteString(indent(visible(line), "    ") + "\n")
			}
		}
		if fix := l.fix(i); fix != "" {
			b.WriteString(indent(visible(fix), "    ") + "\n")
		}
	}
	for _, text := range l.Bounded {
		b.WriteString("not everything was looked at: " + text + "\n")
	}
	b.WriteString(l.summary(counts) + "\n")
	_, err := fmt.Fprint(s.out, nearby(b.String()))
	return err
}

// fix is the change that a finding proposes.
func (l *linted) fix(i int) string {
	if text := l.Snippets[i]; text != "" {
		return "fix: " + text
	}
	if f := l.Findings[i].Fix; !f.Empty() {
		return "fix: " + f.String()
	}
	return ""
}

func (l *linted) summary(counts map[lint.Severity]int) string {
	var parts []string
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Note} {
		if n := counts[s]; n > 0 {
			parts = append(parts, count(n, string(s)))
		}
	}
	if l.Situations == 0 {
		return strings.Join(parts, ", ")
	}
	asked := fmt.Sprintf("%s asked about in %s", count(l.Tools, "tool"), count(l.Situations, "situation"))
	if len(parts) == 0 {
		return "nothing to mend: " + asked
	}
	return strings.Join(parts, ", ") + "; " + asked
}
