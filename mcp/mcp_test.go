package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/toolrest/toolrest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come, before it says that
// it did not.
const patience = 20 * time.Second

// fakeDoor has a few tools and is strict about what it is asked.
type fakeDoor struct {
	t       testing.TB
	tools   []toolrest.Descriptor
	handle  func(ctx context.Context, call *toolrest.Call) *toolrest.Result
	listErr error

	mu    sync.Mutex // guards the fields below
	ids   map[string]bool
	calls []*toolrest.Call
	lists []toolrest.Caller
}

func newDoor(t testing.TB) *fakeDoor {
	return &fakeDoor{t: t, ids: map[string]bool{}, tools: []toolrest.Descriptor{
		{Name: "zeta", Title: "Zeta", Description: "the last letter <first>", InputSchema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"const":"<&>"}},"required":["z"]}`)},
		{Name: "alpha", Description: "the first letter", InputSchema: json.RawMessage(`{"type":"object"}`)},
	}}
}

func (d *fakeDoor) List(ctx context.Context, who toolrest.Caller) ([]toolrest.Descriptor, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lists = append(d.lists, who)
	if who.Agent == "" || who.Surface == "" {
		d.t.Errorf("List without a caller: %+v", who)
	}
	return d.tools, errors.Join(d.listErr, ctx.Err())
}

func (d *fakeDoor) Dispatch(ctx context.Context, call *toolrest.Call) *toolrest.Result {
	d.mu.Lock()
	if call.ID == "" || d.ids[call.ID] {
		d.t.Errorf("call id %q is empty or was used before", call.ID)
	}
	d.ids[call.ID] = true
	d.calls = append(d.calls, call)
	d.mu.Unlock()
	if call.Tool == "" || call.Caller.Agent == "" || call.Caller.Surface == "" {
		d.t.Errorf("incomplete call: %+v of %+v", call.Tool, call.Caller)
	}
	if _, err := call.Object(); err != nil || !json.Valid(call.Args) || call.Args[0] != '{' {
		d.t.Errorf("arguments %q are no object: %v", call.Args, err)
	}
	if d.handle != nil {
		return d.handle(ctx, call)
	}
	if !slices.ContainsFunc(d.tools, func(t toolrest.Descriptor) bool { return t.Name == call.Tool }) {
		return (&toolrest.Refusal{
			Code: toolrest.CodeDenied, Tool: call.Tool, Reason: "denied by tools.deny",
			Layer: "tools", Rule: "x*", Pos: toolrest.Pos{File: "toolrest.json5", Line: 3, Col: 9}, Fix: "remove x* from tools.deny",
		}).Result()
	}
	return toolrest.TextResult(call.Tool + " got " + string(call.Args))
}

func (d *fakeDoor) last() *toolrest.Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.calls) == 0 {
		return nil
	}
	return d.calls[len(d.calls)-1]
}

// peer is a raw client over stdio.
type peer struct {
	t    testing.TB
	in   *io.PipeWriter
	out  *io.PipeReader
	got  chan json.RawMessage
	done chan error // what ServeStdio returned
}

// startStdio serves a raw client. With a dead context the session ends at once.
func startStdio(t testing.TB, ctx context.Context, s *Server) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: outR, got: make(chan json.RawMessage, 64), done: make(chan error, 1)}
	go func() {
		p.done <- s.ServeStdio(ctx, inR, outW)
		outW.Close()
	}()
	go p.read()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return p
}

func (p *peer) read() {
	defer close(p.got)
	lines := bufio.NewScanner(p.out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		p.got <- bytes.Clone(lines.Bytes())
	}
}

func (p *peer) send(frames ...string) {
	p.t.Helper()
	for _, f := range frames {
		if _, err := io.WriteString(p.in, f+"\n"); err != nil {
			p.t.Fatalf("send: %v", err)
		}
	}
}

// frame is any message of the server.
type frame struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (p *peer) receive() frame {
	p.t.Helper()
	select {
	case raw, ok := <-p.got:
		if !ok {
			p.t.Fatal("the server closed its output")
		}
		var f frame
		if err := json.Unmarshal(raw, &f); err != nil || f.Version != "2.0" {
			p.t.Fatalf("not protocol: %q", raw)
		}
		return f
	case <-time.After(patience):
		p.t.Fatal("no answer")
	}
	return frame{}
}

const (
	initialize  = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func (p *peer) initialize() {
	p.t.Helper()
	p.send(initialize)
	if f := p.receive(); f.Error != nil || string(f.ID) != `"init"` {
		p.t.Fatalf("initialize: %+v", f)
	}
	p.send(initialized)
}

// stillWorks proves that the session goes on.
func (p *peer) stillWorks() {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"alive","method":"tools/list"}`)
	f := p.receive()
	if string(f.ID) != `"alive"` || f.Error != nil || !bytes.Contains(f.Result, []byte(`"zeta"`)) {
		p.t.Fatalf("the session does not work any more: %+v", f)
	}
}

// close ends the client's side and gives what ServeStdio returned.
func (p *peer) close() error {
	p.t.Helper()
	p.in.Close()
	return p.wait()
}

func (p *peer) wait() error {
	p.t.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(patience):
		p.t.Fatal("ServeStdio does not return")
	}
	return nil
}

// connect gives a session of the SDK's own client over pipes.
func connect(t testing.TB, s *Server, version string, opts *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(t.Context(), inR, outW) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: outR, Writer: inW}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-done; err != nil && t.Context().Err() == nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return session
}

func textOf(t testing.TB, res *sdk.CallToolResult) string {
	t.Helper()
	if len(res.Content) == 0 {
		return ""
	}
	block, ok := res.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("content is %T, not text", res.Content[0])
	}
	return block.Text
}
