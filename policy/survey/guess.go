package survey

import (
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// maxGuesses bounds the tools that are made up for one survey.
const maxGuesses = 400

// Guess makes up tools for the servers of a config whose tools nobody knows
// yet, so that entries about them can be judged: one for each name that the
// entries mention, one for each glob that could match, one for each two globs
// that could match together, and one that nothing but the server's own name
// matches. In their names a star stands for what is not known.
func (inv *Inventory) Guess(cfg *policy.Config, entries []string) []policy.Tool {
	g := guesser{seen: map[string]bool{}}
	for _, t := range inv.Tools {
		g.seen[names.Normalise(t.Name)] = true
	}
	for _, server := range inv.Absent(cfg) {
		g.server(names.Fold(server)+names.Between, entries)
	}
	return g.out
}

type guesser struct {
	seen map[string]bool
	out  []policy.Tool
}

func (g *guesser) server(prefix string, entries []string) {
	whole := prefix + "*"
	g.add(whole)
	var globs []string
	for _, text := range entries {
		entry := names.Normalise(text)
		switch {
		case !strings.Contains(entry, "*"):
			if strings.HasPrefix(entry, prefix) && entry != prefix {
				g.add(entry)
			}
		case entry != "*":
			if name, ok := meet(whole, entry); ok && g.add(name) {
				globs = append(globs, name)
			}
		}
	}
	for i := range globs {
		for _, other := range globs[:i] {
			if name, ok := meet(globs[i], other); ok {
				g.add(name)
			}
		}
	}
}

func (g *guesser) add(name string) bool {
	if g.seen[name] || len(g.out) == maxGuesses || len(name) > names.MaxName {
		return false
	}
	g.seen[name] = true
	g.out = append(g.out, policy.Tool{Name: name, Plugin: catalog.MCPPlugin})
	return true
}

// meet makes a name that both globs match, where there is one.
func meet(a, b string) (string, bool) {
	x, y := strings.Split(a, "*"), strings.Split(b, "*")
	head, tail := x[0], x[len(x)-1]
	if strings.HasPrefix(y[0], head) {
		head = y[0]
	} else if !strings.HasPrefix(head, y[0]) {
		return "", false
	}
	if last := y[len(y)-1]; strings.HasSuffix(last, tail) {
		tail = last
	} else if !strings.HasSuffix(tail, last) {
		return "", false
	}
	parts := []string{head}
	for _, middle := range [][]string{x[1 : len(x)-1], y[1 : len(y)-1]} {
		for _, part := range middle {
			if part != "" {
				parts = append(parts, part)
			}
		}
	}
	return strings.Join(append(parts, tail), "*"), true
}
