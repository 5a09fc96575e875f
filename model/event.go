package model

// Event is one thing that a stream tells: [TextDelta], [ThinkingDelta],
// [CallStarted], [ArgsDelta] or [Done].
type Event interface{ event() }

// TextDelta is more of the answer's text.
type TextDelta struct{ Text string }

// ThinkingDelta is more of what the model lets us see of its thinking.
type ThinkingDelta struct{ Text string }

// CallStarted says that the model began to write a call.
type CallStarted struct{ ID, Name string }

// ArgsDelta is more of the arguments of the call with this ID. A piece may
// end anywhere in the JSON text, also inside an escape.
type ArgsDelta struct{ ID, Text string }

// Done ends a turn.
type Done struct {
	Message Message
	Stop    Stop
	// Detail says more about Stop in the provider's words, where it gave any.
	Detail string
	Usage  Usage
}

func (TextDelta) event()     {}
func (ThinkingDelta) event() {}
func (CallStarted) event()   {}
func (ArgsDelta) event()     {}
func (Done) event()          {}

// Stop says why a turn ended.
type Stop string

// The reasons.
const (
	StopEnd     Stop = "end"     // the model has answered
	StopCalls   Stop = "calls"   // it waits for the results of its calls
	StopLength  Stop = "length"  // a limit of tokens cut it off; a last call may be cut too
	StopRefused Stop = "refused" // the model or its provider declines to answer
	StopPause   Stop = "pause"   // the provider paused a long turn: send the conversation again as it is
)

// Usage counts tokens.
type Usage struct {
	// Input is the whole prompt, including what the cache gave or took.
	Input int64 `json:"input"`
	// CacheRead and CacheWrite are the parts of Input that came from the
	// provider's cache and went into it.
	CacheRead  int64 `json:"cacheRead,omitempty"`
	CacheWrite int64 `json:"cacheWrite,omitempty"`
	// Output is the whole answer, thinking included.
	Output int64 `json:"output"`
}

// Settle makes stop fit the message: servers differ in what they say after
// calls. A reason other than [StopEnd] and [StopCalls] stays.
func (s Stop) Settle(m Message) Stop {
	switch calls := len(m.Calls()) > 0; {
	case s == StopEnd && calls:
		return StopCalls
	case s == StopCalls && !calls:
		return StopEnd
	}
	return s
}
