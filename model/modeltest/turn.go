package modeltest

import (
	"encoding/json"
	"net/http"
	"testing"
)

// Key is the key that the servers accept.
const Key = "test-key-of-no-value"

// Turn is one answer of a script.
type Turn struct {
	// Thinking comes first, signed on the Anthropic wire. Redacted is
	// thinking that only the server can read (Anthropic only).
	Thinking string
	Redacted string
	Text     string
	Calls    []Call
	// Stop is "" for what the content says, or "length", "refused" or "pause"
	// (Anthropic only).
	Stop string
	// Repeat lets the last turn of a script answer all further requests too.
	Repeat bool
	// Fault, when set, spoils the answer.
	Fault *Fault
	// Expect, when set, sees the request before the answer begins. It runs on
	// a goroutine of the server's: use t.Error, not t.Fatal.
	Expect func(t testing.TB, req *Request)
}

// Call is a tool that the scripted model asks for. Args go out as they are,
// also when they are no JSON.
type Call struct{ ID, Name, Args string }

// FaultKind says in which way an answer is spoilt.
type FaultKind int

// The faults.
const (
	// FaultStatus answers with Status and the API's error body.
	FaultStatus FaultKind = iota
	// FaultHTML answers with a page, and Status or 200.
	FaultHTML
	// FaultDrop cuts the connection after some events.
	FaultDrop
	// FaultHang sends nothing more after some events, until the client leaves.
	FaultHang
	// FaultInStream sends an error event after some events.
	FaultInStream
	// FaultEnd ends the stream in good order after some events.
	FaultEnd
	// FaultGarbage sends an event that is no JSON after some events.
	FaultGarbage
	// FaultWhole answers with one JSON value although a stream was asked for.
	FaultWhole
	// FaultRedirect sends the client on to Location.
	FaultRedirect
)

// Fault is one way for an answer to go wrong.
type Fault struct {
	Kind FaultKind
	// After is the number of events that come before, where some do.
	After int
	// Status, Type, Message and RetryAfter are the error's. An empty Type or
	// Message is what the API says with that status.
	Status     int
	Type, Code string
	Message    string
	RetryAfter string
	Location   string
}

// Request is what a server was sent, as far as tests ask.
type Request struct {
	Header http.Header
	Body   []byte
	Model  string
	Stream bool
	System string
	Tools  []Tool
	// User is the text of the last user message, results not counted.
	User string
	// Results answer the calls of the last assistant message.
	Results []Result
	// Images counts those of the last user message, results included.
	Images int
}

// Tool is a tool as the model sees it. The schema has the bytes that came.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Result is the result of a call.
type Result struct {
	ID, Name string
	Text     string
	IsError  bool // Anthropic only
}
