package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// hidden reports profiles that take away what plugins and servers bring.
func (c *checker) hidden() {
	type key struct {
		layer string
		pos   pos
		who   string
	}
	told := map[key]bool{}
	for i := range c.sits {
		s := &c.sits[i]
		if s.Asks.Depth > 0 || s.Asks.Sandbox == "on" {
			continue
		}
		layers := c.layers(i)
		trace := c.tracer(s)
		for tool, t := range c.inv.Tools {
			if !c.brought(tool) || t.Optional {
				continue
			}
			removing := trace(tool).Removing()
			if len(removing) == 0 || slices.ContainsFunc(removing, func(st policy.Step) bool { return !isProfile(st.Place) }) {
				continue
			}
			k := key{removing[0].Layer, removing[0].Pos, c.bringer(tool)}
			if told[k] {
				continue
			}
			told[k] = true
			c.report(hides(layers, removing[0], t, k.who, s))
		}
	}
}

func isProfile(p policy.Place) bool {
	return p == policy.PlaceProfile || p == policy.PlaceProviderProfile
}

// brought reports whether a tool comes with a plugin or a server that is here,
// or with a server that the config has.
func (c *checker) brought(tool int) bool {
	t := c.inv.Tools[tool]
	return t.Plugin != "" && (!c.real(tool) || slices.Contains(c.inv.Registered, t))
}

// bringer says where a tool comes from.
func (c *checker) bringer(tool int) string {
	t := c.inv.Tools[tool]
	if t.Plugin == catalog.MCPPlugin {
		server, _, _ := strings.Cut(t.Name, names.Between)
		return "the server " + server
	}
	return "the plugin " + t.Plugin
}

func hides(layers []policy.Layer, step policy.Step, t policy.Tool, who string, s *situation) Finding {
	f := Finding{
		Code: ProfileHidesTools, Pos: step.Pos, Path: step.Layer,
		Text:  fmt.Sprintf("%s hides the tools of %s", step.Layer, who),
		Proof: []string{fmt.Sprintf("for %s: %s is %s", s, t.Name, step.Reason())},
	}
	i := slices.IndexFunc(layers, func(l policy.Layer) bool { return l.Place == step.Place })
	if w := layers[i].Widen; w != nil {
		e := *w
		if e.Value == "" {
			e.Value = entryFor(t)
		}
		f.Fix.Edits = []policy.Edit{e}
	}
	return f
}

// entryFor is the entry that names all that came along with a tool.
func entryFor(t policy.Tool) string {
	if server, _, ok := strings.Cut(t.Name, names.Between); ok && t.Plugin == catalog.MCPPlugin {
		return server + names.Between + "*"
	}
	return t.Plugin
}

// grants are the tools that a section sets up.
var grants = map[string][]string{"exec": {"exec", "process"}, "fs": {"read", "write", "edit"}}

// sections reports tools.exec and tools.fs where the profile lacks what they
// set up. The global sections count where the profile is the global one.
func (c *checker) sections() {
	for i := range c.sits {
		s := &c.sits[i]
		if len(s.Traits) > 0 {
			continue
		}
		res := c.inv.Resolve(c.cfg, s)
		own := c.agentScope(s.Agent)
		if own != nil {
			c.section(res, s, "exec", own.Exec, own.Path)
			c.section(res, s, "fs", own.FS, own.Path)
		}
		if own == nil || own.Profile == "" {
			c.section(res, s, "exec", c.cfg.Tools.Exec, "tools")
			c.section(res, s, "fs", c.cfg.Tools.FS, "tools")
		}
	}
}

func (c *checker) agentScope(id string) *policy.Scope {
	for i := range c.cfg.Agents {
		if names.AgentID(c.cfg.Agents[i].ID) == id {
			return &c.cfg.Agents[i].Tools
		}
	}
	return nil
}

func (c *checker) section(res policy.Resolution, s *situation, name string, at pos, path string) {
	i := slices.IndexFunc(res.Layers, func(l policy.Layer) bool { return l.Place == policy.PlaceProfile })
	if at.IsZero() || i < 0 {
		return
	}
	layer := res.Layers[i]
	p := c.inv.Compile(c.cfg.Dialect, []policy.Layer{layer})
	var lacks []string
	for _, tool := range grants[name] {
		if !p.Decide(policy.Tool{Name: tool}).Kept {
			lacks = append(lacks, tool)
		}
	}
	told := func(f Finding) bool { return f.Code == SectionNoTool && f.Pos == at }
	if len(lacks) == 0 || slices.ContainsFunc(c.out.Findings, told) {
		return
	}
	f := Finding{
		Code: SectionNoTool, Pos: at, Path: path + "." + name,
		Text: fmt.Sprintf("%s.%s sets up %s, but %s lacks %s", path, name, strings.Join(grants[name], ", "), layer.Label, strings.Join(lacks, ", ")),
		Hint: fmt.Sprintf("for the agent %s: a section gives no tools; name them in alsoAllow", s.Agent),
	}
	for _, tool := range lacks {
		if w := layer.Widen; w != nil && w.Value == "" {
			e := *w
			e.Value = tool
			f.Fix.Edits = append(f.Fix.Edits, e)
		}
	}
	c.report(f)
}

// sandbox reports lists for a sandbox in which no session runs.
func (c *checker) sandbox() {
	agents := map[string]bool{}
	for i := range c.sits {
		agents[c.sits[i].Agent] = agents[c.sits[i].Agent] || c.sandboxes(c.sits[i].Agent)
	}
	for _, l := range c.lists {
		if l.scope.kind != scopeSandbox {
			continue
		}
		used := agents[l.scope.agent]
		for _, on := range agents {
			used = used || on && l.scope.agent == ""
		}
		if used {
			continue
		}
		f := Finding{
			Code: SandboxOff, Pos: l.Pos, Path: l.path,
			Text: l.path + " is for sessions in a sandbox, and none runs in one",
			Hint: "set agents.defaults.sandbox.mode to 'non-main' or 'all', or that of an agent",
		}
		c.report(f)
	}
}
