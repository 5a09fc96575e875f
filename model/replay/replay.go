package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/toolrest/toolrest/model"
)

// Error says what is wrong with a recording, or with how a conversation
// follows it.
type Error struct {
	File string
	Line int // 0 is the file as a whole
	Text string
	Hint string
}

// Error gives file:line: what is wrong, and on a line of its own what to do.
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	text := at + ": " + e.Text
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	return text
}

// Options refine a recording. The zero value plays as fast as it is read.
type Options struct {
	// Paced keeps the pauses of the recording.
	Paced bool
}

// Recording is a recorded conversation. It is a [model.Model], keeps no state
// between turns, and is safe for use by several goroutines.
type Recording struct {
	file   string
	opts   Options
	header Header
	turns  []turn
	last   int // the last line
}

var _ model.Model = (*Recording)(nil)

// maxFile bounds a recording, in bytes.
const maxFile = 16 << 20

// Open reads a recording whole. The error is an [*Error] with file and line;
// it wraps nothing but says what to do.
func Open(file string, opts *Options) (*Recording, error) {
	src, err := readFile(file)
	if err != nil {
		return nil, err
	}
	r := &Recording{file: file}
	if opts != nil {
		r.opts = *opts
	}
	r.header, r.turns, r.last, err = parse(src)
	if err != nil {
		return nil, &Error{File: file, Line: r.last, Text: err.Error(), Hint: "record it again, or mend the line: the format is in the documentation of package model/replay"}
	}
	return r, nil
}

func readFile(file string) ([]byte, error) {
	const hint = "give the path of a recording: --model replay:FILE"
	// O_NONBLOCK keeps a named pipe from holding us here.
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	var at *fs.PathError
	if errors.As(err, &at) {
		return nil, &Error{File: file, Text: at.Err.Error(), Hint: hint}
	} else if err != nil {
		return nil, &Error{File: file, Text: err.Error(), Hint: hint}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, &Error{File: file, Text: err.Error(), Hint: hint}
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: file, Text: "this is no regular file", Hint: hint}
	}
	src, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, &Error{File: file, Text: err.Error(), Hint: hint}
	}
	if len(src) > maxFile {
		return nil, &Error{File: file, Text: fmt.Sprintf("this is larger than any recording, %d MiB", maxFile>>20), Hint: hint}
	}
	return bytes.TrimPrefix(src, []byte("\ufeff")), nil
}

// Header is what the recording says of itself.
func (r *Recording) Header() Header { return r.header }

// File is the path that it was opened with.
func (r *Recording) File() string { return r.file }

// Stream plays the turn that the conversation has come to: see [model.Model].
// Which one that is follows from the number of assistant messages in it.
func (r *Recording) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		t, err := r.next(req.Messages)
		if err != nil {
			yield(nil, r.fail(model.KindReplay, err, nil))
			return
		}
		p := player{ctx: ctx, yield: yield, draft: model.Draft{From: r.ref().String()}}
		if r.opts.Paced {
			p.delay = r.header.Delay()
		}
		if p.play(t); p.left {
			return
		}
		if err := ctx.Err(); err != nil {
			yield(nil, r.fail(model.KindCancelled, err, p.draft.Partial()))
			return
		}
		yield(model.Done{Message: p.draft.Message(), Stop: t.done.Stop, Usage: t.done.Usage}, nil)
	}
}

func (r *Recording) ref() model.Ref { return model.Ref{Provider: model.Replay, Model: r.file} }

func (r *Recording) fail(kind model.Kind, err error, partial *model.Message) *model.Error {
	e := &model.Error{Kind: kind, Provider: model.Replay, Model: r.file, Message: "cancelled", Partial: partial, Err: err}
	var wrong *Error
	if errors.As(err, &wrong) {
		e.Message, e.Hint = fmt.Sprintf("line %d: %s", wrong.Line, wrong.Text), wrong.Hint
	}
	return e
}

// player yields the pieces of one turn.
type player struct {
	ctx   context.Context
	yield func(model.Event, error) bool
	draft model.Draft
	delay time.Duration
	left  bool
}

func (p *player) play(t *turn) {
	for _, piece := range t.pieces {
		switch piece.kind {
		case model.BlockText:
			for _, word := range strings.SplitAfter(piece.text, " ") {
				p.tell(func() model.Event { return p.draft.Text(word) })
			}
		case model.BlockThinking:
			for _, word := range strings.SplitAfter(piece.text, " ") {
				p.tell(func() model.Event { return p.draft.Thinking(word) })
			}
		case model.BlockCall:
			c := t.calls[piece.call]
			p.tell(func() model.Event { return p.draft.Call(c.ID, c.Name) })
			if len(c.Args) > 0 {
				p.tell(func() model.Event { return p.draft.Args(c.ID, string(c.Args)) })
			}
		}
	}
}

// tell waits, makes a piece and yields it, unless the turn is over.
func (p *player) tell(make func() model.Event) {
	if p.left || p.ctx.Err() != nil {
		return
	}
	if p.delay > 0 {
		timer := time.NewTimer(p.delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-p.ctx.Done():
			return
		}
	}
	p.left = !p.yield(make(), nil)
}
