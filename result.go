package toolrest

import (
	"encoding/json"
	"strings"
)

// ContentKind says what a block of content is.
type ContentKind string

// The kinds of content.
const (
	ContentText     ContentKind = "text"
	ContentImage    ContentKind = "image"
	ContentAudio    ContentKind = "audio"
	ContentResource ContentKind = "resource" // a link (URI) or, with Text or Data, the thing itself
)

// Content is one block of a result. Which fields matter depends on Kind.
type Content struct {
	Kind ContentKind `json:"kind"`
	Text string      `json:"text,omitempty"`
	Data []byte      `json:"data,omitempty"`
	MIME string      `json:"mime,omitempty"`
	URI  string      `json:"uri,omitempty"`
	Name string      `json:"name,omitempty"`
}

// Text is a block of text.
func Text(s string) Content { return Content{Kind: ContentText, Text: s} }

// Image is a block that holds an image of the given media type.
func Image(data []byte, mime string) Content {
	return Content{Kind: ContentImage, Data: data, MIME: mime}
}

// Result is a tool's answer to one call. Every call has exactly one.
type Result struct {
	Content []Content `json:"content"`
	// Structured is a JSON value for programs, matching the tool's output
	// schema where it has one.
	Structured json.RawMessage `json:"structured,omitempty"`
	// Details are for people and logs; no model sees them.
	Details any `json:"details,omitempty"`
	// IsError marks a failed call; the content says what went wrong.
	IsError bool `json:"isError,omitempty"`
	// Refusal is set when the call did not run to its end: it was refused,
	// aborted, or failed. IsError is then set too.
	Refusal *Refusal `json:"refusal,omitempty"`
}

// TextResult is a result with one block of text.
func TextResult(s string) *Result { return &Result{Content: []Content{Text(s)}} }

// AllText joins the text blocks of r with a line break.
func (r *Result) AllText() string {
	var parts []string
	for _, c := range r.Content {
		if c.Kind == ContentText {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}
