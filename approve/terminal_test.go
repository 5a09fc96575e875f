package approve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"go.uber.org/goleak"

	"github.com/toolrest/toolrest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// person is the other side of the terminal: it waits for the prompt, then
// types.
type person struct {
	t      *testing.T
	master *os.File
	seen   *bufio.Reader
}

func terminal(t *testing.T) (*Terminal, *person) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close(); master.Close() })
	return &Terminal{tty: slave}, &person{t: t, master: master, seen: bufio.NewReader(master)}
}

func (p *person) waitForPrompt() string {
	p.t.Helper()
	var shown strings.Builder
	for !strings.HasSuffix(shown.String(), "[y/N] ") {
		b, err := p.seen.ReadByte()
		if err != nil {
			p.t.Fatalf("after %q: %v", shown.String(), err)
		}
		shown.WriteByte(b)
	}
	return shown.String()
}

func (p *person) types(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.master, s); err != nil {
		p.t.Fatal(err)
	}
}

func request(args string) Request {
	return Request{
		Call: &toolrest.Call{
			Tool: "exec", Args: []byte(args),
			Caller: toolrest.Caller{Agent: "main", Surface: toolrest.SurfaceCLI},
		},
		Why: "tools.exec.ask is 'always'",
	}
}

type outcome struct {
	verdict Verdict
	err     error
}

func ask(ctx context.Context, term *Terminal, r Request) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		v, err := term.Ask(ctx, r)
		done <- outcome{v, err}
	}()
	return done
}

func TestAnswers(t *testing.T) {
	for typed, allowed := range map[string]bool{
		"y\n": true, "YES\n": true, " y \n": true, "n\n": false, "\n": false, "yess\n": false, "ok\n": false, "\x04": false,
	} {
		term, p := terminal(t)
		done := ask(t.Context(), term, request(`{"command":"ls"}`))
		p.waitForPrompt()
		p.types(typed)
		if got := <-done; got.verdict.Allowed != allowed {
			t.Errorf("typed %q: %+v", typed, got)
		}
	}
}

func TestTypedAheadDoesNotAnswer(t *testing.T) {
	term, p := terminal(t)
	p.types("y\n")
	done := ask(t.Context(), term, request(`{"command":"rm -rf /"}`))
	p.waitForPrompt()
	p.types("n\n")
	if got := <-done; got.verdict.Allowed {
		t.Error("an answer from before the question was taken")
	}
}

func TestCancelEndsTheQuestion(t *testing.T) {
	term, p := terminal(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := ask(ctx, term, request(`{"command":"ls"}`))
	p.waitForPrompt()
	cancel()
	if got := <-done; !errors.Is(got.err, context.Canceled) || got.verdict.Allowed {
		t.Fatalf("%+v", got)
	}
	// The terminal is usable again.
	done = ask(t.Context(), term, request(`{"command":"ls"}`))
	p.waitForPrompt()
	p.types("y\n")
	if got := <-done; !got.verdict.Allowed {
		t.Errorf("%+v", got)
	}
}

func TestTheQuestionCannotBeRepainted(t *testing.T) {
	text, err := question(request(`{"command":"evil\u001b[2K\rls\u202e","note":"\u0007"}`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text, "\x1b\r\x07\u202e") {
		t.Errorf("control characters reach the terminal: %q", text)
	}
	if !strings.Contains(text, `\u001b[2K`) || !strings.Contains(text, "note") {
		t.Errorf("the question hides what was asked: %s", text)
	}
}

func TestTooLongToShow(t *testing.T) {
	term, _ := terminal(t)
	_, err := term.Ask(t.Context(), request(`{"command":"`+strings.Repeat("x", maxShown+1)+`"}`))
	if err == nil || !strings.Contains(err.Error(), "too long to be shown") {
		t.Errorf("err = %v", err)
	}
}

func TestNobody(t *testing.T) {
	if v, err := (Nobody{}).Ask(t.Context(), request(`{}`)); !errors.Is(err, ErrNobody) || v.Allowed {
		t.Errorf("%+v, %v", v, err)
	}
}
