package approve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// maxShown is the longest question, in bytes. What a person cannot read, a
// person cannot approve: a longer call is refused.
const maxShown = 16 << 10

// Terminal asks on a terminal, one question at a time.
type Terminal struct {
	mu  sync.Mutex // one question at a time
	tty *os.File
}

// OpenTerminal takes the terminal that controls this process. It fails where
// there is none.
func OpenTerminal() (*Terminal, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("open the terminal: %w", err)
	}
	return &Terminal{tty: tty}, nil
}

// Close gives the terminal back.
func (t *Terminal) Close() error { return t.tty.Close() }

// Ask shows the call and reads one line: y or yes allows, all else does not.
func (t *Terminal) Ask(ctx context.Context, request Request) (Verdict, error) {
	text, err := question(request)
	if err != nil {
		return Verdict{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	stop, err := t.interruptible(ctx)
	if err != nil {
		return Verdict{}, err
	}
	defer stop()
	if err := t.discard(); err != nil {
		return Verdict{}, err
	}
	if _, err := io.WriteString(t.tty, text); err != nil {
		return Verdict{}, fmt.Errorf("ask on the terminal: %w", err)
	}
	line, err := t.readLine()
	if ctx.Err() != nil {
		_, _ = io.WriteString(t.tty, "\nno longer needed\n")
		return Verdict{}, ctx.Err()
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("read the answer: %w", err)
	}
	return verdict(line), nil
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

// question puts the call in words. Everything that came from a model is shown
// without control characters, so that it cannot repaint the question.
func question(request Request) (string, error) {
	body, err := body(request)
	if err != nil {
		return "", err
	}
	if len(body) > maxShown {
		return "", fmt.Errorf("the call is too long to be shown for approval: %d bytes, at most %d", len(body), maxShown)
	}
	var b strings.Builder
	who := request.Call.Caller
	fmt.Fprintf(&b, "\nThe agent %s (%s) wants to use %s:\n\n", printable(who.Agent), who.Surface, printable(request.Call.Tool))
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteString("    " + printable(line) + "\n")
	}
	if request.Why != "" {
		fmt.Fprintf(&b, "\nAsked because %s.\n", printable(request.Why))
	}
	b.WriteString("Allow it once? [y/N] ")
	return b.String(), nil
}

// body is the command alone where the call has nothing else, and the whole
// arguments otherwise.
func body(request Request) (string, error) {
	args, err := request.Call.Object()
	if err != nil {
		return "", err
	}
	if command, ok := args["command"].(string); ok && len(args) == 1 {
		return command, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(args); err != nil {
		return "", errors.New("the arguments cannot be shown")
	}
	return strings.TrimSuffix(buf.String(), "\n"), nil
}

// printable replaces what a terminal would obey, or a reader would not see.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' || unicode.IsPrint(r) && !unicode.Is(unicode.Bidi_Control, r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}
