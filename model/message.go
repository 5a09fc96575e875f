package model

import (
	"encoding/json"
	"strings"

	"github.com/toolrest/toolrest"
)

// Role says who wrote a message.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleResults holds the results of the calls of the assistant message
	// before it.
	RoleResults Role = "results"
)

// Message is one entry of a conversation.
type Message struct {
	Role Role `json:"role"`
	// From is the reference of the model that wrote an assistant message.
	// Signed thinking goes back to that model only.
	From string `json:"from,omitempty"`
	// Paused marks an assistant message that its provider will go on with:
	// only such a one may end a conversation that is sent.
	Paused bool    `json:"paused,omitempty"`
	Blocks []Block `json:"blocks"`
}

// BlockKind says what a block is.
type BlockKind string

// The kinds of blocks. A user message holds text and images, an assistant
// message text, thinking and calls, and a results message results.
const (
	BlockText     BlockKind = "text"
	BlockImage    BlockKind = "image"
	BlockThinking BlockKind = "thinking"
	BlockCall     BlockKind = "call"
	BlockResult   BlockKind = "result"
)

// Block is a part of a message. Which fields matter depends on Kind.
type Block struct {
	Kind BlockKind `json:"kind"`
	Text string    `json:"text,omitempty"` // text and thinking
	Data []byte    `json:"data,omitempty"` // image
	MIME string    `json:"mime,omitempty"` // image
	// Signature vouches for thinking, and Redacted holds thinking that only
	// the provider can read. Both are opaque and go back as they came.
	Signature string  `json:"signature,omitempty"`
	Redacted  string  `json:"redacted,omitempty"`
	Call      *Call   `json:"call,omitempty"`
	Result    *Result `json:"result,omitempty"`
}

// Call is a tool that the model asks for.
type Call struct {
	// ID is unique in its message.
	ID   string
	Name string
	// Args are the arguments as the model wrote them. They may be empty, cut
	// off, or no JSON at all.
	Args json.RawMessage
}

// Result answers a call.
type Result struct {
	CallID  string             `json:"callId"`
	Name    string             `json:"name"`
	Content []toolrest.Content `json:"content"`
	IsError bool               `json:"isError,omitempty"`
}

// Text is a block of text.
func Text(s string) Block { return Block{Kind: BlockText, Text: s} }

// Image is a block with an image of the given media type.
func Image(data []byte, mime string) Block {
	return Block{Kind: BlockImage, Data: data, MIME: mime}
}

// User is a user message.
func User(blocks ...Block) Message { return Message{Role: RoleUser, Blocks: blocks} }

// Results is a message of results.
func Results(results ...Result) Message {
	m := Message{Role: RoleResults}
	for _, r := range results {
		m.Blocks = append(m.Blocks, Block{Kind: BlockResult, Result: &r})
	}
	return m
}

// Answer is the result of call that r gives. A nil r is an error result
// without text.
func (c Call) Answer(r *toolrest.Result) Result {
	if r == nil {
		return Result{CallID: c.ID, Name: c.Name, IsError: true}
	}
	return Result{CallID: c.ID, Name: c.Name, Content: r.Content, IsError: r.IsError}
}

// Calls gives the calls of m in order.
func (m Message) Calls() []Call {
	var out []Call
	for _, b := range m.Blocks {
		if b.Kind == BlockCall && b.Call != nil {
			out = append(out, *b.Call)
		}
	}
	return out
}

// Text joins the text blocks of m.
func (m Message) Text() string {
	var b strings.Builder
	for _, block := range m.Blocks {
		if block.Kind == BlockText {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}

// callJSON is how a call is stored: the arguments are a string, for only that
// holds what is cut off or no JSON, byte for byte.
type callJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"`
}

// MarshalJSON writes the arguments as a string.
func (c Call) MarshalJSON() ([]byte, error) {
	return json.Marshal(callJSON{c.ID, c.Name, string(c.Args)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Call) UnmarshalJSON(raw []byte) error {
	var j callJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	*c = Call{ID: j.ID, Name: j.Name}
	if j.Args != "" {
		c.Args = json.RawMessage(j.Args)
	}
	return nil
}
