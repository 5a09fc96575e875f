package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/toolrest/toolrest"
)

// Each bad frame costs itself and no more.
func TestBadFramesDoNotEndTheSession(t *testing.T) {
	p := startStdio(t, t.Context(), NewServer(newDoor(t), nil))
	p.initialize()
	for _, test := range badFrames {
		t.Run(test.name, func(t *testing.T) {
			p.t = t
			p.send(test.frame)
			if test.code != 0 {
				select {
				case got := <-p.got:
					checkFault(t, got, test.code, test.id, test.text)
				case <-time.After(patience):
					t.Fatal("no answer")
				}
			}
			p.stillWorks()
		})
	}
	p.t = t
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestBadFramesBeforeInitialize(t *testing.T) {
	p := startStdio(t, t.Context(), NewServer(newDoor(t), nil))
	for _, test := range badFrames {
		p.send(test.frame)
		if test.code != 0 {
			p.receive()
		}
	}
	for _, method := range []string{"tools/list", "tools/call", "nosuch/method", "resources/read"} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"alpha"}}`)
		if f := p.receive(); f.Error == nil || f.Error.Code == 0 {
			t.Errorf("%s before initialize: %+v", method, f)
		}
	}
	p.initialize()
	p.stillWorks()
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestOddButFineLines(t *testing.T) {
	door := newDoor(t)
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.initialize()
	p.send("", "  \t ", "\r", `{"jsonrpc":"2.0","method":"notifications/nosuch"}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"alpha"}}`, // no id: no call
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nosuch"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","id":77,"result":{"an":"answer to nothing"}}`)
	p.stillWorks()
	p.send("\t{\"jsonrpc\":\"2.0\",\"id\":\"crlf\",\"method\":\"ping\"} \r")
	if f := p.receive(); string(f.ID) != `"crlf"` || f.Error != nil {
		t.Errorf("CRLF: %+v", f)
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"nosuch"}`)
	if f := p.receive(); f.Error == nil || f.Error.Code != -32601 {
		t.Errorf("unknown method: %+v", f)
	}
	p.send(initialize)
	if f := p.receive(); f.Error == nil || f.Error.Code == 0 {
		t.Errorf("second initialize: %+v", f)
	}
	if call := door.last(); call != nil {
		t.Errorf("a notification became a call: %+v", call)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestLongLine(t *testing.T) {
	door := newDoor(t)
	p := startStdio(t, t.Context(), NewServer(door, &ServerOptions{MaxMessage: 1000}))
	p.initialize()
	call := func(size int) string {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha","arguments":{"x":"`, `"}}}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	p.send(call(1000))
	if f := p.receive(); f.Error != nil {
		t.Errorf("at the limit: %+v", f.Error)
	}
	for _, size := range []int{1001, 5000, 3 << 20} {
		p.send(call(size))
		if f := p.receive(); f.Error == nil || f.Error.Code != -32600 || string(f.ID) != "null" || !strings.Contains(f.Error.Message, "limit of 1000 bytes") {
			t.Errorf("%d bytes: %+v", size, f)
		}
		p.stillWorks()
	}
	if len(door.calls) != 1 {
		t.Errorf("%d calls came through", len(door.calls))
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestLimitIsFourMebibytes(t *testing.T) {
	p := startStdio(t, t.Context(), NewServer(newDoor(t), nil))
	p.initialize()
	p.send(strings.Repeat("x", 4<<20+1))
	if f := p.receive(); f.Error == nil || !strings.Contains(f.Error.Message, "4194304 bytes") {
		t.Errorf("%+v", f)
	}
	p.stillWorks()
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestSecondRequestWithTheSameID(t *testing.T) {
	door := newDoor(t)
	started, release := make(chan struct{}), make(chan struct{})
	door.handle = func(context.Context, *toolrest.Call) *toolrest.Result {
		close(started)
		<-release
		return toolrest.TextResult("first")
	}
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.initialize()
	p.send(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"alpha"}}`)
	<-started
	p.send(`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`)
	if f := p.receive(); string(f.ID) != "null" || f.Error == nil || !strings.Contains(f.Error.Message, `id "a" is still running`) {
		t.Errorf("%+v", f)
	}
	close(release)
	if f := p.receive(); string(f.ID) != `"a"` || !bytes.Contains(f.Result, []byte("first")) {
		t.Errorf("the first is not answered: %+v", f)
	}
	p.send(`{"jsonrpc":"2.0","id":"a","method":"ping"}`)
	if f := p.receive(); f.Error != nil {
		t.Errorf("the id cannot be used again: %+v", f)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

// At the end of the input, what can finish in time does; the rest is
// cancelled, and all is answered.
func TestEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newDoor(t)
		var cancelled []string
		door.handle = func(ctx context.Context, call *toolrest.Call) *toolrest.Result {
			wait := time.Hour
			if call.Tool == "alpha" {
				wait = 900 * time.Millisecond
			}
			select {
			case <-time.After(wait):
				return toolrest.TextResult("finished")
			case <-ctx.Done():
				door.mu.Lock()
				defer door.mu.Unlock()
				cancelled = append(cancelled, call.Tool)
				if cause := context.Cause(ctx); cause != errSessionEnded {
					t.Errorf("cause %v", cause)
				}
				return toolrest.TextResult("cancelled")
			}
		}
		p := startStdio(t, t.Context(), NewServer(door, nil))
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"zeta"}}`)
		begin := time.Now()
		p.in.Close()
		if f := p.receive(); string(f.ID) != "1" || !bytes.Contains(f.Result, []byte("finished")) {
			t.Errorf("first answer %+v %s", f, f.Result)
		}
		if f := p.receive(); string(f.ID) != "2" || !bytes.Contains(f.Result, []byte("cancelled")) {
			t.Errorf("second answer %+v %s", f, f.Result)
		}
		if err := p.wait(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("took %s, want the grace of a second", took)
		}
		if fmt.Sprint(cancelled) != "[zeta]" {
			t.Errorf("cancelled: %v", cancelled)
		}
	})
}

func TestNoGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newDoor(t)
		door.handle = func(ctx context.Context, call *toolrest.Call) *toolrest.Result {
			<-ctx.Done()
			return toolrest.TextResult("cancelled")
		}
		p := startStdio(t, t.Context(), NewServer(door, &ServerOptions{Grace: -1}))
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`)
		begin := time.Now()
		if err := p.close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("took %s", took)
		}
		if f := p.receive(); string(f.ID) != "1" {
			t.Errorf("no answer: %+v", f)
		}
	})
}

func TestContextEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newDoor(t)
		door.handle = func(ctx context.Context, call *toolrest.Call) *toolrest.Result {
			<-ctx.Done()
			return toolrest.TextResult("cancelled")
		}
		ctx, cancel := context.WithCancel(t.Context())
		p := startStdio(t, ctx, NewServer(door, nil))
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`)
		synctest.Wait()
		cancel()
		if f := p.receive(); string(f.ID) != "1" || !bytes.Contains(f.Result, []byte("cancelled")) {
			t.Errorf("answer %+v", f)
		}
		if err := p.wait(); !errors.Is(err, context.Canceled) {
			t.Errorf("ServeStdio: %v", err)
		}
		if _, err := io.WriteString(p.in, "x"); err == nil {
			t.Error("the input was not closed")
		}
	})
}

// A tool that ignores its context does not keep the process alive.
func TestStubbornCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newDoor(t)
		release := make(chan struct{})
		door.handle = func(context.Context, *toolrest.Call) *toolrest.Result {
			<-release
			return toolrest.TextResult("at last")
		}
		p := startStdio(t, t.Context(), NewServer(door, nil))
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`)
		synctest.Wait()
		if err := p.close(); err == nil || !strings.Contains(err.Error(), "1 answers were not written within 5s") {
			t.Errorf("ServeStdio: %v", err)
		}
		close(release)
	})
}

// A client that stops reading does not either.
func TestClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- NewServer(newDoor(t), nil).ServeStdio(ctx, inR, outW) }()
		if _, err := io.WriteString(inW, initialize+"\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		cancel()
		if err := <-done; err == nil || !strings.Contains(err.Error(), "1 answers were not written") {
			t.Errorf("ServeStdio: %v", err)
		}
		outR.Close()
	})
}

func TestClientThatIsGone(t *testing.T) {
	door := newDoor(t)
	ended := make(chan struct{})
	started := make(chan struct{})
	door.handle = func(ctx context.Context, call *toolrest.Call) *toolrest.Result {
		close(started)
		<-ctx.Done()
		close(ended)
		return toolrest.TextResult("cancelled")
	}
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.initialize()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`)
	<-started
	p.out.Close()
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if err := p.wait(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("ServeStdio: %v", err)
	}
	<-ended
}

func TestBrokenInput(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(initialize+"\n"), iotest.ErrReader(broken))
	var out bytes.Buffer
	err := NewServer(newDoor(t), nil).ServeStdio(t.Context(), in, &out)
	if !errors.Is(err, broken) {
		t.Errorf("ServeStdio: %v", err)
	}
	if !json.Valid(out.Bytes()) {
		t.Errorf("output %q", out.String())
	}
}

// A script that sends all at once and closes gets all answers, in plain files
// too.
func TestScript(t *testing.T) {
	script := strings.Join([]string{
		initialize, initialized, "not a message",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"alpha"}}`, // no end of line
	}, "\r\n")
	var out bytes.Buffer
	if err := NewServer(newDoor(t), nil).ServeStdio(t.Context(), strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		var f frame
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Errorf("not protocol: %q", line)
		}
		ids[string(f.ID)] = true
	}
	for _, id := range []string{`"init"`, "null", "1", "2"} {
		if !ids[id] {
			t.Errorf("no answer with id %s in\n%s", id, out.String())
		}
	}
}
