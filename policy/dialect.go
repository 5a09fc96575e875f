package policy

import "github.com/toolrest/toolrest"

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
	p := CompileWith(cfg.Dialect, Resolve(cfg, ctx).Layers, &Options{Plugins: plugins})
	p.owns = func(who toolrest.Caller) bool { return Owner(cfg, Context{Caller: who, Run: ctx.Run}) }
	return p
}

// Owner reports whether who is the owner to the config that the pipeline was
// made for, in that run. A pipeline that was made of layers alone believes the
// door. It looks at who, not at the caller whom the pipeline was made for.
func (p *Pipeline) Owner(who toolrest.Caller) bool {
	if p.owns == nil {
		return who.Owner
	}
	return p.owns(who)
}
