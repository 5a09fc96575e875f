package policy

import (
	"slices"

	"github.com/toolrest/toolrest"
)

// Filters gives the layers that stand around those of the config: what the
// run, the chat service, the model, the owner, plugins, the door and the
// session's active set leave of the tools. Each has a label, a reason and what
// lifts it, so that a trace tells of them as of all others. The layers of res are
// the config's own eleven; [Resolve] puts both together. Filters stand in the
// order of their places.
//
// In the dialect OpenClaw some doors go without some of them.
func Filters(cfg *Config, ctx Context, res *Resolution) []Layer {
	f := filters{cfg: cfg, surface: ctx.Surface, layers: make([]Layer, 0, mostFilters)}
	first := cfg.Base == nil // else the config below has what does not come from a config
	if first {
		f.append(ctx.Run.gates(cfg.Dialect)...)
		f.add(workshopLayer(res.Sandboxed && !cfg.skips(ctx.Surface, PlaceSandbox)))
	}
	f.add(applyPatchLayer(cfg, ctx, res))
	f.add(planLayer(cfg, ctx, res))
	f.append(webLayers(cfg)...)
	if first {
		f.add(messageProviderLayer(ctx.Channel))
	}
	f.add(leanLayer(cfg, ctx, res))
	f.add(nativeSearchLayer(cfg, ctx, res.Layers))
	if first {
		f.add(ownerLayer(cfg.Dialect, ctx.Surface, res.Owner))
	}
	f.append(optionalLayer(cfg, ctx, res.Layers))
	f.append(surfaceLayers(cfg, ctx)...)
	if first {
		f.append(ctx.Run.chosen()...)
	}
	return f.layers
}

// mostFilters is how many of them there usually are.
const mostFilters = 8

// filters gathers the layers that count at the door.
type filters struct {
	cfg     *Config
	surface toolrest.Surface
	layers  []Layer
}

func (f *filters) add(l Layer, ok bool) {
	if ok {
		f.append(l)
	}
}

func (f *filters) append(layers ...Layer) {
	for i := range layers {
		if !f.cfg.skips(f.surface, layers[i].Place) {
			f.layers = append(f.layers, layers[i])
		}
	}
}

// around puts filters, which stand in the order of their places, before and
// behind the layers of a config.
func around(filters, layers []Layer) []Layer {
	i := slices.IndexFunc(filters, func(l Layer) bool { return l.Place > PlaceInherited })
	if i < 0 {
		i = len(filters)
	}
	return slices.Concat(filters[:i], layers, filters[i:])
}

// chosen are the layers of what somebody chose for this session or this
// question, by exact names.
func (r Run) chosen() []Layer {
	var out []Layer
	if len(r.Exclude) > 0 {
		out = append(out, Layer{
			Label: "left out by the caller", Place: PlaceSurface, Exact: true, Deny: builtIn(r.Exclude...),
			Why: "whoever asked wanted to go without it", Remedy: "ask without leaving the tool out",
		})
	}
	if r.Active != nil {
		out = append(out, Layer{
			Label: "active set", Place: PlaceActive, Exact: true, Closed: true, Allow: builtIn(r.Active...),
			Why: "the session does not use it now", Remedy: "add the tool to the session's active set",
		})
	}
	return out
}
