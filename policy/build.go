package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// ApplyPatchModel reports whether the model may use apply_patch, by a list of
// models ("gpt-5.5" or "openai/gpt-5.5", any case). An empty list is for every
// model; another one is for no model that is not known.
func ApplyPatchModel(allow List, provider, model string) bool {
	if len(allow.Entries) == 0 {
		return true
	}
	model = names.Fold(model)
	if model == "" {
		return false
	}
	full := qualified(provider, model)
	return slices.ContainsFunc(allow.Entries, func(e Entry) bool {
		entry := names.Fold(e.Text)
		return entry == model || entry == full
	})
}

// qualified puts the provider before a model that does not name one.
func qualified(provider, model string) string {
	if provider = names.Fold(provider); provider == "" || strings.Contains(model, "/") {
		return model
	}
	return provider + "/" + model
}

// applyPatchLayer is the rule of exec.applyPatch, the agent's over the global
// one.
func applyPatchLayer(cfg *Config, ctx Context, res *Resolution) (Layer, bool) {
	rule, at := cfg.Tools.ApplyPatch, "tools.exec.applyPatch"
	if a := cfg.agent(res.AgentID); a != nil && a.Tools.ApplyPatch.Set {
		rule, at = a.Tools.ApplyPatch, a.Tools.Path+".exec.applyPatch"
	}
	l := Layer{Label: at, Place: PlaceRun, Deny: builtIn("apply_patch")}
	switch {
	case rule.Enabled != nil && !*rule.Enabled:
		l.Why = "it is switched off"
		l.Remedy = "set " + at + ".enabled to true"
	case !ApplyPatchModel(rule.AllowModels, ctx.Provider, ctx.Model):
		model := qualified(ctx.Provider, names.Fold(ctx.Model))
		l.Why = fmt.Sprintf("its list of models does not name %q", model)
		l.Lift = &Edit{Op: EditAdd, Path: at + ".allowModels", Value: model, Pos: rule.AllowModels.Pos}
		if model == "" {
			l.Why, l.Lift = "it is for listed models only, and this one is not known", nil
			l.Remedy = "say which model calls, and list it in " + at + ".allowModels"
		}
	default:
		return Layer{}, false
	}
	return l, true
}

const planTool = "update_plan"

// planners are the models that keep a plan without being told to.
var planners = regexp.MustCompile(`^gpt-5(?:[.o-]|$)`)

// planLayer removes update_plan where nobody wants it: it is there when the
// config switches it on, when it says nothing and the model is used to plans,
// and when a list names it.
func planLayer(cfg *Config, ctx Context, res *Resolution) (Layer, bool) {
	on := cfg.Tools.PlanTool
	if on != nil && *on || on == nil && cfg.plans(ctx, res) || cfg.namesPlan(ctx, res.Layers) {
		return Layer{}, false
	}
	return Layer{
		Label: "tools.experimental.planTool", Place: PlaceRun, Deny: builtIn(planTool),
		Why:    "it is off unless it is switched on or named in an allow list",
		Remedy: "set tools.experimental.planTool to true",
	}, true
}

// plans reports whether the model is of a family that uses plans by itself,
// and the config does not say otherwise.
func (c *Config) plans(ctx Context, res *Resolution) bool {
	if p := names.Fold(ctx.Provider); p != "openai" && p != "mock-openai" || c.contract(ctx, res) == "default" {
		return false
	}
	model := names.Fold(ctx.Model)
	if i := strings.IndexAny(model, "/:"); i > 0 && i+1 < len(model) {
		model = model[i+1:]
	}
	return planners.MatchString(model)
}

// contract is how the run of an agent is bound to its plan, as the config says.
func (c *Config) contract(ctx Context, res *Resolution) string {
	if a := c.agent(res.runAgent(ctx)); a != nil && a.Contract != "" {
		return a.Contract
	}
	return c.Defaults.Contract
}

// namesPlan reports whether a profile or an explicit list names update_plan. A
// profile counts without what alsoAllow adds to it.
func (c *Config) namesPlan(ctx Context, layers []Layer) bool {
	row, _ := c.Dialect.catalogue().Lookup(planTool)
	for i := range layers {
		if p := layers[i].Profile; p == fullProfile || p != "" && slices.Contains(row.Profiles, p) {
			return true
		}
	}
	v, tool := vocabulary{dialect: c.Dialect}, Prepare(Tool{Name: planTool})
	named := func(list []Entry) bool {
		return slices.ContainsFunc(list, func(e Entry) bool { return v.means(&Layer{}, e, &tool) })
	}
	for i := range layers {
		l := &layers[i]
		switch {
		case l.Place <= PlaceProviderProfile:
		case l.unlimited() && named(l.Allow[1:]), !l.unlimited() && named(l.Allow):
			return true
		}
	}
	return named(c.Tools.Allow.Entries) || named(c.Tools.AlsoAllow.Entries) ||
		named(ctx.Run.Allow.Entries) || named(builtIn(ctx.Run.Requested...))
}

// webLayers remove what the config switches off.
func webLayers(cfg *Config) []Layer {
	var out []Layer
	for _, w := range []struct {
		tool, key string
		on        *bool
	}{
		{"web_search", "tools.web.search", cfg.Tools.WebSearch.Enabled},
		{"web_fetch", "tools.web.fetch", cfg.Tools.WebFetch},
	} {
		if w.on != nil && !*w.on {
			out = append(out, Layer{
				Label: w.key, Place: PlaceRun, Deny: builtIn(w.tool),
				Why: "it is switched off", Remedy: "set " + w.key + ".enabled to true",
			})
		}
	}
	return out
}

// workshopLayer keeps proposals for skills out of the sandbox: they are about
// the host's own skills.
func workshopLayer(inside bool) (Layer, bool) {
	return Layer{
		Label: "sandbox", Place: PlaceRun, Deny: builtIn("skill_workshop"),
		Why:    "a sandboxed session does not change the host's skills",
		Remedy: "ask for it in a session outside of the sandbox",
	}, inside
}
