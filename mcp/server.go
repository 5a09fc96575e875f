package mcp

import (
	"context"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// Door is what the server needs of the governed tools. Both methods are called
// by several goroutines at once and must honour ctx.
type Door interface {
	// List gives the tools that the caller may see, in the order of its plan.
	List(ctx context.Context, who toolrest.Caller) ([]toolrest.Descriptor, error)
	// Dispatch runs a call and gives exactly one result, never nil: a refusal
	// is a result too.
	Dispatch(ctx context.Context, call *toolrest.Call) *toolrest.Result
}

// ServerOptions refine a [Server]. The zero value is good.
type ServerOptions struct {
	// Name and Version are what clients are told of this program. They default
	// to "toolrest" and "dev".
	Name, Version string
	// Instructions are told to the client's model at the start of a session.
	Instructions string
	// Caller says on whose behalf a request comes. ctx carries the values of
	// the context given to ServeStdio, or those of the HTTP request; a session
	// over HTTP belongs to the caller that opened it and is not found by any
	// other. Session and Surface of the answer are filled in by the server.
	// The default is agent "main", owner over stdio and nobody's over HTTP.
	Caller func(ctx context.Context, surface toolrest.Surface) toolrest.Caller
	// Logger gets what goes wrong. It never gets arguments or results. The
	// default is silence.
	Logger *slog.Logger
	// MaxMessage is the size in bytes over which a message is refused. The
	// default is 4 MiB.
	MaxMessage int
	// MaxCalls is how many tool calls may run at once, over all sessions; the
	// next one is refused until one ends. The default is 1024.
	MaxCalls int
	// Grace is how long running calls may go on after the end of a stdio
	// client's input, before they are cancelled, so that a script may send its
	// requests and close the pipe. The default is one second; a negative value
	// is none.
	Grace time.Duration
}

func (o *ServerOptions) withDefaults() ServerOptions {
	var out ServerOptions
	if o != nil {
		out = *o
	}
	if out.Name == "" {
		out.Name = "toolrest"
	}
	if out.Version == "" {
		out.Version = "dev"
	}
	if out.Caller == nil {
		out.Caller = mainAgent
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	if out.MaxMessage <= 0 {
		out.MaxMessage = 4 << 20
	}
	if out.MaxCalls <= 0 {
		out.MaxCalls = 1024
	}
	if out.Grace == 0 {
		out.Grace = time.Second
	}
	return out
}

// mainAgent trusts who started this process and nobody on the network.
func mainAgent(_ context.Context, surface toolrest.Surface) toolrest.Caller {
	return toolrest.Caller{Agent: "main", Owner: surface == toolrest.SurfaceMCPStdio}
}

// Server answers MCP clients from a [Door]. One Server may serve stdio and
// HTTP at the same time; its methods may be used by several goroutines.
type Server struct {
	door  Door
	opts  ServerOptions
	sdk   *sdk.Server
	slots chan struct{} // one is taken by each running call
}

// NewServer makes a server. It panics without a door: there is nothing else
// that it could answer from.
func NewServer(door Door, opts *ServerOptions) *Server {
	if door == nil {
		panic("mcp: NewServer needs a door")
	}
	s := &Server{door: door, opts: opts.withDefaults()}
	s.slots = make(chan struct{}, s.opts.MaxCalls)
	// The SDK gets no logger: its internal errors print whole results.
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: s.opts.Name, Version: s.opts.Version}, &sdk.ServerOptions{
		Instructions: s.opts.Instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
	s.sdk.AddReceivingMiddleware(s.answer)
	return s
}

// Changed tells all open sessions that the list of tools is another one now.
// It returns at once; several changes in quick succession become one
// notification. A client that cannot be reached hears of the change when it
// lists again.
func (s *Server) Changed() {
	// The SDK notifies when its own list changes. No client ever sees that
	// list, so a tool that comes and goes there is the way to say it.
	const name = "changed"
	s.sdk.AddTool(&sdk.Tool{Name: name, InputSchema: anyObject}, nil)
	s.sdk.RemoveTools(name)
}

// caller is on whose behalf a request comes; the session is added where it is
// known.
func (s *Server) caller(ctx context.Context, surface toolrest.Surface) toolrest.Caller {
	who := s.opts.Caller(ctx, surface)
	who.Surface, who.Session = surface, ""
	return who
}
