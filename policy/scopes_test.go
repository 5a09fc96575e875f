package policy

// Scopes are the parts of a config that most tests are about.
type Scopes struct {
	Dialect        Dialect
	Baseline       *Layer
	DefaultProfile string
	Global         Section
	AgentID        string // empty is main
	Agent          *Section
}

// Layers resolves a config of these parts, for its agent.
func Layers(s Scopes) []Layer {
	cfg := &Config{
		Dialect: s.Dialect, Baseline: s.Baseline, DefaultProfile: s.DefaultProfile, Tools: Scope{Section: s.Global},
	}
	if s.Agent != nil {
		cfg.Agents = []Agent{{ID: s.AgentID, Tools: Scope{Section: *s.Agent}}}
	}
	var ctx Context
	if ctx.Agent = s.AgentID; s.AgentID == "" {
		ctx.Agent = "main"
	}
	return Resolve(cfg, ctx).Layers
}
