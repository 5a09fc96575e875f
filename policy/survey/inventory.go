package survey

import (
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// Inventory is what there is to decide about. It is immutable and safe for use
// by several goroutines.
type Inventory struct {
	// Tools are all that are known, those of the catalogue that are not in this
	// build among them.
	Tools []policy.Tool
	// Registered are those among them that plugins, servers and the program
	// have brought.
	Registered []policy.Tool
	// Known are the plugins that count where a list is judged; see
	// [policy.Context].
	Known *policy.Known

	plugins map[string]bool
}

// NewInventory joins the registered tools with those of the dialect's
// catalogue.
func NewInventory(d policy.Dialect, registered []policy.Tool) *Inventory {
	inv := &Inventory{Registered: registered, Known: policy.NewKnown(registered), plugins: map[string]bool{}}
	inv.Tools = slices.Clone(registered)
	seen := map[string]bool{}
	for _, t := range registered {
		seen[names.Normalise(t.Name)] = true
	}
	rows := catalog.Default.All()
	if d == policy.OpenClaw {
		rows = catalog.OpenClaw.All()
	}
	for _, row := range rows {
		if !seen[row.ID] {
			inv.Tools = append(inv.Tools, policy.Tool{Name: row.ID, Plugin: row.Plugin})
		}
	}
	for _, t := range inv.Tools {
		inv.plugins[names.Fold(t.Plugin)] = true
	}
	delete(inv.plugins, "")
	return inv
}

// IsPlugin reports whether a plugin has this id.
func (inv *Inventory) IsPlugin(id string) bool { return inv.plugins[names.Fold(id)] }

// Plugins gives the ids of the plugins, sorted.
func (inv *Inventory) Plugins() []string {
	var out []string
	for id := range inv.plugins {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// With gives an inventory that has these tools as well.
func (inv *Inventory) With(tools []policy.Tool) *Inventory {
	more := *inv
	more.Tools = slices.Concat(inv.Tools, tools)
	return &more
}

// Resolve gives what a config says in a situation.
func (inv *Inventory) Resolve(cfg *policy.Config, s *Situation) policy.Resolution {
	ctx := s.Asks
	ctx.Known = inv.Known
	return policy.Resolve(cfg, ctx)
}

// Pipeline gives the pipeline of a config in a situation.
func (inv *Inventory) Pipeline(cfg *policy.Config, s *Situation) *policy.Pipeline {
	ctx := s.Asks
	ctx.Known = inv.Known
	return policy.For(cfg, ctx)
}

// Compile compiles layers as for the plugins that are here.
func (inv *Inventory) Compile(d policy.Dialect, layers []policy.Layer) *policy.Pipeline {
	return policy.CompileWith(d, layers, &policy.Options{Plugins: inv.Known.Plugins()})
}

// Absent gives the safe names of the servers that a config switches on and
// that have no tool here: nobody knows yet which tools they have.
func (inv *Inventory) Absent(cfg *policy.Config) []string {
	var out []string
	for _, name := range ServerNames(cfg) {
		prefix := names.Fold(name) + names.Between
		if !slices.ContainsFunc(inv.Registered, func(t policy.Tool) bool { return strings.HasPrefix(names.Fold(t.Name), prefix) }) {
			out = append(out, name)
		}
	}
	return out
}

// ServerNames gives the safe names of the MCP servers that a config switches
// on.
func ServerNames(cfg *policy.Config) []string {
	var taken names.Taken
	var out []string
	for ; cfg != nil; cfg = cfg.Base {
		for _, s := range cfg.MCPServers {
			if !s.Off {
				out = append(out, taken.Server(s.Name))
			}
		}
	}
	return out
}
