package policy

// Tool is what policy needs to know of a tool.
type Tool struct {
	Name string
	// Plugin is the id of the plugin that brought the tool; MCP tools carry
	// catalog.MCPPlugin. FromPlugin is set when the id is blank all the same.
	Plugin     string
	FromPlugin bool
	// Optional is set for a tool that its plugin declares so: it wants to be
	// named (see Layer.Named).
	Optional bool
}

// Pipeline is a compiled list of layers. It is immutable and safe for use by
// several goroutines.
type Pipeline struct {
	dialect Dialect
	layers  []compiled
}

type compiled struct {
	Layer
	allow, deny *matcher
}

// Compile prepares layers for decisions. Entries that match nothing known are
// kept: they match nothing.
func Compile(dialect Dialect, layers []Layer) *Pipeline {
	p := &Pipeline{dialect: dialect}
	for _, l := range layers {
		p.layers = append(p.layers, compiled{Layer: l, allow: newMatcher(l.Allow), deny: newMatcher(l.Deny)})
	}
	return p
}

// Decide gives what each layer does to t. Later layers are judged also after
// one has removed the tool, so that a reader sees everything that stands in
// the way.
func (p *Pipeline) Decide(t Tool) Trace {
	s := normaliseTool(t)
	trace := Trace{Tool: t.Name, Kept: true, Steps: make([]Step, 0, len(p.layers))}
	for i := range p.layers {
		step := p.layers[i].judge(s, p.dialect)
		trace.Kept = trace.Kept && !step.Effect.Removes()
		trace.Steps = append(trace.Steps, step)
	}
	return trace
}

// judge applies one layer: deny, then no allow list, then allow, then the
// link from write to apply_patch.
func (l *compiled) judge(s subject, d Dialect) Step {
	step := Step{Layer: l.Label, Effect: Passed}
	if i := l.denies(s, d); i >= 0 {
		step.Layer = DenyLabel(l.Label)
		return step.by(Denied, s, l.deny.entries[i])
	}
	if l.allow == nil {
		return step
	}
	if i := l.allows(s); i >= 0 {
		return step.by(Allowed, s, l.allow.entries[i])
	}
	step.Effect, step.Pos = NotAllowed, l.AllowPos
	return step
}

// linked is write when s is apply_patch: who may write may also patch, and in
// the Default dialect who may not write may not patch either.
func linked(s subject) (subject, bool) {
	if s.name != "apply_patch" {
		return subject{}, false
	}
	return subject{name: "write"}, true
}

func (l *compiled) denies(s subject, d Dialect) int {
	if i := l.deny.first(s); i >= 0 {
		return i
	}
	if w, ok := linked(s); ok && d == Default {
		return l.deny.first(w)
	}
	return -1
}

func (l *compiled) allows(s subject) int {
	if i := l.allow.first(s); i >= 0 {
		return i
	}
	if w, ok := linked(s); ok {
		return l.allow.first(w)
	}
	return -1
}
