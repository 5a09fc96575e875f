package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/diff"
	"github.com/toolrest/toolrest/policy/survey"
)

type policyDiffCmd struct {
	Old  string `arg:"" predictor:"file" help:"The config as it was."`
	New  string `arg:"" optional:"" predictor:"file" help:"The config as it is to be. Default: the one in force."`
	JSON bool   `name:"json" help:"Print JSON."`
}

func (policyDiffCmd) Help() string {
	return `It compares decisions, not texts:

  git show HEAD:toolrest.json5 > /tmp/old.json5
  toolrest policy diff /tmp/old.json5
  toolrest policy diff old.json5 new.json5 --json

The situations are all that the two configs tell apart, and those of the
toolrest_test.json5 beside NEW where there is one.

Exit code: 0 no difference, 1 some, 2 trouble, or none found although there were
too many situations to compare them all.`
}

// compared is the difference of two configs.
type compared struct {
	Old string `json:"old"`
	New string `json:"new"`
	diff.Report
	Left int `json:"left,omitempty"` // situations that were not compared
}

func (c *policyDiffCmd) Run(ctx context.Context, g *cli, s streams) error {
	out, err := c.compare(ctx, g, s)
	if err != nil {
		return exit{exitUsage, err}
	}
	if c.JSON {
		err = printJSON(s.out, out)
	} else {
		err = printCompared(s, out)
	}
	if err != nil {
		return exit{exitUsage, err}
	}
	switch {
	case !out.Same():
		return exit{code: exitFailed}
	case out.Left > 0:
		return exit{code: exitUsage} // nobody can say that they are the same
	}
	return nil
}

func (c *policyDiffCmd) compare(ctx context.Context, g *cli, s streams) (*compared, error) {
	old, err := config.Load(&config.Options{Path: c.Old})
	if err != nil {
		return nil, err
	}
	after := *g
	if c.New != "" {
		after.Config = c.New
	}
	d, err := open(ctx, &after, s, use{})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	st := d.now()
	out := &compared{Old: named(old), New: named(st.config)}
	situations, left, err := st.situations(old.Policy)
	if err != nil {
		return nil, err
	}
	out.Left = left
	inv := bothInventories(st, old.Policy)
	out.Report = diff.Compare(old.Policy, st.config.Policy, inv, situations)
	return out, nil
}

// situations are those that the two configs tell apart, and before them those of
// the expectations beside the config.
func (st *stack) situations(old *policy.Config) ([]survey.Situation, int, error) {
	cfg := st.config.Policy
	var declared []survey.Situation
	if file := suiteBeside(st.config); exists(file) {
		suite, err := st.suite(file)
		if err != nil {
			return nil, 0, err
		}
		declared = suite.Situations(cfg)
	}
	found := survey.Of([]*policy.Config{cfg, old}, nil)
	return append(declared, found.Situations...), found.Left, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return !errors.Is(err, os.ErrNotExist)
}

// bothInventories holds the tools of both dialects, and what the servers of
// both configs may have.
func bothInventories(st *stack, old *policy.Config) *survey.Inventory {
	cfg := st.config.Policy
	inv := st.inventory(min(cfg.Dialect, old.Dialect)) // the Default one knows more
	var more []policy.Tool
	seen := map[string]bool{}
	for _, c := range []*policy.Config{cfg, old} {
		for _, t := range inv.Guess(c, survey.Entries(cfg, old)) {
			if !seen[t.Name] {
				seen[t.Name] = true
				more = append(more, t)
			}
		}
	}
	return inv.With(more)
}

func printCompared(s streams, c *compared) error {
	p := painter(s.out)
	var b strings.Builder
	for _, a := range c.Agents {
		word := "is gone"
		if a.New {
			word = "is new"
		}
		fmt.Fprintf(&b, "%s: the agent %s: %s\n", p.bold(visible(a.ID)), word, countTools(a.Tools))
	}
	for _, block := range c.Blocks {
		b.WriteString(p.bold(visible(block.Where)) + ":\n")
		rows := make([][]string, 0, 2*len(block.Changes))
		for _, change := range block.Changes {
			sign := "-"
			if change.Appears {
				sign = "+"
			}
			rows = append(rows, []string{"  " + sign + " " + change.Tool, "was " + change.Before.String()}, []string{"", "now " + change.After.String()})
		}
		for _, line := range table(rows) {
			b.WriteString(visible(line) + "\n")
		}
	}
	if c.Left > 0 {
		fmt.Fprintf(&b, "about %d situations beyond these were not compared\n", c.Left)
	}
	b.WriteString(c.summary() + "\n")
	_, err := fmt.Fprint(s.out, nearby(b.String()))
	return err
}

func (c *compared) summary() string {
	asked := count(c.Situations, "situation")
	if c.Same() {
		if c.Left > 0 {
			return "no difference in the " + asked + " that were compared, which are not all"
		}
		return "no difference in " + asked
	}
	appear, vanish := map[string]bool{}, map[string]bool{}
	for _, b := range c.Blocks {
		for _, change := range b.Changes {
			if change.Appears {
				appear[change.Tool] = true
			} else {
				vanish[change.Tool] = true
			}
		}
	}
	return fmt.Sprintf("tools that appear: %d, that vanish: %d; %s compared", len(appear), len(vanish), asked)
}
