package e2e

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is a session of the official SDK with the binary.
type client struct {
	*mcp.ClientSession
	pid    int         // of the server
	stderr *transcript // of the server
}

// doors are the ways of an MCP client into the binary. What one of them does
// the other does too, so most tests go through both.
var doors = map[string]func(*world) *client{
	"stdio": func(w *world) *client { return w.stdio() },
	"http":  func(w *world) *client { return w.serve().client() },
}

// eachDoor runs a test through every door, each in a world of its own.
func eachDoor(t *testing.T, config string, test func(*testing.T, *world, *client)) {
	t.Helper()
	for name, open := range doors {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config)
			test(t, w, open(w))
		})
	}
}

// stdio starts `toolrest mcp` and speaks to it over its pipes.
func (w *world) stdio(args ...string) *client {
	w.t.Helper()
	cmd := w.command(append([]string{"mcp", "--config", w.config}, args...)...)
	stderr := newTranscript()
	cmd.Stderr = stderr
	session := w.connect(&mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, stderr)
	w.t.Cleanup(func() {
		session.Close()
		w.noRace(cmd, stderr.String())
	})
	return &client{session, cmd.Process.Pid, stderr}
}

// client opens a session over streamable HTTP.
func (s *served) client() *client {
	s.w.t.Helper()
	base := &http.Transport{}
	session := s.w.connect(&mcp.StreamableClientTransport{
		Endpoint:   s.url,
		HTTPClient: &http.Client{Transport: bearer{s.token, base}},
		MaxRetries: -1,
	}, s.stderr)
	s.w.t.Cleanup(func() {
		session.Close()
		base.CloseIdleConnections()
	})
	return &client{session, s.cmd.Process.Pid, s.stderr}
}

func (w *world) connect(transport mcp.Transport, stderr *transcript) *mcp.ClientSession {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		w.t.Fatalf("connect: %v\nstderr: %s", err, stderr)
	}
	return session
}

// bearer adds the token to every request.
type bearer struct {
	token string
	base  http.RoundTripper
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token)
	return b.base.RoundTrip(req)
}

// args are a call's arguments.
type args map[string]any

// call calls a tool and gives its text and whether it is an error.
func (c *client) call(t *testing.T, tool string, a args) (text string, failed bool) {
	t.Helper()
	text, failed, err := c.try(tool, a)
	if err != nil {
		t.Fatalf("call %s: %v\nstderr: %s", tool, err, c.stderr)
	}
	return text, failed
}

// try is call for goroutines; the error is that of the protocol.
func (c *client) try(tool string, a args) (text string, failed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		return "", false, err
	}
	var parts []string
	for _, block := range res.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	return strings.Join(parts, "\n"), res.IsError, nil
}

// must calls a tool that has to succeed.
func (c *client) must(t *testing.T, tool string, a args) string {
	t.Helper()
	text, failed := c.call(t, tool, a)
	if failed {
		t.Fatalf("%s %v: %s", tool, a, text)
	}
	return text
}

// names are those of the tools that the client is told of.
func (c *client) names(t *testing.T) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var names []string
	for tool, err := range c.Tools(ctx, nil) {
		if err != nil {
			t.Fatalf("list the tools: %v", err)
		}
		names = append(names, tool.Name)
	}
	return names
}
