package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// RefusalKey is where a result's _meta holds the [toolrest.Refusal], for
// programs; the model reads the same in the result's text.
const RefusalKey = "toolrest/refusal"

// statelessVersion is the first version of the protocol without sessions.
const statelessVersion = "2026-07-28"

// callResult is the answer to tools/call. It is not the SDK's own type, which
// escapes and copies all text once more and cannot say that it is complete.
type callResult struct {
	sdk.ResultBase
	ResultType string          `json:"resultType,omitempty"`
	Content    []any           `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

// The blocks of a result's content.
type (
	textBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	mediaBlock struct {
		Type string `json:"type"`
		Data []byte `json:"data"`
		MIME string `json:"mimeType"`
	}
	linkBlock struct {
		Type string `json:"type"`
		URI  string `json:"uri"`
		Name string `json:"name"`
		MIME string `json:"mimeType,omitempty"`
	}
	embeddedBlock struct {
		Type     string   `json:"type"`
		Resource resource `json:"resource"`
	}
	resource struct {
		URI  string  `json:"uri"`
		MIME string  `json:"mimeType,omitempty"`
		Text *string `json:"text,omitempty"`
		Blob []byte  `json:"blob,omitempty"`
	}
)

// wireResult is what a client is told of a result. Details are not for it. A
// client of the versions before modern gets structured content only where it
// is an object: another value makes it drop the whole result.
func (s *Server) wireResult(r *toolrest.Result, modern bool) *callResult {
	out := &callResult{Content: make([]any, 0, len(r.Content)+1), IsError: r.IsError}
	for i := range r.Content {
		out.Content = append(out.Content, wireContent(&r.Content[i]))
	}
	if modern {
		out.ResultType = "complete"
	}
	if r.Refusal != nil {
		out.IsError = true
		out.Meta = sdk.Meta{RefusalKey: r.Refusal}
	}
	s.addStructured(out, r.Structured, modern)
	if len(out.Content) == 0 && out.IsError {
		out.Content = append(out.Content, text("the tool failed and did not say why"))
	}
	return out
}

// addStructured sets the structured content, and repeats it as text where the
// result has none, for the clients that look at nothing else.
func (s *Server) addStructured(out *callResult, raw json.RawMessage, modern bool) {
	if len(raw) == 0 {
		return
	}
	if !json.Valid(raw) {
		s.opts.Logger.Error("mcp: a result's structured content is not JSON and was left out")
		return
	}
	if modern || kindOf(raw) == "an object" {
		out.Structured = raw
	}
	if len(out.Content) == 0 {
		out.Content = append(out.Content, text(string(raw)))
	}
}

func wireContent(c *toolrest.Content) any {
	switch c.Kind {
	case toolrest.ContentText:
		return text(c.Text)
	case toolrest.ContentImage, toolrest.ContentAudio:
		return mediaBlock{Type: string(c.Kind), Data: orEmpty(c.Data), MIME: mediaType(c)}
	case toolrest.ContentResource:
		return wireResource(c)
	}
	return text(fmt.Sprintf("[content of the unknown kind %q was left out]", c.Kind))
}

// wireResource is a link when c holds nothing but the address, the thing
// itself otherwise. What has no address but is text is shown as text.
func wireResource(c *toolrest.Content) any {
	switch {
	case c.Text == "" && len(c.Data) == 0:
		name := c.Name
		if name == "" {
			name = c.URI
		}
		return linkBlock{Type: "resource_link", URI: c.URI, Name: name, MIME: c.MIME}
	case c.URI == "" && c.Text != "":
		return text(c.Text)
	}
	r := resource{URI: c.URI, MIME: c.MIME}
	if r.URI == "" {
		r.URI = "urn:toolrest:result" // the protocol wants an address
	}
	if c.Text != "" {
		r.Text = &c.Text
	} else {
		r.Blob = c.Data
	}
	return embeddedBlock{Type: "resource", Resource: r}
}

func text(s string) textBlock { return textBlock{Type: "text", Text: s} }

// orEmpty keeps a missing value from becoming null on the wire.
func orEmpty(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// mediaType is what the tool said, or else what the bytes look like.
func mediaType(c *toolrest.Content) string {
	if c.MIME != "" {
		return c.MIME
	}
	return http.DetectContentType(c.Data)
}
