package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/sandbox"
)

type doctorCmd struct {
	Fix  bool `help:"Make the changes that alter no decision, after showing them."`
	Yes  bool `help:"With --fix, do not ask."`
	JSON bool `name:"json" help:"Print JSON."`
}

func (doctorCmd) Help() string {
	return `Checks the config, the state folder, the workspace, the tools of every agent and
what keeps commands away from Toolrest's own files. Without --fix it changes
nothing.

  toolrest doctor
  toolrest doctor --fix          shows a diff, asks, then writes it
  toolrest doctor --fix --yes    where nobody can be asked

Exit code: 0 nothing is broken, 1 something is.`
}

// finding is what a check found.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"` // "ok", "warn" or "fail"
	Text  string `json:"text"`
}

// checkup collects findings, and what would mend some of them.
type checkup struct {
	found   []finding
	changes []config.FileChange
}

func (c *checkup) say(state, check, format string, args ...any) {
	c.found = append(c.found, finding{Check: check, State: state, Text: fmt.Sprintf(format, args...)})
}

func (c *doctorCmd) Run(ctx context.Context, g *cli, s streams) error {
	var up checkup
	up.stateFolder()
	up.ring(ctx)
	up.config(ctx, g, s)
	broken := false
	for _, f := range up.found {
		broken = broken || f.State == "fail"
	}
	err := printFindings(s, up.found, c.JSON)
	if err == nil && c.Fix {
		err = up.mend(s, c.Yes)
	}
	if err == nil && broken {
		return exit{code: exitFailed}
	}
	return err
}

// stateFolder looks without making anything.
func (c *checkup) stateFolder() {
	dir, err := config.StateDir(nil)
	if err != nil {
		c.say("fail", "state", "%v", err)
		return
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		c.say("ok", "state", "%s is not there yet; it is made when it is needed", dir)
		return
	}
	if _, err := config.OpenState(nil); err != nil {
		c.say("fail", "state", "%v", err)
		return
	}
	c.say("ok", "state", "%s is yours alone", dir)
}

func (c *checkup) ring(ctx context.Context) {
	support := sandbox.Probe(ctx)
	if text := (sandbox.Ring{}).Reach(support); text != "" {
		c.say("warn", "ring", "%s", text)
		return
	}
	c.say("ok", "ring", "commands cannot reach Toolrest's state, its config and its process")
}

// config checks the file, and what follows from it.
func (c *checkup) config(ctx context.Context, g *cli, s streams) {
	d, err := open(ctx, g, s, use{})
	if err != nil {
		c.say("fail", "config", "%v", err)
		return
	}
	defer d.Close()
	st := d.now()
	switch {
	case st.config.File == "":
		c.say("ok", "config", "no file: the built-in defaults count")
	case !st.config.Trusted:
		c.say("warn", "config", "%s", strings.Join(st.notices(), "\n"))
	default:
		c.say("ok", "config", "%s", st.config.File)
	}
	c.keys(st.config)
	c.absent(st.config)
	c.say("ok", "workspace", "%s", st.workspace.Dir())
	for _, agent := range st.agents() {
		c.agent(ctx, d, agent)
	}
	c.policy(ctx, st)
}

func printFindings(s streams, found []finding, asJSON bool) error {
	if asJSON {
		return printJSON(s.out, found)
	}
	p := painter(s.out)
	for _, f := range found {
		state := fmt.Sprintf("%-4s", f.State)
		switch f.State {
		case "ok":
			state = p.green(state)
		default:
			state = p.red(state)
		}
		margin := strings.Repeat(" ", 20)
		text := strings.TrimPrefix(indent(visible(f.Text), margin), margin)
		if _, err := fmt.Fprintf(s.out, "%s  %-12s  %s\n", state, f.Check, text); err != nil {
			return err
		}
	}
	return nil
}
