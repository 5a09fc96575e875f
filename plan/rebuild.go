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
	hidden, err := follow(last, x, step, ctx)
	if err != nil {
		return nil, err
	}
	return newPlan(x, pipeline, ctx, hidden), nil
}

// follow carries the change of the index into what last hides.
func follow(last *Plan, x *index, step *change, ctx Context) (pages[Hidden], error) {
	hidden := last.hidden.copied(x.slots)
	judge := &Plan{Context: ctx, pipeline: last.pipeline}
	owned := map[int32]bool{}
	for _, it := range step.went {
		if hidden.get(it.slot) != nil {
			hidden.replace(it.slot, nil, owned)
		}
	}
	for _, it := range step.came {
		h, err := judge.judge(it)
		if err != nil {
			return nil, err
		}
		if h != nil {
			hidden.replace(it.slot, h, owned)
		}
	}
	return hidden, nil
}
