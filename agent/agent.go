// Package agent is the main loop: a model writes, its calls run, the results
// go back, until the model stops calling.
//
// The loop decides nothing about tools. It shows the model what its door
// lists, and hands every call to that door, which gives one result for each,
// also after an abort; so the conversation always pairs. It does not retry, and
// it keeps nothing on disk: see [Options].Keep.
package agent

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
)

// Door is what the loop needs of the governed tools.
type Door interface {
	List(ctx context.Context, who toolrest.Caller) ([]toolrest.Descriptor, error)
	Dispatch(ctx context.Context, call *toolrest.Call) *toolrest.Result
}

// Options say what a session works with.
type Options struct {
	Model  model.Model // required
	Door   Door        // required
	Caller toolrest.Caller
	System string
	// MaxTurns bounds the model's turns in one run. Zero is 100.
	MaxTurns int
	// Keep gets every message when it is complete, before the loop goes on; an
	// error ends the run. Nil keeps nothing.
	Keep func(model.Message) error
}

// ErrTurns ends a run that went on for too many turns.
var ErrTurns = errors.New("too many turns")

// Session is one conversation. Its methods must not be called at the same
// time.
type Session struct {
	opts     Options
	messages []model.Message
	calls    int
}

// New begins a conversation. It panics without a model or a door.
func New(opts Options) *Session {
	if opts.Model == nil || opts.Door == nil {
		panic("agent: New needs a model and a door")
	}
	if opts.MaxTurns == 0 {
		opts.MaxTurns = 100
	}
	return &Session{opts: opts}
}

// Transcript gives the conversation so far. Every call in it has one result.
func (s *Session) Transcript() []model.Message { return slices.Clone(s.messages) }

// Run sends a prompt and loops until the model stops calling tools, an error
// ends it, or ctx does. It yields what happens; an error is the last thing
// that it yields. A caller that leaves the loop cancels what still runs; the
// transcript pairs all the same.
func (s *Session) Run(ctx context.Context, prompt string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := &run{Session: s, yield: yield, cancel: cancel}
		if err := r.loop(ctx, prompt); err != nil {
			r.tell(nil, err)
		}
	}
}

// run is one Run under way.
type run struct {
	*Session
	yield  func(Event, error) bool
	cancel context.CancelFunc
	left   bool // the caller has left the loop
}

// tell yields an event, and cancels everything once the caller has left.
func (r *run) tell(e Event, err error) {
	if r.left {
		return
	}
	if !r.yield(e, err) {
		r.left = true
		r.cancel()
	}
}

func (r *run) loop(ctx context.Context, prompt string) error {
	if err := r.keep(model.User(model.Text(prompt))); err != nil {
		return err
	}
	for range r.opts.MaxTurns {
		done, err := r.turn(ctx)
		if err != nil {
			return err
		}
		calls := done.Message.Calls()
		if err := r.answer(ctx, calls); err != nil {
			return err
		}
		if len(calls) == 0 && done.Stop != model.StopPause {
			r.tell(Ended{Stop: done.Stop}, nil)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("run: %w", err)
		}
	}
	return fmt.Errorf("%w: the model was still calling tools after %d of them", ErrTurns, r.opts.MaxTurns)
}

// turn takes one message from the model. What had arrived before an error
// stays in the transcript.
func (r *run) turn(ctx context.Context) (*model.Done, error) {
	tools, err := r.tools(ctx)
	if err != nil {
		return nil, err
	}
	req := &model.Request{System: r.opts.System, Messages: r.Transcript(), Tools: tools}
	for event, err := range r.opts.Model.Stream(ctx, req) {
		if err != nil {
			return nil, errors.Join(err, r.keepPartial(ctx, err))
		}
		if done, ok := event.(model.Done); ok {
			if err := r.keep(done.Message); err != nil {
				return nil, err
			}
			r.tell(TurnEnded{Usage: done.Usage, Stop: done.Stop}, nil)
			return &done, nil
		}
		r.tell(event, nil)
		if r.left {
			return nil, context.Canceled
		}
	}
	return nil, errors.New("the model's stream ended without an end")
}

func (r *run) tools(ctx context.Context) ([]model.Tool, error) {
	listed, err := r.opts.Door.List(ctx, r.opts.Caller)
	if err != nil {
		return nil, fmt.Errorf("list the tools: %w", err)
	}
	tools := make([]model.Tool, len(listed))
	for i, d := range listed {
		tools[i] = model.Tool{Name: d.Name, Description: d.Description, Schema: d.InputSchema}
	}
	return tools, nil
}

// keepPartial keeps what a broken turn had brought. Its calls never ran, and
// get results that say so.
func (r *run) keepPartial(ctx context.Context, cause error) error {
	var failed *model.Error
	if !errors.As(cause, &failed) || failed.Partial == nil || len(failed.Partial.Blocks) == 0 {
		return nil
	}
	if err := r.keep(*failed.Partial); err != nil {
		return err
	}
	var results []model.Result
	for _, call := range failed.Partial.Calls() {
		refusal := &toolrest.Refusal{
			Code: toolrest.CodeAborted, Tool: call.Name, Retry: true,
			Reason: "the message that holds this call broke off, so it did not run",
		}
		results = append(results, call.Answer(refusal.Result()))
		r.tell(CallEnded{Call: call, Result: refusal.Result()}, nil)
	}
	if len(results) == 0 {
		return nil
	}
	return r.keep(model.Results(results...))
}

func (r *run) keep(m model.Message) error {
	if len(m.Blocks) == 0 {
		return nil
	}
	r.messages = append(r.messages, m)
	if r.opts.Keep == nil {
		return nil
	}
	if err := r.opts.Keep(m); err != nil {
		return fmt.Errorf("keep the transcript: %w", err)
	}
	return nil
}
