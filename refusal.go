package toolrest

import "strings"

// Code classes refusals. The values are stable: programs branch on them.
type Code string

// The classes of refusals.
const (
	CodeUnknown   Code = "unknown-tool"      // no tool has this name
	CodeHidden    Code = "unavailable"       // known, but it cannot work here and now
	CodeInactive  Code = "inactive"          // available, but not in this session's active set
	CodeDenied    Code = "denied"            // a policy layer removed it
	CodeApproval  Code = "needs-approval"    // somebody must agree first
	CodeDeclined  Code = "approval-declined" // somebody was asked and said no
	CodeArguments Code = "invalid-arguments" // the arguments do not fit the schema
	CodeLoop      Code = "loop"              // the same call again and again
	CodeAborted   Code = "aborted"           // cancelled or out of time
	CodeFailed    Code = "failed"            // the tool ran and failed
)

// Refusal says what was refused, why, and the smallest thing that would
// change it. It is an error and it is printable; the model, the user and the
// log read the same one.
type Refusal struct {
	Code Code   `json:"code"`
	Tool string `json:"tool"`
	// Reason is a sentence without the tool's name or an end mark.
	Reason string `json:"reason"`
	// Layer, Rule and Pos are set where a policy decided: the layer's label
	// (a config path), the entry as it was written, and its place.
	Layer string `json:"layer,omitempty"`
	Rule  string `json:"rule,omitempty"`
	Pos   Pos    `json:"pos,omitzero"`
	// Fix is for the person who runs the agent: what to change, and where.
	Fix string `json:"fix,omitempty"`
	// Nearest are visible tools whose names are close to an unknown one.
	Nearest []string `json:"nearest,omitempty"`
	// Retry tells the model whether the same call can succeed later.
	Retry bool `json:"retry"`
}

// Error gives the whole refusal in a few short lines.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Tool)
	b.WriteString(": ")
	b.WriteString(r.Reason)
	if p := r.Pos.String(); p != "" {
		b.WriteString(" (" + p + ")")
	}
	if len(r.Nearest) > 0 {
		b.WriteString("\ndid you mean: " + strings.Join(r.Nearest, ", ") + "?")
	}
	if r.Fix != "" {
		b.WriteString("\nto change it: " + r.Fix)
	}
	if !r.Retry {
		b.WriteString("\ndo not repeat this call unchanged")
	}
	return b.String()
}

// Result turns the refusal into the result of the call.
func (r *Refusal) Result() *Result {
	return &Result{Content: []Content{Text(r.Error())}, IsError: true, Refusal: r}
}
