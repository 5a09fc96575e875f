package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/gateway"
	"github.com/toolrest/toolrest/mcp"
)

type serveCmd struct {
	Addr  string `default:"127.0.0.1:7330" placeholder:"HOST:PORT" help:"Where to listen; loopback only. Port 0 takes a free one. Default: ${default}."`
	Agent string `placeholder:"ID" predictor:"none" help:"The agent whose tools are served. Default: main."`
	gates
}

func (serveCmd) Help() string {
	return `Examples:

  toolrest serve
  toolrest serve --addr 127.0.0.1:0 --agent ops --config work.json5

Clients connect to the printed URL with the printed token. Ctrl-C stops it.`
}

func (c *serveCmd) Run(ctx context.Context, g *cli, s streams) error {
	d, err := open(ctx, g, s, use{calls: true, terminal: true, run: c.run()})
	if err != nil {
		return err
	}
	defer d.Close()
	who := caller(c.Agent, toolrest.SurfaceMCPHTTP)
	p, err := d.Plan(ctx, who)
	if err != nil {
		return err
	}
	token, err := d.state.Token()
	if err != nil {
		return err
	}
	ln, err := gateway.Listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	server := d.mcpServer(c.Agent)
	gw := gateway.New(server.HTTPHandler(&mcp.HTTPOptions{}), token, &gateway.Options{Logger: d.log})

	url := "http://" + ln.Addr().String() + "/mcp"
	fmt.Fprintf(s.out, "toolrest %s: agent %s, %s, workspace %s\n\n", version, who.Agent, countTools(len(p.Visible())), visible(d.now().workspace.Dir()))
	fmt.Fprint(s.out, connectLines(painter(s.out), url, token, filepath.Join(d.state.Dir(), "token")))
	if d.terminal == nil {
		fmt.Fprintln(s.err, "Nobody can be asked: stdin and stderr are not a terminal, so calls that ask are refused.")
	}
	for _, line := range d.now().notices() {
		fmt.Fprintln(s.err, visible(line))
	}
	fmt.Fprintln(s.out, "\nServing; Ctrl-C stops.")
	err = d.alive(ctx, server.Changed, func(ctx context.Context) error { return gw.Serve(ctx, ln) })
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nStopped.")
	return nil
}

func countTools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

// connectLines are ready to paste into the clients that people have.
func connectLines(p paint, url, token, tokenFile string) string {
	bearer := "Authorization: Bearer " + token
	rows := []struct{ name, text string }{
		{"MCP", url},
		{"Token", token + "   (" + tokenFile + ")"},
		{"Claude Code", fmt.Sprintf("claude mcp add --transport http toolrest %s --header \"%s\"", url, bearer)},
		{"Codex", fmt.Sprintf("export TOOLREST_TOKEN=%s\ncodex mcp add toolrest --url %s --bearer-token-env-var TOOLREST_TOKEN", token, url)},
		{"Cursor", fmt.Sprintf(`{"mcpServers":{"toolrest":{"url":"%s","headers":{"Authorization":"Bearer %s"}}}}`, url, token) + "\nin ~/.cursor/mcp.json"},
		{"MCP inspector", fmt.Sprintf("npx @modelcontextprotocol/inspector --cli %s --transport http --header \"%s\" --method tools/list", url, bearer)},
	}
	var b strings.Builder
	for _, row := range rows {
		for i, line := range strings.Split(row.text, "\n") {
			name := ""
			if i == 0 {
				name = row.name
			}
			fmt.Fprintf(&b, "%s  %s\n", p.bold(fmt.Sprintf("%-13s", name)), line)
		}
	}
	return b.String()
}
