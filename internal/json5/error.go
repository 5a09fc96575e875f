package json5

import (
	"fmt"
	"strings"
)

// Error is one thing that is wrong with a file.
type Error struct {
	File      string
	Line, Col int // 1-based; Col counts characters
	Offset    int // bytes; at most the size of the file
	// Path is the value that was being read: "tools.deny[1]".
	Path string
	Text string
	// Hint says what to write instead, where that is known.
	Hint string
}

// Error gives file:line:col: text.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Text)
}

// Errors is what [Parse] returns: one or more errors in the order of the
// file. errors.As finds the first as an [*Error].
type Errors []*Error

// Error gives one line for each error.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single errors.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}
