package plan

import (
	"sync"
	"sync/atomic"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// Cache keeps the last plan of each caller, so that asking again costs nothing
// while nothing has changed, and little after a small change. It is safe for
// use by several goroutines.
//
// A plan is kept by the identity of its snapshot and its pipeline, by its
// caller and by the version of the facts. Facts without a version are judged
// anew each time; only the order of the rows is kept then.
type Cache struct {
	most int
	last atomic.Pointer[kept] // what was asked for most lately

	mu    sync.RWMutex // guards plans
	plans map[planKey]*kept
	clock atomic.Uint64

	indexing sync.Mutex // guards index, step and known; one is made at a time
	index    *index     // of the snapshot that was asked for most lately
	step     *change    // led to it, where that was a small one
	known    *policy.Known
}

// CacheOptions refine a cache. The zero value is good.
type CacheOptions struct {
	// Plans is how many are kept at most: 256 when it is zero or less.
	Plans int
}

type planKey struct {
	pipeline *policy.Pipeline
	version  uint64
	caller   toolrest.Caller
}

type kept struct {
	planKey
	plan *Plan
	used atomic.Uint64 // the clock when it was last asked for
}

// NewCache makes an empty cache; nil options are the defaults.
func NewCache(opts *CacheOptions) *Cache {
	c := &Cache{most: 256, plans: map[planKey]*kept{}}
	if opts != nil && opts.Plans > 0 {
		c.most = opts.Plans
	}
	return c
}

// Plan gives what [Build] would. It keeps no plan that could not be made.
func (c *Cache) Plan(snap *registry.Snapshot, pipeline *policy.Pipeline, ctx Context) (*Plan, error) {
	key := planKey{pipeline, ctx.FactsVersion, ctx.Caller}
	if ctx.FactsVersion == 0 {
		x, _, err := c.indexed(snap)
		if err != nil {
			return nil, err
		}
		return build(x, pipeline, ctx)
	}
	if k := c.last.Load(); k != nil && k.plan.index.snap == snap && k.planKey == key {
		return k.plan, nil
	}
	c.mu.RLock()
	k := c.plans[key]
	c.mu.RUnlock()
	if k != nil && k.plan.index.snap == snap {
		k.used.Store(c.clock.Add(1))
		c.last.Store(k)
		return k.plan, nil
	}
	return c.make(snap, key, k, ctx)
}

// make builds a plan, from the former one of the same caller where there is
// one. Two goroutines that miss at the same time both build.
func (c *Cache) make(snap *registry.Snapshot, key planKey, former *kept, ctx Context) (*Plan, error) {
	x, step, err := c.indexed(snap)
	if err != nil {
		return nil, err
	}
	var p *Plan
	if former != nil {
		p, err = rebuild(former.plan, x, step, key.pipeline, ctx)
	} else {
		p, err = build(x, key.pipeline, ctx)
	}
	if err != nil {
		return nil, err
	}
	c.keep(&kept{planKey: key, plan: p})
	return p, nil
}

// indexed gives the index of snap and the change that led there.
func (c *Cache) indexed(snap *registry.Snapshot) (*index, *change, error) {
	c.indexing.Lock()
	defer c.indexing.Unlock()
	err := c.advance(snap)
	return c.index, c.step, err
}

// advance makes the index that of snap. The caller holds indexing.
func (c *Cache) advance(snap *registry.Snapshot) (err error) {
	if c.index != nil && c.index.snap == snap {
		return nil
	}
	x, step := (*index)(nil), (*change)(nil)
	if c.index == nil {
		x, err = newIndex(snap, nil)
	} else {
		x, step, err = c.index.to(snap)
	}
	if err != nil {
		return err
	}
	if step == nil || !step.sameKnown() {
		c.known = nil
	}
	c.index, c.step = x, step
	return nil
}

// Known is [Known] of the snapshot. It gives the same value again as long as
// the plugins and the names of their tools are the same.
func (c *Cache) Known(snap *registry.Snapshot) *policy.Known {
	c.indexing.Lock()
	defer c.indexing.Unlock()
	if c.advance(snap) != nil {
		return Known(snap)
	}
	if c.known == nil {
		c.known = Known(snap)
	}
	return c.known
}

func (c *Cache) keep(k *kept) {
	k.used.Store(c.clock.Add(1))
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.plans[k.planKey]; !there && len(c.plans) >= c.most {
		c.forgetOldest()
	}
	c.plans[k.planKey] = k
	c.last.Store(k)
}

// forgetOldest makes room for one plan. The caller holds mu.
func (c *Cache) forgetOldest() {
	last := c.last.Load() // its use is not counted
	var oldest *kept
	for _, k := range c.plans {
		if k != last && (oldest == nil || k.used.Load() < oldest.used.Load()) {
			oldest = k
		}
	}
	if oldest == nil {
		oldest = last
	}
	delete(c.plans, oldest.planKey)
}
