package approve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Terminal asks on a terminal, one question at a time.
type Terminal struct {
	tty *os.File
	// turn is taken by the question that is on the screen.
	turn chan struct{}
	// takenBack is set when the last question went away unanswered: an answer
	// to it may still be on its way. It belongs to who has the turn.
	takenBack bool
}

// OpenTerminal takes the terminal that controls this process. It fails where
// there is none.
func OpenTerminal() (*Terminal, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	return newTerminal(tty), nil
}

func newTerminal(tty *os.File) *Terminal {
	return &Terminal{tty: tty, turn: make(chan struct{}, 1)}
}

// Close gives the terminal back.
func (t *Terminal) Close() error { return t.tty.Close() }

// Ask shows the call and reads one line: y or yes allows, all else does not.
// It refuses to ask what does not fit on the screen.
func (t *Terminal) Ask(ctx context.Context, request Request) (Verdict, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return Verdict{}, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	text, err := question(request, t.size())
	if err != nil {
		return Verdict{}, err
	}
	stop, err := t.interruptible(ctx)
	if err != nil {
		return Verdict{}, err
	}
	defer stop()
	if t.takenBack {
		const warn = "\nThe question before this one was taken back. Press Enter to see the next one. "
		if _, err := t.put(ctx, warn); err != nil {
			return Verdict{}, err
		}
		t.takenBack = false
	}
	line, err := t.put(ctx, text)
	if err != nil {
		return Verdict{}, err
	}
	return verdict(line), nil
}

// put shows a question and reads the line that answers it.
func (t *Terminal) put(ctx context.Context, text string) (string, error) {
	if err := t.discard(); err != nil {
		return "", err
	}
	if _, err := io.WriteString(t.tty, text); err != nil {
		return "", fmt.Errorf("ask on the terminal: %w", err)
	}
	line, err := t.readLine()
	if ctx.Err() != nil {
		t.takenBack = true
		text := "\nno longer needed: the call was cancelled\n"
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			text = "\nnobody answered in time: refused\n"
		}
		_, _ = io.WriteString(t.tty, text)
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	return line, nil
}

// size is that of the screen, or the usual one where it does not say.
func (t *Terminal) size() screen {
	if width, height := windowSize(t.tty); width > 0 && height > 0 {
		return screen{width, height}
	}
	return screen{80, 24}
}

func verdict(line string) Verdict {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return Verdict{Allowed: true}
	}
	return Verdict{Reason: "the person at the terminal said no"}
}

// interruptible makes a pending read end when ctx does.
func (t *Terminal) interruptible(ctx context.Context) (stop func(), err error) {
	if err := t.tty.SetReadDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("use the terminal: %w", err)
	}
	done := context.AfterFunc(ctx, func() { _ = t.tty.SetReadDeadline(time.Unix(1, 0)) })
	return func() { done() }, nil
}

// discard drops what was typed before the question was there to be read: a
// stray y must not answer it.
func (t *Terminal) discard() error {
	return flushInput(t.tty)
}

// readLine reads byte by byte, so that nothing behind the line is taken.
func (t *Terminal) readLine() (string, error) {
	var line []byte
	buf := make([]byte, 1)
	for {
		n, err := t.tty.Read(buf)
		if n == 1 && buf[0] == '\n' {
			return string(line), nil
		}
		if n == 1 && len(line) < 1024 {
			line = append(line, buf[0])
		}
		if err != nil {
			return "", err
		}
	}
}
