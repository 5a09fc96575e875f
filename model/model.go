package model

import (
	"context"
	"encoding/json"
	"iter"
)

// Model takes one turn: it reads the conversation and writes the next
// assistant message.
//
// Stream sends the request when it is ranged over, each time anew. It yields
// events with a nil error; the last one is a [Done]. When something fails, it
// yields one nil event with the error, which is an [*Error], and ends: what
// had arrived was yielded before and is in Error.Partial too. Leaving the
// loop early ends the exchange. Stream does not change the request and may be
// called by several goroutines.
type Model interface {
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// Request is all that a model sees in one turn.
type Request struct {
	// System is the system prompt. Empty sends none.
	System string
	// Messages are the conversation so far. [Arrange] says what is accepted.
	Messages []Message
	// Tools are what the model may call, in the order in which it sees them.
	Tools []Tool
	// MaxTokens bounds the answer, thinking included. 0 leaves it to the
	// client, whose package says what it then asks for.
	MaxTokens int
}

// Tool describes a tool to a model.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the arguments. Its bytes are sent as they
	// are. Empty stands for an object without properties.
	Schema json.RawMessage
}
