package policy

// Dialect gives the dialect that the pipeline was compiled for.
func (p *Pipeline) Dialect() Dialect { return p.dialect }

// Layers gives the layers in their order. They must not be changed.
func (p *Pipeline) Layers() []Layer { return p.layers }

// For resolves the config for ctx and compiles the layers: what callers do who
// only want decisions.
func For(cfg *Config, ctx Context) *Pipeline {
	var plugins []string
	if ctx.Known != nil {
		plugins = ctx.Known.Plugins()
	}
	return CompileWith(cfg.Dialect, Resolve(cfg, ctx).Layers, &Options{Plugins: plugins})
}
