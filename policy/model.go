package policy

import (
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// leanTools are what a small local model is spared.
var leanTools = []string{"browser", "cron", messageTool}

// leanLayer spares a small local model the tools that cost it most, where the
// config says that it is one; what the run itself names stays.
func leanLayer(cfg *Config, ctx Context, res *Resolution) (Layer, bool) {
	lean, where := cfg.lean(ctx, res)
	if !lean {
		return Layer{}, false
	}
	kept := ctx.Run.preserved(cfg.Dialect)
	l := Layer{
		Label: where, Place: PlaceModel,
		Why:    "a small local model is spared it",
		Remedy: "set " + where + " to false, or name the tool in the run's own allow list",
	}
	for _, tool := range leanTools {
		if !kept[tool] {
			l.Deny = append(l.Deny, Entry{Text: tool})
		}
	}
	return l, len(l.Deny) > 0
}

// runAgent is the agent whose own settings count in a run: the one that is
// named, else that of the session's key, else the default one.
func (r *Resolution) runAgent(ctx Context) string {
	if names.Trim(ctx.Agent) != "" {
		return r.AgentID
	}
	return r.SandboxAgent
}

// lean reports whether the agent's model is a small local one, and the key
// that says so.
func (c *Config) lean(ctx Context, res *Resolution) (bool, string) {
	if a := c.agent(res.runAgent(ctx)); a != nil && a.Lean != nil {
		return *a.Lean, a.Path + ".experimental.localModelLean"
	}
	return c.Defaults.Lean != nil && *c.Defaults.Lean, "agents.defaults.experimental.localModelLean"
}

// preserved are the tools that the run names, by normalised name.
func (r Run) preserved(d Dialect) map[string]bool {
	kept := map[string]bool{}
	for _, e := range r.Allow.Entries {
		name := names.Normalise(e.Text)
		kept[name] = true
		members, _ := d.catalogue().Group(name)
		for _, m := range members {
			kept[m] = true
		}
	}
	if r.Message || r.Replies == deliveryByTool {
		kept[messageTool] = true
	}
	return kept
}

// nativeAPI is the wire format of the models that can search by themselves.
const nativeAPI = "openai-chatgpt-responses"

// nativeSearchLayer removes web_search where the model searches by itself:
// where the config wants that, the model can, its provider lets it, and the
// other layers permit searching.
func nativeSearchLayer(cfg *Config, ctx Context, layers []Layer) (Layer, bool) {
	search := cfg.Tools.WebSearch
	off := search.Enabled != nil && !*search.Enabled
	if off || !search.Native || ctx.Run.KeepWebSearch || ctx.API != nativeAPI {
		return Layer{}, false
	}
	if ctx.Provider == "openai" && !ctx.Run.SignedIn && !cfg.signedIn() {
		return Layer{}, false
	}
	if !cfg.permitsSearch(ctx, layers) {
		return Layer{}, false
	}
	return Layer{
		Label: "tools.web.search.openaiCodex", Place: PlaceModel, Exact: true, Deny: builtIn("web_search"),
		Why:    "the model searches the web by itself",
		Remedy: "set tools.web.search.openaiCodex.enabled to false",
	}, true
}

// permitsSearch reports whether the layers permit searching. The sandbox, in
// which a model does not run, is not asked; and the dialect OpenClaw asks for
// the session, whoever writes in it.
func (c *Config) permitsSearch(ctx Context, layers []Layer) bool {
	if c.Dialect == OpenClaw {
		who := toolrest.Caller{Agent: ctx.Agent, Session: ctx.Session, Provider: ctx.Provider, Model: ctx.Model}
		layers = Resolve(c, Context{Caller: who, Sessions: ctx.Sessions}).Layers
	}
	asked := slices.DeleteFunc(slices.Clone(layers), func(l Layer) bool { return l.Place.IsFilter() || l.Place == PlaceSandbox })
	return Compile(c.Dialect, asked).Decide(Tool{Name: "web_search"}).Kept
}

// signedIn reports whether an auth profile may use OpenAI's own search: a
// plain key may not.
func (c *Config) signedIn() bool {
	for _, p := range c.AuthProfiles {
		if p.Provider == "openai" && (p.Mode == "oauth" || p.Mode == "token") {
			return true
		}
	}
	return false
}
