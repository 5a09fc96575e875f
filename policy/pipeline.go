package policy

import (
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// Pipeline is a compiled list of layers. It is immutable and safe for use by
// several goroutines.
type Pipeline struct {
	vocabulary
	layers []Layer
	labels []labels
	blocks []block
	owns   func(toolrest.Caller) bool // nil believes the door
}

// Options refine how a pipeline reads its entries. The zero value is good.
type Options struct {
	// Plugins are the ids of the plugins whose tools are there. In the dialect
	// OpenClaw an entry that is such an id means the tools of that plugin,
	// never a tool of that name. The dialect Default reads it as both.
	Plugins []string
}

// Compile prepares layers for decisions. Entries that match nothing known are
// kept: they match nothing.
func Compile(dialect Dialect, layers []Layer) *Pipeline { return CompileWith(dialect, layers, nil) }

// CompileWith is Compile with options; nil options are none.
func CompileWith(dialect Dialect, layers []Layer, opts *Options) *Pipeline {
	p := &Pipeline{vocabulary: vocabulary{dialect: dialect}, layers: layers}
	if opts != nil && dialect == OpenClaw {
		p.plugins = map[string]bool{}
		for _, id := range opts.Plugins {
			p.plugins[names.Fold(id)] = true
		}
		delete(p.plugins, "")
	}
	p.labels = make([]labels, len(layers))
	for i := range layers {
		p.labels[i] = newLabels(&layers[i])
	}
	for first := 0; first < len(layers); first += blockSize {
		last := min(first+blockSize, len(layers))
		p.blocks = append(p.blocks, newBlock(first, layers[first:last], p.vocabulary))
	}
	return p
}

// Verdict is a decision without its reasons: whether a tool is kept, and
// otherwise which layer was the first to remove it. The zero Verdict keeps.
type Verdict struct{ removedBy int32 } // the layer's place, plus one

// Kept reports whether no layer removes the tool.
func (v Verdict) Kept() bool { return v.removedBy == 0 }

// Judge decides about s. It allocates nothing.
func (p *Pipeline) Judge(s *Subject) Verdict {
	for i := range p.blocks {
		b := &p.blocks[i]
		if removing := b.removing(s, p.dialect); removing != 0 {
			return Verdict{removedBy: int32(b.firstOf(removing)) + 1}
		}
	}
	return Verdict{}
}

// Reason gives the step that removed s, where v is what p said of it; the zero
// Step when it is kept.
func (p *Pipeline) Reason(s *Subject, v Verdict) Step {
	if v.Kept() {
		return Step{}
	}
	at := int(v.removedBy) - 1
	b, l := &p.blocks[at/blockSize], &p.layers[at]
	step := Step{Layer: l.Label, Place: l.Place, Effect: NotAllowed, Pos: l.AllowPos, Why: l.Why}
	if r, ok := p.rule(s, b, at-b.first, true); ok {
		step.Layer, step.Effect = p.labels[at].deny, Denied
		step.by(r)
	}
	return step
}

// Decide gives what each layer does to t. Later layers are judged also after
// one has removed the tool, so that a reader sees everything that stands in
// the way.
func (p *Pipeline) Decide(t Tool) Trace {
	s := Prepare(t)
	return p.Trace(&s)
}

// Trace is Decide for a tool that was prepared.
func (p *Pipeline) Trace(s *Subject) Trace {
	trace := Trace{Tool: s.tool.Name, Kept: true, Steps: make([]Step, 0, len(p.layers))}
	for i := range p.blocks {
		b := &p.blocks[i]
		deny, allow := b.masks(s, p.dialect)
		for layer := range min(blockSize, len(p.layers)-b.first) {
			step := p.step(s, b, layer, deny, allow)
			trace.Kept = trace.Kept && !step.Effect.Removes()
			trace.Steps = append(trace.Steps, step)
		}
	}
	return trace
}

// step tells what one layer of a block does to s: deny first, then allow, then
// whether the layer restricts s at all.
func (p *Pipeline) step(s *Subject, b *block, layer int, deny, allow uint64) Step {
	at, bit := b.first+layer, uint64(1)<<layer
	l := &p.layers[at]
	step := Step{Layer: l.Label, Place: l.Place, Effect: Passed}
	judged := b.named&bit == 0 || s.tool.Optional
	switch {
	case deny&bit != 0:
		step.Layer, step.Effect, step.Why = p.labels[at].deny, Denied, l.Why
		r, _ := p.rule(s, b, layer, true)
		step.by(r)
	case judged && allow&bit != 0:
		step.Effect = Allowed
		r, _ := p.rule(s, b, layer, false)
		step.by(r)
	case judged && b.limits&bit != 0:
		step.Effect, step.Pos, step.Why = NotAllowed, l.AllowPos, l.Why
	default:
		step.Layer, step.Why = p.labels[at].pass, p.labels[at].note
	}
	return step
}

// rule finds the first entry that matches s, or else, for a tool that follows
// write, the first that matches write.
func (p *Pipeline) rule(s *Subject, b *block, layer int, deny bool) (rule, bool) {
	l := &p.layers[b.first+layer]
	list := l.Allow
	if deny {
		list = l.Deny
	}
	if h, ok := b.entry(s, layer, deny); ok {
		return explain(s, list[h.entry], h), true
	}
	if !s.linked() || l.Named || deny && p.dialect == OpenClaw {
		return rule{}, false
	}
	h, ok := b.entry(&Subject{name: writeTool}, layer, deny)
	if !ok {
		return rule{}, false
	}
	return rule{entry: list[h.entry], via: viaWrite}, true
}

// labels are the names of a layer's parts.
type labels struct {
	deny, pass string
	note       string // why it passes whatever comes
}

func newLabels(l *Layer) labels {
	out := labels{deny: l.Label, pass: l.Label}
	if l.filters() {
		return out
	}
	out.deny = DenyLabel(l.Label)
	switch {
	case l.unlimited():
		out.pass = strings.Replace(l.Label, ".allow", ".alsoAllow", 1)
		out.note = "alsoAllow without an allow list restricts nothing"
	case len(l.Allow) == 0 && len(l.Deny) > 0:
		out.pass = out.deny
	}
	return out
}

// filters reports whether the layer is none of the config's own.
func (l *Layer) filters() bool {
	return l.Place != PlaceBaseline && (l.Place < PlaceProfile || l.Place > PlaceInherited)
}
