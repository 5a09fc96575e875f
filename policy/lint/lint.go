// Package lint reads a config as a careful colleague would, and says what in
// it does nothing, cannot work, or does not do what it seems to say.
//
// "Does nothing" is meant exactly: an entry is called dead only when every
// decision about every known tool in every situation that the config tells
// apart stays the same without it, and then always. The package asks the
// product's own resolver and pipeline; it has no rules of its own about what
// an entry matches.
//
// It changes nothing and reads no files. Where its bounds keep it from looking
// at everything it says so; see [Report].
package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// Finding is one thing that was found.
type Finding struct {
	Code     Code         `json:"code"`
	Severity Severity     `json:"severity"`
	Pos      toolrest.Pos `json:"pos,omitzero"`
	// Path is the key that it is about: "agents.list[1].tools.allow".
	Path string `json:"path,omitempty"`
	// Entry is the entry of the list, as it was written.
	Entry string `json:"entry,omitempty"`
	Text  string `json:"text"`
	// Proof are the facts that it follows from, one a line.
	Proof []string `json:"proof,omitempty"`
	// Hint says what to do where no edit does it, or before one is made.
	Hint string     `json:"hint,omitempty"`
	Fix  policy.Fix `json:"fix,omitzero"`
	// Safe is set when the edits of Fix change no decision and lose nothing that
	// could matter after another change. All safe ones together change none
	// either.
	Safe bool `json:"safe,omitempty"`
	// Repeats is set when what the entry means is said by other entries of its
	// list as well, or when it means nothing at all: then it can go whatever
	// tools come later.
	Repeats bool `json:"repeats,omitempty"`
	// Dead is set when no decision depends on the entry.
	Dead bool `json:"dead,omitempty"`
	// Entries are the entries of a list of which each alone is dead, where the
	// finding is about the list.
	Entries []policy.Entry `json:"entries,omitempty"`
}

// Report is what a check found.
type Report struct {
	// Findings are sorted by place.
	Findings []Finding `json:"findings"`
	// Situations and Tools are how many were asked about.
	Situations int `json:"situations"`
	Tools      int `json:"tools"`
	// Bounded says what was not looked at, because there is too much of it.
	Bounded []string `json:"bounded,omitempty"`
}

// Options bound a check. The zero value is good.
type Options struct {
	// Situations is how many are asked at most; zero is 1500.
	Situations int
	// Work is how many entries of layers, and sections of the config, are looked
	// at to find dead entries; zero is 20 million, a few seconds.
	Work int
}

func (o *Options) filled() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Work <= 0 {
		out.Work = 20_000_000
	}
	return out
}

// Check looks at a config. The inventory says which tools there are. Only what
// cfg itself says is judged, not what stands in its base. It ends early with
// the error of ctx.
func Check(ctx context.Context, cfg *policy.Config, inv *survey.Inventory, opts *Options) (Report, error) {
	c := newChecker(ctx, cfg, inv, opts.filled())
	if err := c.weigh(); err != nil {
		return Report{}, fmt.Errorf("lint the config: %w", err)
	}
	for _, look := range []func(){c.together, c.useless, c.shapes, c.senders, c.hazards, c.hidden, c.sections, c.sandbox} {
		if err := ctx.Err(); err != nil {
			return Report{}, fmt.Errorf("lint the config: %w", err)
		}
		look()
	}
	slices.SortStableFunc(c.out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return c.out, nil
}

// checker is one check.
type checker struct {
	*judge
	// partial is set when not every situation is asked about.
	partial bool
	out     Report
	// inert says of each entry of each list whether any decision depends on it.
	inert [][]verdict
	// told are the lists whose dead entries are part of another finding.
	told map[*policy.List]bool
}

func newChecker(ctx context.Context, cfg *policy.Config, inv *survey.Inventory, o Options) *checker {
	own := clone(cfg)
	lists := listsOf(own)
	inv = inv.With(slices.Concat(controls(inv), inv.Guess(cfg, survey.Entries(cfg))))
	found := survey.Of([]*policy.Config{own}, &survey.Options{Most: o.Situations, Together: together(cfg, inv), Forced: true})
	for i := range found.Situations {
		if ctx := &found.Situations[i].Asks; ctx.Surface == toolrest.SurfaceHTTP {
			ctx.Run.Requested = policy.AskedFor(cfg.Dialect, namesOf(inv.Tools)...)
		}
	}
	c := &checker{partial: found.Left > 0, judge: newJudge(ctx, own, inv, found.Situations, lists, o.Work), told: map[*policy.List]bool{}}
	c.out = Report{Findings: []Finding{}, Situations: len(found.Situations), Tools: len(inv.Tools)}
	if found.Left > 0 {
		c.bound("about %d situations beyond the first %d were not asked: of the entries only those are called dead that their list says twice", found.Left, len(found.Situations))
	}
	return c
}

// controls are the tools of tool search, which no catalogue has.
func controls(inv *survey.Inventory) []policy.Tool {
	var out []policy.Tool
	for _, name := range searchTools {
		if !slices.Contains(namesOf(inv.Tools), name) {
			out = append(out, policy.Tool{Name: name})
		}
	}
	return out
}

func namesOf(tools []policy.Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Name
	}
	return out
}

// together is how many traits must come together so that no decision is missed.
// Layers only remove, so what matters in a situation matters also in one with
// fewer layers, and one trait is enough. Two are needed where one list names a
// tool and another lets it through: optional tools, and update_plan; and where
// a door skips layers.
func together(cfg *policy.Config, inv *survey.Inventory) int {
	optional := func(t policy.Tool) bool { return t.Optional }
	plans := func(text string) bool {
		return names.Normalise(text) != "*" && matchesName(cfg.Dialect, policy.Entry{Text: text}, "update_plan")
	}
	skips := cfg.Dialect == policy.OpenClaw && len(inv.Registered) > 0
	if skips || slices.ContainsFunc(inv.Tools, optional) || slices.ContainsFunc(survey.Entries(cfg), plans) {
		return 2
	}
	return 1
}

func (c *checker) bound(format string, args ...any) {
	c.out.Bounded = append(c.out.Bounded, fmt.Sprintf(format, args...))
}

// report adds a finding with the severity of its code.
func (c *checker) report(f Finding) {
	f.Severity = severities[f.Code]
	if f.Code == EmptyAllow && c.cfg.Dialect == policy.OpenClaw {
		f.Severity = Warning // there it loads
	}
	c.out.Findings = append(c.out.Findings, f)
}
