package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/toolrest/toolrest"
)

type callCmd struct {
	Tool  string `arg:"" predictor:"tool" help:"The tool."`
	Args  string `arg:"" optional:"" help:"The arguments as a JSON object; - reads them from stdin. Default: {}."`
	Agent string `placeholder:"ID" predictor:"none" help:"The agent. Default: main."`
	JSON  bool   `name:"json" help:"Print the whole result as JSON."`
}

func (callCmd) Help() string {
	return `Examples:

  toolrest call read '{"path":"README.md","limit":20}'
  toolrest call exec '{"command":"go test ./..."}'
  echo '{"path":"a.txt","content":"x"}' | toolrest call write -

Exit code: 0 done, 1 the tool failed, 2 the arguments do not fit,
10 denied by a policy or by the person who was asked,
11 unknown or not available here, 12 waits for an approval.`
}

// maxArgs bounds what is read from stdin, in bytes.
const maxArgs = 4 << 20

func (c *callCmd) Run(ctx context.Context, g *cli, s streams) error {
	args, err := c.arguments(s.in)
	if err != nil {
		return exit{exitUsage, err}
	}
	d, err := open(ctx, g, s, use{calls: true, terminal: true})
	if err != nil {
		return err
	}
	defer d.Close()
	who := cliCaller(c.Agent)
	if _, err := d.Plan(ctx, who); err != nil {
		return err
	}
	result := d.Dispatch(ctx, &toolrest.Call{Tool: c.Tool, Args: args, Caller: who})
	if err := c.print(s, result); err != nil {
		return err
	}
	if !result.IsError {
		return nil
	}
	if result.Refusal == nil {
		return exit{code: exitFailed}
	}
	return exit{code: exitCode(result.Refusal.Code)}
}

func (c *callCmd) arguments(in io.Reader) (json.RawMessage, error) {
	if c.Args != "-" {
		return json.RawMessage(c.Args), nil
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxArgs+1))
	if err != nil {
		return nil, fmt.Errorf("read arguments from stdin: %w", err)
	}
	if len(raw) > maxArgs {
		return nil, fmt.Errorf("the arguments on stdin are larger than %d bytes", maxArgs)
	}
	return raw, nil
}

// print writes a result to stdout, and an error to stderr.
func (c *callCmd) print(s streams, r *toolrest.Result) error {
	if c.JSON {
		return printJSON(s.out, r)
	}
	w := s.out
	if r.IsError {
		w = s.err
	}
	for _, content := range r.Content {
		text := content.Text
		if content.Kind != toolrest.ContentText {
			text = fmt.Sprintf("[%s, %s, %d bytes; --json prints it]", content.Kind, content.MIME, len(content.Data))
		}
		if isTerminal(w) {
			text = visible(text)
		}
		if _, err := fmt.Fprintln(w, strings.TrimSuffix(text, "\n")); err != nil {
			return err
		}
	}
	return nil
}
