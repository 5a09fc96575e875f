package toolrest

import (
	"context"
	"encoding/json"
)

// Tool is something that an agent can use: a descriptor and what runs.
type Tool struct {
	Descriptor
	// Executor carries out the calls. A tool without one can be described but
	// never planned: a visible tool is a callable tool.
	Executor Executor
}

// Descriptor is everything that may be known of a tool without running it.
// It is a value and treated as immutable once it is registered.
type Descriptor struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description"`
	// InputSchema is a JSON Schema object for the arguments. Its bytes, and so
	// the order of its keys, reach the model unchanged unless its provider
	// needs another form.
	InputSchema json.RawMessage `json:"inputSchema"`
	// OutputSchema describes Result.Structured, where there is any.
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Owner        Owner           `json:"owner"`
	// Ref names what will run. The registry derives it from the owner.
	Ref ExecutorRef `json:"executor"`
	// Availability says when the tool can work at all. Nil is always.
	Availability *Availability `json:"availability,omitempty"`
	// SortKey places the tool in listings, before its name. Nil sorts by name.
	SortKey *string `json:"sortKey,omitempty"`
}

// OwnerKind says where a tool comes from.
type OwnerKind string

// The owners of tools.
const (
	OwnerCore    OwnerKind = "core"    // built into Toolrest
	OwnerPlugin  OwnerKind = "plugin"  // a plugin's
	OwnerChannel OwnerKind = "channel" // a chat channel's
	OwnerMCP     OwnerKind = "mcp"     // an MCP server's
	OwnerSDK     OwnerKind = "sdk"     // registered by the program that embeds the library
)

// Owner is who brought a tool. ID is the plugin, channel or server; it is
// empty for core tools.
type Owner struct {
	Kind OwnerKind `json:"kind"`
	ID   string    `json:"id,omitempty"`
}

// ExecutorRef names an executor without holding it, so that a plan can be
// printed, compared and sent.
type ExecutorRef struct {
	Kind OwnerKind `json:"kind"`
	ID   string    `json:"id,omitempty"`
	Tool string    `json:"tool"`
}

// IsZero reports whether r names nothing.
func (r ExecutorRef) IsZero() bool { return r == ExecutorRef{} }

// String gives kind:tool for core and kind:id:tool for all others.
func (r ExecutorRef) String() string {
	switch {
	case r.IsZero():
		return ""
	case r.ID == "":
		return string(r.Kind) + ":" + r.Tool
	}
	return string(r.Kind) + ":" + r.ID + ":" + r.Tool
}

// Executor does a tool's work.
//
// Execute must honour ctx: when it ends, whatever the call started ends too.
// An error is the world's answer and becomes an error result that the model
// reads; a panic is caught by dispatch and becomes one as well. Execute may be
// called by several goroutines at once.
type Executor interface {
	Execute(ctx context.Context, call *Call) (*Result, error)
}

// Handler is an executor that is a function.
type Handler func(ctx context.Context, call *Call) (*Result, error)

// Execute calls h.
func (h Handler) Execute(ctx context.Context, call *Call) (*Result, error) { return h(ctx, call) }

// Middleware wraps the execution of calls that were already admitted. It can
// add effects around a call; it cannot admit one.
type Middleware func(Handler) Handler
