package mcp_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/mcp"
)

// oneTool is a door with one tool behind it. A program has a plan and a
// dispatcher here.
type oneTool struct{}

func (oneTool) List(context.Context, toolrest.Caller) ([]toolrest.Descriptor, error) {
	return []toolrest.Descriptor{{Name: "greet"}}, nil
}

func (oneTool) Dispatch(_ context.Context, call *toolrest.Call) *toolrest.Result {
	if call.Tool != "greet" {
		return (&toolrest.Refusal{Code: toolrest.CodeUnknown, Tool: call.Tool, Reason: "no such tool"}).Result()
	}
	return toolrest.TextResult("hello, " + call.Caller.Agent)
}

func ExampleServer_ServeStdio() {
	client := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet"}}
`)
	server := mcp.NewServer(oneTool{}, &mcp.ServerOptions{Name: "example", Version: "1.0"})
	if err := server.ServeStdio(context.Background(), client, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{"listChanged":true}},"protocolVersion":"2025-11-25","serverInfo":{"name":"example","version":"1.0"}}}
	// {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hello, main"}]}}
}
