package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/approve"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/sandbox"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
)

// door is what every command lists and calls tools through. Behind it stands
// the stack of the config in force; a changed config swaps the stack, and what
// runs finishes on the old one.
type door struct {
	opts     *config.Options
	log      *slog.Logger
	state    *config.State // nil for commands that only look
	hide     []string      // what no tool may see
	support  sandbox.Support
	approver approve.Approver
	terminal *approve.Terminal // nil where nobody can be asked
	run      policy.Run        // the gates of this process
	instead  string            // the workspace to use instead of the config's, or empty

	mu      sync.RWMutex // guards current
	current *stack

	old sync.WaitGroup // stacks that still have something running
}

// enter takes the stack in force; leave must be called when it is no longer
// used.
func (d *door) enter() (st *stack, leave func()) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	d.current.running.Add(1)
	return d.current, d.current.running.Done
}

// now is the stack in force, for commands that live no longer than it.
func (d *door) now() *stack {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.current
}

// List gives the tools that the caller may see now.
func (d *door) List(ctx context.Context, who toolrest.Caller) ([]toolrest.Descriptor, error) {
	p, err := d.Plan(ctx, who)
	if err != nil {
		return nil, err
	}
	visible := p.Visible()
	out := make([]toolrest.Descriptor, len(visible))
	for i, e := range visible {
		out[i] = e.Descriptor
	}
	return out, nil
}

// Plan gives what the caller sees now.
func (d *door) Plan(ctx context.Context, who toolrest.Caller) (*plan.Plan, error) {
	st, leave := d.enter()
	defer leave()
	return st.Plan(ctx, who)
}

// guard refuses a run whose lists ask for tools while none is left.
func (d *door) guard(ctx context.Context, who toolrest.Caller) error {
	p, err := d.Plan(ctx, who)
	if err != nil {
		return err
	}
	return p.Guard(d.run, policy.GuardFacts{})
}

// Dispatch runs a call to its end on the stack that is in force at its start.
func (d *door) Dispatch(ctx context.Context, call *toolrest.Call) *toolrest.Result {
	st, leave := d.enter()
	defer leave()
	return st.calls.Dispatch(ctx, call)
}

// Watch keeps the config in force in step with its files until ctx ends, and
// calls changed after each swap. A config that does not load is reported and
// changes nothing.
func (d *door) Watch(ctx context.Context, changed func()) error {
	files := func() []string { return d.now().config.Files }
	return config.Watch(ctx, d.opts, files, func() {
		cfg, err := config.Load(d.opts)
		if err != nil {
			d.log.Error("the config is broken; the one before it stays in force", "error", err)
			return
		}
		if cfg.Same(d.now().config) {
			return
		}
		if file := vanished(d.now().config); file != "" {
			d.log.Error("the config file is gone; what it said stays in force until it is back, or until this is started anew", "file", file)
			return
		}
		if err := d.swap(cfg); err != nil {
			d.log.Error("the config cannot be used; the one before it stays in force", "error", err)
			return
		}
		d.log.Warn("the config has changed and is in force", "file", cfg.File, "trusted", cfg.Trusted)
		changed()
	})
}

// vanished gives the file of the user's own config that is not there any more.
// Without it the defaults would count, which may allow what it denies.
func vanished(cfg *config.Config) string {
	for ; cfg != nil; cfg = cfg.Base {
		if cfg.Trusted && cfg.File != "" && !exists(cfg.File) {
			return cfg.File
		}
	}
	return ""
}

// alive serves until ctx ends or serving does, with the config kept in step
// beside it. A config that can no longer be watched is reported and stays as
// it is.
func (d *door) alive(ctx context.Context, changed func(), serve func(context.Context) error) error {
	watching, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() {
		if err := d.Watch(watching, changed); err != nil {
			d.log.Error("changes of the config are not noticed any more", "error", err)
		}
	})
	defer beside.Wait()
	defer stop()
	return serve(ctx)
}

func (d *door) swap(cfg *config.Config) error {
	next, err := d.build(cfg)
	if err != nil {
		return err
	}
	d.mu.Lock()
	before := d.current
	d.current = next
	d.mu.Unlock()
	d.tell(planChanges(before, next))
	d.old.Go(func() {
		before.running.Wait() // calls may run for long on the old config
		if err := before.close(); err != nil {
			d.log.Warn("close what the old config used", "error", err)
		}
	})
	return nil
}

// moveTo works in another folder from now on, whatever the config says.
func (d *door) moveTo(dir string) error {
	d.instead = dir
	return d.swap(d.now().config)
}

// Close waits for what still runs and gives everything back.
func (d *door) Close() error {
	err := d.now().close()
	if err == nil && !ends(&d.old, patience) {
		err = errors.New("a call on an old config does not end although it was cancelled")
	}
	return errors.Join(err, d.closeTerminal())
}

func (d *door) closeTerminal() error {
	if d.terminal == nil {
		return nil
	}
	return d.terminal.Close()
}
