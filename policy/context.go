package policy

import "github.com/toolrest/toolrest"

// Context is for whom and in which run a decision is made.
type Context struct {
	toolrest.Caller
	Run Run
	// Known are the plugins that exist. They decide whether an allow list is no
	// more than an opt-in.
	Known *Known
	// Sessions gives what is stored of a session by its key. Nil knows none.
	Sessions func(key string) (Session, bool)
}

// Run is what one run brings along beside its caller: its own gates. The zero
// value gates nothing.
type Run struct {
	// Allow is the run's own allow list; one that is set and empty leaves
	// nothing.
	Allow List
	// Message is set when the run needs the message tool, and Replies is its
	// way of delivery ("message_tool_only").
	Message bool
	Replies string
	// Heartbeat and ToolSearch are set when those tools are on.
	Heartbeat  bool
	ToolSearch bool
	// Flush is set for a run that only saves to the memory.
	Flush bool
	// Driver is what the turn answers: empty for the sender's own message,
	// DriverEvent for an event that nobody vouches for.
	Driver string
	// KeepWebSearch leaves web_search in although the model searches by itself.
	KeepWebSearch bool
	// SignedIn is set when credentials for the model's own search are stored.
	SignedIn bool
	// NoMessage is set for a run that gets no message tool.
	NoMessage bool
	// ReadOnly is set when the sandbox may not write into the workspace.
	ReadOnly bool
	// Active is the active set of the session, by exact names; nil is none,
	// and one that is empty leaves nothing.
	Active []string
	// Loopback is set for HTTP invocation by the agent's own machinery. In the
	// dialect OpenClaw it goes without the deny list of HTTP.
	Loopback bool
	// Requested are tools that a door was asked for by name.
	Requested []string
	// Exclude are exact names that whoever asks wants left out.
	Exclude []string
	// Also are further entries for the profile layers.
	Also []string
}

// DriverEvent marks a turn that only an untrusted event has started: nobody is
// its owner.
const DriverEvent = "event"

// Session is what a store knows of a session.
type Session struct {
	SpawnDepth     *int
	SpawnedBy      string
	Role           string // "main", "orchestrator" or "leaf", or empty
	ControlScope   string // "children" or "none", or empty
	InheritedAllow []string
	InheritedDeny  []string
}
