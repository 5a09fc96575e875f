package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/gateway"
	"github.com/toolrest/toolrest/mcp"
)

type mcpCmd struct {
	Agent string `placeholder:"ID" predictor:"none" help:"The agent whose tools are served. Default: main."`
	gates
}

func (mcpCmd) Help() string {
	return `An MCP client starts this, for example:

  claude mcp add toolrest -- toolrest mcp
  { "mcpServers": { "toolrest": { "command": "toolrest", "args": ["mcp"] } } }

Nothing but protocol goes to stdout; logs go to stderr. The workspace is the
folder that the client starts it in, unless the config says otherwise. Nobody
can be asked here, so exec is refused unless the config has
tools.exec.ask: 'off'.`
}

func (c *mcpCmd) Run(ctx context.Context, g *cli, s streams) error {
	d, err := open(ctx, g, s, use{calls: true, run: c.run()})
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.Plan(ctx, caller(c.Agent, toolrest.SurfaceMCPStdio)); err != nil {
		return err
	}
	for _, line := range d.now().notices() {
		fmt.Fprintln(s.err, visible(line))
	}
	server := d.mcpServer(c.Agent)
	err = d.alive(ctx, server.Changed, func(ctx context.Context) error { return server.ServeStdio(ctx, s.in, s.out) })
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil // Ctrl-C is how this ends
	}
	return err
}

// mcpServer serves the tools of one agent. Who reaches it is the owner: over
// stdio the local user, over HTTP the holder of the owner's token.
func (d *door) mcpServer(agent string) *mcp.Server {
	return mcp.NewServer(d, &mcp.ServerOptions{
		Name: "toolrest", Version: version, Logger: d.log,
		Instructions: "The tools here are governed: a call can be refused. A refusal says why, and whether to try again.",
		Caller: func(ctx context.Context, surface toolrest.Surface) toolrest.Caller {
			who := caller(agent, surface)
			who.Owner = surface == toolrest.SurfaceMCPStdio || gateway.IsOwner(ctx)
			return who
		},
	})
}
