package toolrest

import (
	"context"
	"fmt"
	"sync"
)

// Lazy is an executor that is built on its first call, once under concurrent
// calls. Listing, planning and explaining a tool never build it. When build
// fails, that call ends in an error and the next one tries again.
func Lazy(build func(context.Context) (Executor, error)) Executor {
	if build == nil {
		panic("toolrest: Lazy needs a build function")
	}
	return &lazy{build: build}
}

type lazy struct {
	build func(context.Context) (Executor, error)
	mu    sync.Mutex // guards built, and lets one call build at a time
	built Executor
}

func (l *lazy) Execute(ctx context.Context, call *Call) (*Result, error) {
	e, err := l.get(ctx)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", call.Tool, err)
	}
	return e.Execute(ctx, call)
}

func (l *lazy) get(ctx context.Context) (Executor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.built != nil {
		return l.built, nil
	}
	e, err := l.build(ctx)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, fmt.Errorf("build gave no executor")
	}
	l.built = e
	return e, nil
}
