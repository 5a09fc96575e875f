// Package approve asks a person whether a call may run. It knows how to put
// the question and how to read the answer; whether a call needs one is not its
// business. Silence, an unreadable answer and a broken terminal all mean no.
package approve

import (
	"context"
	"errors"

	"github.com/toolrest/toolrest"
)

// Request is one question.
type Request struct {
	Call *toolrest.Call
	// Why says which rule asks, and where it stands.
	Why string
}

// Verdict is the answer. Reason may hold what the person said.
type Verdict struct {
	Allowed bool
	Reason  string
}

// Approver puts a request to somebody.
//
// Ask blocks until there is an answer or ctx ends. [ErrNobody] means that
// nobody can be asked here at all. Several calls may ask at once.
type Approver interface {
	Ask(ctx context.Context, request Request) (Verdict, error)
}

// ErrNobody is the answer where nobody can be asked.
var ErrNobody = errors.New("nobody can be asked here")

// Nobody is the approver of a process without a terminal.
type Nobody struct{}

// Ask refuses with [ErrNobody].
func (Nobody) Ask(context.Context, Request) (Verdict, error) { return Verdict{}, ErrNobody }
