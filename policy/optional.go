package policy

// optionalLayer hides the optional tools of plugins that nobody has named. In
// the dialect Default only the lists of the config name: a profile knows no
// plugin, and a run's own list and what a parent handed down never bring back.
func optionalLayer(cfg *Config, ctx Context, layers []Layer) Layer {
	l := Layer{
		Label: "optional plugin tools", Place: PlaceOptional, Named: true, Closed: true,
		Widen: widenOptional(cfg.Tools.Section),
		Why:   "it is optional, and its plugin wants it named in an allow or alsoAllow list: by name, by the plugin's id or by group:plugins",
	}
	if cfg.Dialect == OpenClaw {
		l.Allow = ExplicitLayers(cfg.Dialect, layers, ctx.Run).Allow
		return l
	}
	for i := range layers {
		if p := layers[i].Place; PlaceTools <= p && p < PlaceInherited {
			l.Allow = append(l.Allow, layers[i].Allow...)
		}
	}
	return l
}

// widenOptional names a tool in the global scope: in the allow list where there
// is one, for alsoAllow is refused beside it.
func widenOptional(s Section) *Edit {
	if len(s.Allow.Entries) > 0 {
		return &Edit{Op: EditAdd, Path: s.Allow.path(s.Path, "allow"), Pos: s.Allow.Pos}
	}
	return &Edit{Op: EditAdd, Path: s.AlsoAllow.path(s.Path, "alsoAllow"), Pos: s.AlsoAllow.Pos}
}
