package plan

import (
	"slices"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// Rebuild makes the plan that [Build] would make, and takes from last what did
// not change: the order of the rows when the snapshot differs in a few, and
// their decisions, too, when the pipeline and the version of the facts are the
// same. A nil last is none. It fails as Build does.
func Rebuild(last *Plan, snap *registry.Snapshot, pipeline *policy.Pipeline, ctx Context) (*Plan, error) {
	if last == nil {
		return Build(snap, pipeline, ctx)
	}
	x, step, err := last.index.to(snap)
	if err != nil {
		return nil, err
	}
	return rebuild(last, x, step, pipeline, ctx)
}

// change leads from one index to another.
type change struct {
	from       *index
	went, came []*item // in order
}

// sameKnown reports whether the plugins and the names of their tools are the
// same before and after.
func (c *change) sameKnown() bool {
	return slices.EqualFunc(c.went, c.came, func(a, b *item) bool { return a.subject.Tool() == b.subject.Tool() })
}

// to gives the index of snap, and the change that led there; nil when the
// index is a new one.
func (x *index) to(snap *registry.Snapshot) (*index, *change, error) {
	if x.snap == snap {
		return x, &change{from: x}, nil
	}
	if next, went, came, ok := x.update(snap); ok {
		return next, &change{x, went, came}, nil
	}
	next, err := newIndex(snap, x)
	return next, nil, err
}

// rebuild makes a plan over x from last, if step leads from there.
func rebuild(last *Plan, x *index, step *change, pipeline *policy.Pipeline, ctx Context) (*Plan, error) {
	same := last.pipeline == pipeline && last.Context.FactsVersion == ctx.FactsVersion && ctx.FactsVersion != 0
	if !same || step == nil || step.from != last.index {
		return build(x, pipeline, ctx)
	}
	p := &Plan{Context: ctx, pipeline: pipeline, index: x, Visible: last.Visible, Hidden: last.Hidden, states: last.states}
	if err := p.follow(last, step); err != nil {
		return nil, err
	}
	return p, nil
}

// follow carries the change of the index into p.
func (p *Plan) follow(last *Plan, step *change) error {
	if len(step.went)+len(step.came) == 0 {
		return nil
	}
	var visible, hidden change
	p.states = last.states.copied(p.index.slots)
	owned := map[int32]bool{}
	for _, it := range step.went {
		if last.states.get(it.slot) == nil {
			visible.went = append(visible.went, it)
			continue
		}
		hidden.went = append(hidden.went, it)
		p.states.replace(it.slot, nil, owned)
	}
	for _, it := range step.came {
		h, is, err := p.judge(it)
		switch {
		case err != nil:
			return err
		case is:
			hidden.came = append(hidden.came, it)
			p.states.replace(it.slot, &h, owned)
		default:
			visible.came = append(visible.came, it)
		}
	}
	p.Visible = spliceRows(last.Visible, visible, step.from, func(e Entry) *registry.Row { return e.Row }, func(it *item) Entry { return it.entry })
	p.Hidden = spliceRows(last.Hidden, hidden, step.from, func(h Hidden) *registry.Row { return h.Row }, func(it *item) Hidden { return *p.states.get(it.slot) })
	return nil
}

// spliceRows is splice for what holds a row; an unchanged list is shared.
func spliceRows[T any](list []T, c change, from *index, row func(T) *registry.Row, turn func(*item) T) []T {
	if len(c.went)+len(c.came) == 0 {
		return list
	}
	return splice(list, c.went, c.came, func(at T, it *item) int { return compareItems(from.names.find(row(at).Name), it) }, turn)
}
