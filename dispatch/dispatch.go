package dispatch

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/approve"
	"github.com/toolrest/toolrest/plan"
)

// Options say what a dispatcher works with.
type Options struct {
	// Plan gives the plan of a caller as it is now. It is required.
	Plan func(context.Context, toolrest.Caller) (*plan.Plan, error)
	// Asks says whether a person must agree to this call, and why. Nil asks
	// for nothing.
	Asks func(*toolrest.Call, *plan.Entry) (why Asked, ask bool)
	// Approver is asked then. Nil is [approve.Nobody].
	Approver approve.Approver
	// ApprovalTimeout is how long an answer may take; then it is no. Zero is
	// 120 seconds.
	ApprovalTimeout time.Duration
	// MaxText bounds the text of one result, in bytes. Zero is 256 KiB.
	MaxText int
	// MaxData bounds the images and other data of one result, in bytes. Zero
	// is 8 MiB.
	MaxData int
	// Middleware wraps the execution of admitted calls, the first outermost.
	Middleware []toolrest.Middleware
	// Observe gets a record of every call when it has ended. It must be quick.
	Observe func(context.Context, Record)
}

// Asked says why a person must agree, and what would make it unnecessary.
type Asked struct {
	Why string
	Pos toolrest.Pos
	Fix string
}

// Record is what became of one call.
type Record struct {
	Call    *toolrest.Call
	Tool    string // the resolved name
	Code    toolrest.Code
	IsError bool
	Took    time.Duration
}

// Dispatcher runs calls. It is immutable and safe for use by several
// goroutines.
type Dispatcher struct {
	opts    Options
	handler handler
}

// New makes a dispatcher. It panics when opts lacks Plan.
func New(opts Options) *Dispatcher {
	if opts.Plan == nil {
		panic("dispatch: Options.Plan is required")
	}
	if opts.Approver == nil {
		opts.Approver = approve.Nobody{}
	}
	if opts.ApprovalTimeout == 0 {
		opts.ApprovalTimeout = 120 * time.Second
	}
	if opts.MaxText == 0 {
		opts.MaxText = 256 << 10
	}
	if opts.MaxData == 0 {
		opts.MaxData = 8 << 20
	}
	d := &Dispatcher{opts: opts}
	d.handler = d.execute
	for _, s := range slices.Backward(d.order()) {
		d.handler = s(d.handler)
	}
	return d
}

// Dispatch runs one call to its end and gives its result, which is never nil.
// A call without an ID gets one. When ctx ends, the tool is cancelled and the
// result says so.
func (d *Dispatcher) Dispatch(ctx context.Context, call *toolrest.Call) *toolrest.Result {
	f := &flight{call: call, tool: call.Tool, named: call.ID == ""}
	if f.named {
		call.ID = "call_" + rand.Text()[:16]
	}
	return d.handler(ctx, f)
}

// flight is one call on its way.
type flight struct {
	call  *toolrest.Call
	tool  string      // the resolved name, once it is
	named bool        // the call had no identifier of its own
	plan  *plan.Plan  // the caller's, as it is now
	entry *plan.Entry // set when the call is admitted

	decision plan.Decision // what the plan says of the name
}

type (
	handler func(context.Context, *flight) *toolrest.Result
	step    func(handler) handler
)
