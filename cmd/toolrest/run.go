package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/agent"
	"github.com/toolrest/toolrest/model"
)

type runCmd struct {
	Prompt []string `arg:"" optional:"" help:"What the agent is to do; - reads it from stdin."`
	Model  string   `placeholder:"MODEL" predictor:"none" help:"provider/model, or replay:FILE for a recorded run. Default: what the environment or a local server offers."`
	Agent  string   `placeholder:"ID" predictor:"none" help:"The agent. Default: main."`
	gates
	MaxTurns int `default:"100" placeholder:"N" help:"How many messages the model may write. Default: ${default}."`
}

func (runCmd) Help() string {
	return `Examples:

  toolrest run "why does TestSum fail?"
  toolrest run --model ollama/qwen3 "list the TODOs"
  toolrest run --model replay:examples/replay/fix-a-test.jsonl

The answer goes to stdout, the calls and their results to stderr. You are asked
on the terminal before a command runs. Ctrl-C stops the run; every call that was
under way then still has a result in the transcript.`
}

func (c *runCmd) Run(ctx context.Context, g *cli, s streams) error {
	if c.MaxTurns < 1 {
		return exit{exitUsage, fmt.Errorf("--max-turns wants a number above 0, not %d", c.MaxTurns)}
	}
	prompt, err := c.prompt(s.in)
	if err != nil {
		return exit{exitUsage, err}
	}
	d, err := open(ctx, g, s, use{calls: true, terminal: true, run: c.gates.run()})
	if err != nil {
		return err
	}
	defer d.Close()
	chosen, err := d.openModel(ctx, c.Model, isTerminal(s.out))
	if err != nil {
		return err
	}
	defer chosen.close()
	if chosen.workspace != "" {
		if err := d.moveTo(chosen.workspace); err != nil {
			return err
		}
	}
	if prompt == "" {
		if prompt = chosen.prompt; prompt == "" {
			return exit{exitUsage, errors.New("say what the agent is to do: toolrest run \"…\"")}
		}
	}
	kept, err := keepTranscript(d.state)
	if err != nil {
		return err
	}
	defer kept.Close()
	return c.converse(ctx, d, s, chosen, kept, prompt)
}

// prompt joins the words of the command line, as echo does.
func (c *runCmd) prompt(in io.Reader) (string, error) {
	text := strings.Join(c.Prompt, " ")
	if text != "-" {
		return strings.TrimSpace(text), nil
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxArgs+1))
	if err != nil {
		return "", fmt.Errorf("read the prompt from stdin: %w", err)
	}
	if len(raw) > maxArgs {
		return "", fmt.Errorf("the prompt on stdin is larger than %d bytes", maxArgs)
	}
	return strings.TrimSpace(string(raw)), nil
}

// converse runs the loop with the config kept in step beside it.
func (c *runCmd) converse(ctx context.Context, d *door, s streams, m *chosenModel, kept *transcript, prompt string) error {
	who := caller(c.Agent, toolrest.SurfaceAgent)
	who.Session, who.Provider, who.Model = kept.id, m.ref.Provider, m.ref.Model
	session := agent.New(agent.Options{
		Model: m.model, Door: d, Caller: who, MaxTurns: c.MaxTurns, Keep: kept.keep,
		System: systemPrompt(d.now().workspace.Dir()),
	})
	for _, line := range append(d.now().notices(), m.about) {
		fmt.Fprintln(s.err, visible(line))
	}
	if err := d.guard(ctx, who); err != nil {
		return err
	}
	screen := newScreen(s)
	err := d.alive(ctx, func() {}, func(ctx context.Context) error {
		for event, err := range session.Run(ctx, prompt) {
			if err != nil {
				return err
			}
			screen.show(event)
		}
		return nil
	})
	screen.end()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return exit{exitFailed, fmt.Errorf("stopped; the conversation until here is in %s", kept.path)}
	}
	return fmt.Errorf("%w\nthe conversation until here is in %s", err, kept.path)
}

// systemPrompt tells the model where it is. What it may use, it sees in the
// list of its tools.
func systemPrompt(workspace string) string {
	return "You work in the folder " + workspace + " with the tools that you are given. " +
		"Every call can be refused; a refusal says why, and whether to try again: do not try to get around it. " +
		"Look before you change things, check your work by running it, and say at the end in a few sentences what you did."
}

// screen shows a run to a person: the answer on stdout, the rest on stderr.
type screen struct {
	s       streams
	p       paint
	midLine bool // the answer's last line is not ended yet
	raw     bool // stdout is no terminal: the text goes out as it is

	thinking bool // a line of thinking on stderr is not ended yet
}

func newScreen(s streams) *screen {
	return &screen{s: s, p: painter(s.err), raw: !isTerminal(s.out)}
}

func (sc *screen) show(e agent.Event) {
	switch e := e.(type) {
	case model.TextDelta:
		text := e.Text
		if !sc.raw {
			text = visible(text)
		}
		if text != "" {
			if sc.thinking {
				sc.end()
			}
			fmt.Fprint(sc.s.out, text)
			sc.midLine = !strings.HasSuffix(text, "\n")
		}
	case model.ThinkingDelta:
		fmt.Fprint(sc.s.err, sc.p.dim(visible(e.Text)))
		sc.thinking = true
	case agent.CallBegan:
		sc.end()
		fmt.Fprintln(sc.s.err, sc.p.dim("→ "+e.Call.Name+" "+clip(string(e.Call.Args), 200)))
	case agent.CallEnded:
		sc.end()
		sc.showResult(e)
	case agent.TurnEnded:
		sc.end()
		if e.Stop == model.StopLength || e.Stop == model.StopRefused {
			fmt.Fprintln(sc.s.err, sc.p.red("the model stopped: "+string(e.Stop)))
		}
	}
}

// showResult shows the first lines of a result.
func (sc *screen) showResult(e agent.CallEnded) {
	const most = 10
	lines := strings.Split(strings.TrimSpace(e.Result.AllText()), "\n")
	rest := ""
	if len(lines) > most {
		rest = fmt.Sprintf("\n  … %d more lines", len(lines)-most)
		lines = lines[:most]
	}
	for i, line := range lines {
		lines[i] = "  " + clip(line, 200)
	}
	text := "← " + e.Call.Name + "\n" + strings.Join(lines, "\n") + rest
	if e.Result.IsError {
		text = sc.p.red(text)
	} else {
		text = sc.p.dim(text)
	}
	fmt.Fprintln(sc.s.err, text)
}

// end ends the line of the answer, and that of the thinking.
func (sc *screen) end() {
	if sc.thinking {
		fmt.Fprintln(sc.s.err)
		sc.thinking = false
	}
	if sc.midLine {
		fmt.Fprintln(sc.s.out)
		sc.midLine = false
	}
}

// clip makes one short and harmless line of s.
func clip(s string, most int) string {
	r := []rune(strings.NewReplacer("\n", " ", "\t", "    ").Replace(s))
	if len(r) > most {
		return visible(string(r[:most])) + "…"
	}
	return visible(string(r))
}
