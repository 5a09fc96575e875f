package adapt

import (
	"encoding/json"
	"sync"
)

// Result is a schema in the form of a target. It is shared and must not be
// changed.
type Result struct {
	// Schema goes to the provider; nil when there is a fault.
	Schema json.RawMessage
	// Strict is its strict form; nil where it has none, or none was asked for.
	// A request is strict when each of its tools has one.
	Strict json.RawMessage
	// Note is a line for the tool's description: the combinations of arguments
	// that the original schema allows and this one does not tell. Often empty.
	Note string
	// Fault is why the tool must be left out of the request.
	Fault *Fault
}

// Adapter adapts schemas to one target and remembers the results. It is safe
// for use by several goroutines.
type Adapter struct {
	target Target
	kind   Kind

	mu    sync.RWMutex
	known map[identity]*Result // guarded by mu
}

// identity is a schema's place in memory. Schemas are immutable, and the cache
// keeps those that it knows alive.
type identity struct {
	first *byte
	size  int
}

// maxKnown is how many schemas an adapter remembers before it begins anew.
const maxKnown = 8192

// New makes an adapter for a target.
func New(t Target) *Adapter {
	return &Adapter{target: t, kind: t.Kind(), known: map[identity]*Result{}}
}

// Target is what the adapter was made for.
func (a *Adapter) Target() Target { return a.target }

// Adapt gives the form of a schema for the adapter's target. Absent text is a
// schema of no arguments. The text must not be changed later. The same text, in
// the same place of memory, gives the same result without work.
func (a *Adapter) Adapt(raw json.RawMessage) *Result {
	if len(raw) == 0 {
		raw = noArguments
	}
	id := identity{&raw[0], len(raw)}
	a.mu.RLock()
	r := a.known[id]
	a.mu.RUnlock()
	if r != nil {
		return r
	}
	r = build(raw, a.target, a.kind)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= maxKnown {
		clear(a.known)
	}
	a.known[id] = r
	return r
}

var noArguments = json.RawMessage(`{"type":"object","properties":{}}`)

// Adapt gives the form of a schema for a target. It remembers nothing.
func Adapt(raw json.RawMessage, t Target) *Result {
	if len(raw) == 0 {
		raw = noArguments
	}
	return build(raw, t, t.Kind())
}
