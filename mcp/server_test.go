package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// versions are those that differ in how a session begins.
var versions = []string{"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"}

func TestListIsThePlan(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			door := newDoor(t)
			session := connect(t, NewServer(door, &ServerOptions{Name: "tr", Version: "7", Instructions: "be kind"}), version, nil)
			init := session.InitializeResult()
			if init.ServerInfo.Name != "tr" || init.ServerInfo.Version != "7" || init.Instructions != "be kind" {
				t.Errorf("server is %+v, %q", init.ServerInfo, init.Instructions)
			}
			if c := init.Capabilities; c.Tools == nil || !c.Tools.ListChanged || c.Prompts != nil || c.Resources != nil {
				t.Errorf("capabilities are %+v", c)
			}
			res, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range res.Tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff([]string{"zeta", "alpha"}, names); diff != "" {
				t.Errorf("order of the plan is lost:\n%s", diff)
			}
			if res.NextCursor != "" {
				t.Errorf("cursor %q", res.NextCursor)
			}
			who := door.lists[0]
			if who.Agent != "main" || !who.Owner || who.Surface != toolrest.SurfaceMCPStdio || who.Session == "" {
				t.Errorf("caller is %+v", who)
			}
		})
	}
}

func TestEmptyListStillAnnouncesTools(t *testing.T) {
	door := newDoor(t)
	door.tools = nil
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.send(initialize)
	if f := p.receive(); !strings.Contains(string(f.Result), `"tools":{"listChanged":true}`) {
		t.Errorf("capabilities: %s", f.Result)
	}
	p.send(initialized, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)
	if f := p.receive(); !strings.Contains(string(f.Result), `"tools":[]`) {
		t.Errorf("list: %s", f.Result)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestSchemasKeepTheirBytes(t *testing.T) {
	door := newDoor(t)
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.initialize()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	f := p.receive()
	want := `"inputSchema":` + string(door.tools[0].InputSchema)
	if !strings.Contains(string(f.Result), want) {
		t.Errorf("want %s in\n%s", want, f.Result)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestListErrors(t *testing.T) {
	door := newDoor(t)
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.initialize()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"page2"}}`)
	if f := p.receive(); f.Error == nil || f.Error.Code != jsonrpc.CodeInvalidParams || !strings.Contains(f.Error.Message, "one page") {
		t.Errorf("unknown cursor: %+v", f)
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}}`)
	if f := p.receive(); f.Error != nil {
		t.Errorf("empty cursor: %+v", f.Error)
	}
	door.mu.Lock()
	door.listErr = errors.New("no config")
	door.mu.Unlock()
	p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	if f := p.receive(); f.Error == nil || f.Error.Code != jsonrpc.CodeInternalError || f.Error.Message != "list the tools: no config" {
		t.Errorf("failing list: %+v", f)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestCallReachesTheDoor(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			door := newDoor(t)
			session := connect(t, NewServer(door, nil), version, nil)
			args := json.RawMessage(`{"z":"<b>&","n":12345678901234567890,"a":1}`)
			res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "zeta", Arguments: args})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := textOf(t, res), "zeta got "+string(args); got != want || res.IsError {
				t.Errorf("got %q (error %v), want %q", got, res.IsError, want)
			}
			if call := door.last(); string(call.Args) != string(args) || !strings.HasPrefix(call.ID, "call_") {
				t.Errorf("call %q with %s", call.ID, call.Args)
			}
		})
	}
}

func TestForgedCallIsRefusedByTheDoor(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			session := connect(t, NewServer(newDoor(t), nil), version, nil)
			res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "exec"})
			if err != nil {
				t.Fatalf("a refusal must be a result, not an error: %v", err)
			}
			for _, part := range []string{"exec: denied by tools.deny", "toolrest.json5:3:9", "remove x* from tools.deny"} {
				if !strings.Contains(textOf(t, res), part) {
					t.Errorf("want %q in the text:\n%s", part, textOf(t, res))
				}
			}
			refusal, _ := res.Meta[RefusalKey].(map[string]any)
			if !res.IsError || refusal["code"] != "denied" || refusal["layer"] != "tools" || res.StructuredContent != nil {
				t.Errorf("isError %v, meta %v, structured %v", res.IsError, res.Meta, res.StructuredContent)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	tests := map[string]struct{ params, args, complaint string }{
		"absent":       {`{"name":"alpha"}`, `{}`, ""},
		"null":         {`{"name":"alpha","arguments":null}`, `{}`, ""},
		"empty":        {`{"name":"alpha","arguments":{}}`, `{}`, ""},
		"kept":         {`{"name":"alpha","arguments":{"b":1.0,"a":[ 1 ]}}`, `{"b":1.0,"a":[ 1 ]}`, ""},
		"string":       {`{"name":"alpha","arguments":"{}"}`, "", "but a string came"},
		"array":        {`{"name":"alpha","arguments":[]}`, "", "but an array came"},
		"number":       {`{"name":"alpha","arguments":-7}`, "", "but a number came"},
		"true":         {`{"name":"alpha","arguments":true}`, "", "but a boolean came"},
		"false":        {`{"name":"alpha","arguments":false}`, "", "but a boolean came"},
		"unknown tool": {`{"name":"nosuch","arguments":[]}`, "", "but an array came"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			door := newDoor(t)
			p := startStdio(t, t.Context(), NewServer(door, nil))
			p.initialize()
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + test.params + `}`)
			f := p.receive()
			if f.Error != nil {
				t.Fatalf("error %+v", f.Error)
			}
			call := door.last()
			if test.complaint == "" && (call == nil || string(call.Args) != test.args) {
				t.Errorf("door got %+v, want arguments %s", call, test.args)
			}
			if test.complaint != "" {
				got := string(f.Result)
				if call != nil || !strings.Contains(got, test.complaint) || !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"code":"invalid-arguments"`) {
					t.Errorf("door got %+v, client %s", call, got)
				}
			}
			if err := p.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCallerOption(t *testing.T) {
	type key struct{}
	door := newDoor(t)
	s := NewServer(door, &ServerOptions{Caller: func(ctx context.Context, surface toolrest.Surface) toolrest.Caller {
		return toolrest.Caller{Agent: ctx.Value(key{}).(string), Surface: "forged", Session: "forged"}
	}})
	p := startStdio(t, context.WithValue(t.Context(), key{}, "fam"), s)
	p.initialize()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`)
	p.receive()
	if who := door.last().Caller; who.Agent != "fam" || who.Owner || who.Surface != toolrest.SurfaceMCPStdio || !strings.HasPrefix(who.Session, "stdio_") {
		t.Errorf("caller is %+v", who)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestCancellationReachesTheCall(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			door := newDoor(t)
			started, ended := make(chan struct{}), make(chan error, 1)
			door.handle = func(ctx context.Context, call *toolrest.Call) *toolrest.Result {
				close(started)
				<-ctx.Done()
				ended <- ctx.Err()
				return toolrest.TextResult("too late")
			}
			session := connect(t, NewServer(door, nil), version, nil)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-started
				cancel()
			}()
			if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "alpha"}); !errors.Is(err, context.Canceled) {
				t.Errorf("the client got %v", err)
			}
			select {
			case err := <-ended:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("ctx ended with %v", err)
				}
			case <-time.After(patience):
				t.Fatal("the call was not cancelled")
			}
			door.handle = nil
			if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "alpha"}); err != nil {
				t.Errorf("the session does not go on: %v", err)
			}
		})
	}
}

func TestChangedReachesTheClient(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			door := newDoor(t)
			s := NewServer(door, nil)
			heard := make(chan struct{}, 8)
			session := connect(t, s, version, &sdk.ClientOptions{
				ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { heard <- struct{}{} },
			})
			if _, err := session.ListTools(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			s.Changed()
			s.Changed()
			select {
			case <-heard:
			case <-time.After(patience):
				t.Fatal("no notification")
			}
			res, err := session.ListTools(t.Context(), nil)
			if err != nil || len(res.Tools) != 2 {
				t.Errorf("the list afterwards: %v, %v", res, err)
			}
		})
	}
}

func TestDefectsOfTheDoorAreAnswered(t *testing.T) {
	door := newDoor(t)
	p := startStdio(t, t.Context(), NewServer(door, nil))
	p.initialize()
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`
	door.handle = func(context.Context, *toolrest.Call) *toolrest.Result { return nil }
	p.send(call)
	if f := p.receive(); !strings.Contains(string(f.Result), "ended without a result") || !strings.Contains(string(f.Result), `"code":"failed"`) {
		t.Errorf("no result: %+v %s", f, f.Result)
	}
	door.handle = func(context.Context, *toolrest.Call) *toolrest.Result { panic("secret") }
	p.send(call)
	if f := p.receive(); f.Error == nil || f.Error.Code != jsonrpc.CodeInternalError || strings.Contains(f.Error.Message, "secret") {
		t.Errorf("panic: %+v", f)
	}
	p.stillWorks()
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestMaxCalls(t *testing.T) {
	door := newDoor(t)
	started, release := make(chan struct{}), make(chan struct{})
	door.handle = func(context.Context, *toolrest.Call) *toolrest.Result {
		started <- struct{}{}
		<-release
		return toolrest.TextResult("done")
	}
	p := startStdio(t, t.Context(), NewServer(door, &ServerOptions{MaxCalls: 1}))
	p.initialize()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"alpha"}}`)
	<-started
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"alpha"}}`)
	if f := p.receive(); string(f.ID) != "2" || f.Error == nil || f.Error.Code != codeBusy || !strings.Contains(f.Error.Message, "already runs 1 calls") {
		t.Errorf("over the limit: %+v", f)
	}
	close(release)
	if f := p.receive(); string(f.ID) != "1" || f.Error != nil {
		t.Errorf("under the limit: %+v", f)
	}
	go func() { <-started }()
	p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"alpha"}}`)
	if f := p.receive(); f.Error != nil {
		t.Errorf("the place was not given back: %+v", f.Error)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

func TestNewServerWantsADoor(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewServer(nil, nil)
}
