package model

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Draft grows an assistant message out of the pieces of a stream. Each method
// that adds a piece gives the event that tells of it. The zero value is ready.
// It is for one goroutine.
type Draft struct {
	// From becomes the message's From.
	From string
	// Taken are identifiers of earlier calls of the conversation, which a new
	// call does not get.
	Taken map[string]bool

	pieces []*piece
	calls  map[string]*piece
	fresh  int
}

type piece struct {
	block  Block
	text   strings.Builder // of text and thinking, or the arguments of a call
	closed bool
}

// Text adds to the text at the end, or begins a new block of it.
func (d *Draft) Text(s string) TextDelta {
	d.open(BlockText).text.WriteString(s)
	return TextDelta{s}
}

// Thinking adds to the thinking at the end, or begins a new block of it.
func (d *Draft) Thinking(s string) ThinkingDelta {
	d.open(BlockThinking).text.WriteString(s)
	return ThinkingDelta{s}
}

// Sign adds to the signature of the thinking at the end.
func (d *Draft) Sign(signature string) {
	d.open(BlockThinking).block.Signature += signature
}

// Redact adds a block of thinking that only the provider can read.
func (d *Draft) Redact(data string) {
	d.Break()
	d.open(BlockThinking).block.Redacted = data
	d.Break()
}

// Call begins a call. An id that is empty or taken is replaced, so the id to
// use from then on is the event's.
func (d *Draft) Call(id, name string) CallStarted {
	d.Break()
	id = d.unique(id)
	p := &piece{block: Block{Kind: BlockCall, Call: &Call{ID: id, Name: name}}}
	d.pieces = append(d.pieces, p)
	if d.calls == nil {
		d.calls = map[string]*piece{}
	}
	d.calls[id] = p
	return CallStarted{id, name}
}

// Args adds to the arguments of the call that began with this id. It panics
// when no call did.
func (d *Draft) Args(id, text string) ArgsDelta {
	p := d.calls[id]
	if p == nil {
		panic(fmt.Sprintf("model: Draft.Args for the unknown call %q", id))
	}
	p.text.WriteString(text)
	return ArgsDelta{id, text}
}

// Break ends the block at the end: a piece that follows begins a new one.
func (d *Draft) Break() {
	if n := len(d.pieces); n > 0 {
		d.pieces[n-1].closed = true
	}
}

// Empty reports whether nothing has been added.
func (d *Draft) Empty() bool { return len(d.pieces) == 0 }

// Message gives what there is so far.
func (d *Draft) Message() Message {
	m := Message{Role: RoleAssistant, From: d.From}
	for _, p := range d.pieces {
		b := p.block
		if b.Kind == BlockCall {
			call := *b.Call
			if p.text.Len() > 0 {
				call.Args = json.RawMessage(p.text.String())
			}
			b.Call = &call
		} else {
			b.Text = p.text.String()
		}
		m.Blocks = append(m.Blocks, b)
	}
	return m
}

// Partial is Message, or nil when nothing has been added.
func (d *Draft) Partial() *Message {
	if d.Empty() {
		return nil
	}
	m := d.Message()
	return &m
}

func (d *Draft) open(kind BlockKind) *piece {
	if n := len(d.pieces); n > 0 && !d.pieces[n-1].closed && d.pieces[n-1].block.Kind == kind {
		return d.pieces[n-1]
	}
	d.Break()
	p := &piece{block: Block{Kind: kind}}
	d.pieces = append(d.pieces, p)
	return p
}

func (d *Draft) unique(id string) string {
	for id == "" || d.Taken[id] || d.calls[id] != nil {
		d.fresh++
		id = fmt.Sprintf("call_%d", len(d.Taken)+d.fresh)
	}
	return id
}

// TakenIDs gives the identifiers of all calls in messages, for [Draft.Taken].
func TakenIDs(messages []Message) map[string]bool {
	taken := map[string]bool{}
	for _, m := range messages {
		for _, c := range m.Calls() {
			taken[c.ID] = true
		}
	}
	return taken
}
