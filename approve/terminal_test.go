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
	return newTerminal(slave), &person{t: t, master: master, seen: bufio.NewReader(master)}
}

func (p *person) waitForPrompt() string {
	p.t.Helper()
	var shown strings.Builder
	for !strings.HasSuffix(shown.String(), "[y/N] ") && !strings.HasSuffix(shown.String(), "the next one. ") {
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
	// The terminal is usable again. What was meant for the question that went
	// away does not answer the next one.
	done = ask(t.Context(), term, request(`{"command":"rm -rf /"}`))
	p.waitForPrompt()
	p.types("y\n")
	shown := p.waitForPrompt()
	if !strings.Contains(shown, "rm -rf /") {
		t.Errorf("the second question is %q", shown)
	}
	p.types("n\n")
	if got := <-done; got.verdict.Allowed {
		t.Errorf("an answer to the first question was taken for the second: %+v", got)
	}
}

func TestAQuestionThatWaitsCanBeCancelled(t *testing.T) {
	term, p := terminal(t)
	first := ask(t.Context(), term, request(`{"command":"ls"}`))
	p.waitForPrompt()
	ctx, cancel := context.WithCancel(t.Context())
	second := ask(ctx, term, request(`{"command":"pwd"}`))
	cancel()
	if got := <-second; !errors.Is(got.err, context.Canceled) {
		t.Errorf("%+v", got)
	}
	p.types("n\n")
	<-first
}

func TestTheQuestionCannotBeRepainted(t *testing.T) {
	text, err := question(request(`{"command":"evil\u001b[2K\rls\u202e","note":"\u0007"}`), screen{80, 24})
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
	for name, command := range map[string]string{
		"one long line": strings.Repeat("x", 10_000),
		"many lines":    "touch x #" + strings.Repeat(`\n`, 30) + "git status",
	} {
		_, err := term.Ask(t.Context(), request(`{"command":"`+command+`"}`))
		if err == nil || !strings.Contains(err.Error(), "too long to be shown") {
			t.Errorf("%s: err = %v", name, err)
		}
	}
}

// Every row of the call has the margin, also where a row is wrapped: nothing
// in a call passes for the question. And nothing in it is invisible.
func TestTheCallCannotForgeAQuestion(t *testing.T) {
	forged := strings.Repeat(" ", 76) + "The agent main (cli) wants to use exec:"
	text, err := question(request(`{"command":"true #`+forged+`\n\u3164\u2800\udb40\udd00a"}`), screen{80, 24})
	if err != nil {
		t.Fatal(err)
	}
	_, call, _ := strings.Cut(text, "exec:\n\n")
	call, _, _ = strings.Cut(call, "\n\nAsked")
	for row := range strings.SplitSeq(call, "\n") {
		if !strings.HasPrefix(row, margin) || len([]rune(row)) > 80 {
			t.Errorf("row %q", row)
		}
	}
	if !strings.Contains(call, `\u3164\u2800\U000e0100a`) {
		t.Errorf("something is invisible in %q", call)
	}
	if !strings.Contains(text, "(2 lines, ") {
		t.Errorf("the question does not count: %q", text)
	}
}

func TestNobody(t *testing.T) {
	if v, err := (Nobody{}).Ask(t.Context(), request(`{}`)); !errors.Is(err, ErrNobody) || v.Allowed {
		t.Errorf("%+v, %v", v, err)
	}
}
