package model

import (
	"fmt"
	"strings"
	"time"
)

// Kind classes what went wrong. The values are stable: programs branch on them.
type Kind string

// The kinds of errors.
const (
	KindRequest   Kind = "request"   // the request is not acceptable as it is
	KindAuth      Kind = "auth"      // no key, a wrong one, or one without the right
	KindQuota     Kind = "quota"     // the account has no money or no quota left
	KindNotFound  Kind = "not-found" // no such model, or no such path
	KindContext   Kind = "context"   // the conversation is too long for the model
	KindRate      Kind = "rate"      // too many requests
	KindServer    Kind = "server"    // the server failed or is overloaded
	KindNotAPI    Kind = "not-api"   // the answer does not look like a model API's
	KindConnect   Kind = "connect"   // no connection came about
	KindDropped   Kind = "dropped"   // the stream broke off half-way
	KindIdle      Kind = "idle"      // nothing arrived for too long
	KindOversized Kind = "oversized" // the answer is longer than any answer should be
	KindCancelled Kind = "cancelled" // the caller's context ended
	KindReplay    Kind = "replay"    // a recording is damaged, over, or does not fit
)

// Error is why a turn failed. Its text says what happened and what to do, and
// holds no key.
type Error struct {
	Kind     Kind
	Provider string
	Model    string
	// Status is the HTTP status, or 0 where none came.
	Status int
	// Type is the class in the server's own words: "rate_limit_error".
	Type string
	// Message says what happened, with the server's words made safe to print.
	Message string
	// RetryAfter is how long the server asks to wait, or 0. It is at most a day.
	RetryAfter time.Duration
	// Retryable says whether the same request may succeed later.
	Retryable bool
	// Hint says what to do.
	Hint string
	// Partial is what had arrived before the error, or nil. Its last call may
	// be cut off.
	Partial *Message
	// Err is the cause, where there is one. A cancelled turn's is the error of
	// the context.
	Err error
}

// Error gives what happened, and on a line of its own what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(Ref{e.Provider, e.Model}.String())
	b.WriteString(": ")
	b.WriteString(e.Message)
	if e.Status != 0 || e.Type != "" {
		fmt.Fprintf(&b, " (%s)", strings.TrimSpace(fmt.Sprintf("%s %s", statusText(e.Status), e.Type)))
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, "\ntry again in %s", e.RetryAfter.Round(time.Millisecond))
	}
	if e.Hint != "" {
		b.WriteString("\n" + e.Hint)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf("status %d", status)
}
