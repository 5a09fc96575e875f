package main

import (
	"fmt"
	"slices"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

type policyCmd struct {
	Lint policyLintCmd `cmd:"" help:"Find what in the config does nothing, cannot work or misleads."`
	Test policyTestCmd `cmd:"" help:"Hold the config to the expectations that lie beside it."`
	Diff policyDiffCmd `cmd:"" help:"Say which tools a change of the config gives and takes, and why."`
}

// inventory is all that there is to decide about: the registered tools and
// those of the catalogue.
func (st *stack) inventory(d policy.Dialect) *survey.Inventory {
	return survey.NewInventory(d, slices.DeleteFunc(plan.Subjects(st.registry.Snapshot()), isCore))
}

// isCore leaves the tools of the catalogue to the catalogue, which knows which
// of them come with a plugin.
func isCore(t policy.Tool) bool { return t.Plugin == "" && !t.FromPlugin && sectionOf(t.Name) != "" }

// named is the name of a config for people.
func named(cfg *config.Config) string {
	if cfg.File == "" {
		return "the built-in defaults"
	}
	return nearby(cfg.File)
}

// count says how many there are of something.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
