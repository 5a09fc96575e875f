package policy

import (
	"fmt"
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// Plugin is what is known of a plugin's tools once it has registered them:
// what its manifest declares, and what its code then brought.
type Plugin struct {
	ID string
	// Declares are the tools that the manifest lists. A plugin that lists none
	// can register none.
	Declares []string
	// Traits are what the manifest says of single tools.
	Traits map[string]ToolTraits
	// Brings are the registrations, in their order.
	Brings []Registration
}

// ToolTraits are what a manifest says of a tool.
type ToolTraits struct {
	Optional bool
	// Lacking is set when the tool cannot work here: none of the settings or
	// credentials that the manifest asks for is there.
	Lacking bool
}

// Registration is one registering of tools: an object, or a factory and what
// it made.
type Registration struct {
	// Names are what the registration promises; a factory may promise none.
	Names    []string
	Optional bool
	// Failed is set for a factory that broke instead of making tools.
	Failed bool
	Tools  []BroughtTool
}

// BroughtTool is a tool that a registration made.
type BroughtTool struct {
	Name string
	// Malformed says what is wrong with it ("it has nothing to run"), or is
	// empty.
	Malformed string
}

// PluginTool is a tool of a plugin that comes into a run.
type PluginTool struct {
	Name, Plugin string
	Optional     bool
}

// LeftOut is a tool or a plugin that does not, although it wanted to.
type LeftOut struct {
	Plugin string
	Tool   string // empty for the whole plugin or a whole registration
	Why    string
}

// PluginTools gives the tools that plugins bring into a run beside the ones
// that exist already, in the order of their registering, and those that a
// mistake leaves out. First come, first served: nothing takes a name that is
// taken, and a plugin whose id is a tool's name brings nothing.
//
// With loading, which is how the dialect OpenClaw does it, lists decide before
// anything is loaded; without it (nil) all tools come, and the layers of a
// pipeline decide, with their reasons.
func PluginTools(plugins []Plugin, existing []string, loading *Loading) ([]PluginTool, []LeftOut) {
	m := muster{loading: loading, taken: make(map[string]bool, len(existing))}
	for _, name := range existing {
		m.taken[names.Normalise(name)] = true
	}
	for _, p := range plugins {
		if m.wants(p) {
			m.plugin(p)
		}
	}
	return m.tools, m.out
}

// muster gathers tools of plugins.
type muster struct {
	loading *Loading
	taken   map[string]bool // by normalised name
	tools   []PluginTool
	out     []LeftOut
}

func (m *muster) leave(plugin, tool, format string, args ...any) {
	m.out = append(m.out, LeftOut{Plugin: plugin, Tool: tool, Why: fmt.Sprintf(format, args...)})
}

// wants reports whether the lists want anything of the plugin that can work.
func (m *muster) wants(p Plugin) bool {
	if m.loading == nil {
		return true
	}
	return !m.loading.DeniesPlugin(p.ID) && slices.ContainsFunc(m.loading.selects(p), func(tool string) bool {
		return !p.Traits[tool].Lacking
	})
}

func (m *muster) plugin(p Plugin) {
	if m.taken[names.Normalise(p.ID)] {
		m.leave(p.ID, "", "the plugin's id %s is the name of a tool", names.Show(p.ID))
		return
	}
	declared := map[string]bool{}
	for _, name := range p.Declares {
		if name = names.Trim(name); name != "" {
			declared[name] = true
		}
	}
	for _, r := range p.Brings {
		m.registration(p, r, declared)
	}
	m.unkept(p)
}

// unkept tells which tools the manifest declares and the code did not bring:
// nobody can call them.
func (m *muster) unkept(p Plugin) {
	if m.loading != nil {
		return // the lists may have kept them from being asked for
	}
	brought := map[string]bool{}
	for _, r := range p.Brings {
		for _, t := range r.Tools {
			brought[names.Trim(t.Name)] = true
		}
	}
	for _, name := range p.Declares {
		if name = names.Trim(name); name != "" && !brought[name] {
			m.leave(p.ID, name, "its manifest declares the tool, and its code did not bring it: there is nothing to run")
			brought[name] = true
		}
	}
}

func (m *muster) registration(p Plugin, r Registration, declared map[string]bool) {
	if len(declared) == 0 {
		m.leave(p.ID, "", "its manifest declares no tools, so it can register none")
		return
	}
	for _, name := range r.Names {
		if name = names.Trim(name); name != "" && !declared[name] {
			m.leave(p.ID, name, "its manifest does not declare the tool, so the whole registration is left out")
			return
		}
	}
	offered := m.offered(p, r)
	if len(offered) == 0 || m.loading != nil && !m.loading.Entry(offered, p.ID, r.Optional) {
		return
	}
	if r.Failed {
		m.leave(p.ID, "", "the factory of its tools failed (%s)", shown(r.Names))
		return
	}
	for _, t := range r.Tools {
		m.tool(p, r, t, declared)
	}
}

// offered are the tools that the registration may bring: those it promises,
// or else those the manifest declares, without what cannot work or is denied.
func (m *muster) offered(p Plugin, r Registration) []string {
	promised := r.Names
	if len(promised) == 0 {
		promised = p.Declares
	}
	var out []string
	for _, name := range promised {
		if !p.Traits[name].Lacking && (m.loading == nil || !m.loading.DeniesTool(name, p.ID)) {
			out = append(out, name)
		}
	}
	return out
}

func (m *muster) tool(p Plugin, r Registration, t BroughtTool, declared map[string]bool) {
	name, traits := names.Trim(t.Name), p.Traits[names.Trim(t.Name)]
	optional := r.Optional || traits.Optional
	if m.loading != nil && (m.loading.DeniesTool(name, p.ID) || optional && !m.loading.Optional(name, p.ID)) {
		return
	}
	normal := names.Normalise(name)
	switch {
	case traits.Lacking:
	case t.Malformed != "":
		m.leave(p.ID, t.Name, "%s", t.Malformed)
	case name == "":
		m.leave(p.ID, t.Name, "it has no name")
	case !declared[name]:
		m.leave(p.ID, name, "its manifest does not declare the tool")
	case m.taken[normal]:
		m.leave(p.ID, name, "another tool has the name")
	default:
		m.taken[normal] = true
		m.tools = append(m.tools, PluginTool{Name: t.Name, Plugin: p.ID, Optional: optional})
	}
}
