package workspace

import (
	"context"
	"slices"
	"sync"
)

// writers are the files that are being changed in this process. It is one
// table for all workspaces, because two of them can share files.
var writers = lockTable{held: map[string]*lock{}}

type lockTable struct {
	mu   sync.Mutex // guards held and the uses of each lock
	held map[string]*lock
}

// lock is one turn: whoever can put something into taken has it.
type lock struct {
	taken chan struct{}
	uses  int // holders and waiters
}

// acquire waits for its turn at all keys and gives what ends it. Keys are
// taken in one order everywhere, so that nobody waits in a circle.
func (t *lockTable) acquire(ctx context.Context, keys []string) (release func(), err error) {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	var got []string
	release = func() {
		for _, key := range slices.Backward(got) {
			t.give(key)
		}
	}
	for _, key := range keys {
		if err := t.take(ctx, key); err != nil {
			release()
			return nil, err
		}
		got = append(got, key)
	}
	return release, nil
}

func (t *lockTable) take(ctx context.Context, key string) error {
	t.mu.Lock()
	l := t.held[key]
	if l == nil {
		l = &lock{taken: make(chan struct{}, 1)}
		t.held[key] = l
	}
	l.uses++
	t.mu.Unlock()
	select {
	case l.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		t.leave(key)
		return ctx.Err()
	}
}

func (t *lockTable) give(key string) {
	t.mu.Lock()
	<-t.held[key].taken
	t.mu.Unlock()
	t.leave(key)
}

func (t *lockTable) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.held[key]; l.uses == 1 {
		delete(t.held, key)
	} else {
		l.uses--
	}
}
