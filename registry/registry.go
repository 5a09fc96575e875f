// Package registry holds which tools exist. Sources bring tools; a refresh
// merges all of them into a new immutable [Snapshot] and swaps it in, so that
// a call which is under way keeps what it started with. A source that breaks
// the contract never takes the tools of others away. A [Session] holds which
// of the tools one session uses.
//
// The registry decides nothing about who may use a tool, and builds no
// executor.
package registry

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Options refine a registry. The zero value is good.
type Options struct {
	// Check judges a new snapshot before it is swapped in, and a source by a
	// snapshot of it alone when the whole fails. It must be a pure function.
	Check func(*Snapshot) error
}

// Registry holds the current snapshot. It is safe for use by several
// goroutines.
type Registry struct {
	check   func(*Snapshot) error
	mu      sync.Mutex // one refresh at a time
	current atomic.Pointer[Snapshot]
}

// New merges the sources. A source that breaks the contract is left out, and
// [Snapshot.LeftOut] says why; all others load. New fails only when Check
// refuses what is left. A program that wants all or nothing asks
// [Snapshot.Err].
func New(opts *Options, sources ...Source) (*Registry, error) {
	r := &Registry{}
	if opts != nil {
		r.check = opts.Check
	}
	r.current.Store(&Snapshot{})
	next, err := r.build(sources)
	if err != nil {
		return nil, fmt.Errorf("build the registry: %w", err)
	}
	next.Version = 1
	r.current.Store(next)
	return r, nil
}

// Snapshot gives what is registered now.
func (r *Registry) Snapshot() *Snapshot { return r.current.Load() }

// Refresh rebuilds everything from the sources and swaps the result in. Rows
// that did not change are shared with the last snapshot, and when nothing
// changed at all, that snapshot stays.
//
// When a source breaks the contract, the last snapshot stays as well, and the
// error holds a [*ContractError] for each such source. A source that was left
// out before does not hold up the others: it had no tools to lose.
func (r *Registry) Refresh(sources ...Source) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.current.Load()
	next, err := r.build(sources)
	if err == nil {
		err = last.newlyBroken(next.LeftOut)
	}
	if err != nil {
		return fmt.Errorf("refresh the registry: %w", err)
	}
	if next.same(last) {
		return nil
	}
	next.Version = last.Version + 1
	r.current.Store(next)
	return nil
}

// build merges the sources that keep the contract.
func (r *Registry) build(sources []Source) (*Snapshot, error) {
	last := r.current.Load()
	good, broken := sift(inOrder(sources), Source.contract)
	next := merge(last, good)
	if r.check != nil {
		if err := r.check(next); err != nil {
			var more []ContractError
			good, more = sift(good, func(s Source) *ContractError { return r.judge(last, s) })
			if len(more) == 0 {
				return nil, err
			}
			broken, next = append(broken, more...), merge(last, good)
			if err := r.check(next); err != nil {
				return nil, err
			}
		}
	}
	next.LeftOut = append(broken, next.LeftOut...)
	return next, nil
}

// judge asks Check about one source alone.
func (r *Registry) judge(last *Snapshot, s Source) *ContractError {
	if err := r.check(merge(last, []Source{s})); err != nil {
		return &ContractError{Code: CodeRefused, Source: s.Label(), Reason: err.Error(), Err: err}
	}
	return nil
}

// sift parts the sources that keep the contract from the others.
func sift(sources []Source, judge func(Source) *ContractError) (good []Source, broken []ContractError) {
	for _, s := range sources {
		if err := judge(s); err != nil {
			err.tools = s.names()
			broken = append(broken, *err)
		} else {
			good = append(good, s)
		}
	}
	return good, broken
}

// newlyBroken gives the faults of sources that were not left out before.
func (s *Snapshot) newlyBroken(broken []ContractError) error {
	before := map[string]int{}
	for _, e := range s.LeftOut {
		before[e.Source]++
	}
	var errs []error
	for i := range broken {
		if before[broken[i].Source]--; before[broken[i].Source] < 0 {
			errs = append(errs, &broken[i])
		}
	}
	return errors.Join(errs...)
}

// inOrder sorts the sources by their kind. Among themselves they keep the
// order in which they were given.
func inOrder(sources []Source) []Source {
	sorted := slices.Clone(sources)
	slices.SortStableFunc(sorted, func(a, b Source) int { return a.Kind.rank() - b.Kind.rank() })
	return sorted
}
