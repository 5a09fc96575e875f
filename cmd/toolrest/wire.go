package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/approve"
	"github.com/toolrest/toolrest/dispatch"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/sandbox"
	"github.com/toolrest/toolrest/internal/tool"
	"github.com/toolrest/toolrest/internal/tool/exec"
	"github.com/toolrest/toolrest/internal/workspace"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/anthropic"
	"github.com/toolrest/toolrest/model/openai"
	"github.com/toolrest/toolrest/model/replay"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// use says what a command does with the tools.
type use struct {
	// calls is set when tools may run: the state folder is then made where it
	// is missing, for nothing can be kept out of a folder that is not there.
	calls bool
	// terminal is set when the person at the terminal may be asked.
	terminal bool
	// run are the gates of this process.
	run policy.Run
}

// open builds the door for the config that counts here. The caller closes it.
func open(ctx context.Context, g *cli, s streams, u use) (*door, error) {
	d := &door{opts: &config.Options{Path: g.Config}, log: logger(g, s), approver: approve.Nobody{}, run: u.run}
	cfg, err := config.Load(d.opts)
	if err != nil {
		return nil, err
	}
	if err := d.openState(u); err != nil {
		return nil, err
	}
	if u.calls {
		d.support = sandbox.Probe(ctx)
	}
	if u.terminal && isTerminal(s.in) && isTerminal(s.err) {
		if t, err := approve.OpenTerminal(); err == nil {
			d.approver, d.terminal = t, t
		}
	}
	if d.current, err = d.build(cfg); err != nil {
		return nil, errors.Join(err, d.closeTerminal())
	}
	return d, nil
}

// openState finds what no tool may see.
func (d *door) openState(u use) error {
	if !u.calls {
		if dir, err := config.StateDir(d.opts); err == nil {
			d.hide = []string{dir}
		}
		return nil
	}
	state, err := config.OpenState(d.opts)
	if err != nil {
		return err
	}
	d.state, d.hide = state, []string{state.Dir()}
	return nil
}

// build makes everything that follows from one config.
func (d *door) build(cfg *config.Config) (*stack, error) {
	st := &stack{config: cfg, log: d.log, run: d.run, facts: factsOf(cfg), plans: plan.NewCache(nil), pipelines: map[pipelineKey]*policy.Pipeline{}}
	dir := cfg.Workspace
	if d.instead != "" {
		dir = d.instead
	}
	ws, err := workspace.Open(dir, &workspace.Options{Hidden: d.hide, ReadOnly: append(ownFile(), cfg.Files...)})
	if err != nil {
		return nil, err
	}
	st.workspace = ws
	ring := sandbox.Ring{Hide: d.hide, ReadOnly: append(existing(cfg.Files), foldersOf(cfg, ws.Dir())...)}
	if !cfg.WorkspacePos.IsZero() {
		ring.Keep = []string{ws.Dir()} // the config means this folder, and no other in its place
	}
	if d.state != nil {
		st.reach = ring.Reach(d.support)
	}
	st.registry, err = registry.New(&registry.Options{Check: plan.Check}, registry.Source{
		Kind: registry.Core,
		Tools: tool.All(tool.Options{
			Workspace: ws, Exec: exec.Options{Dir: ws.Dir(), Ring: ring, Support: d.support},
			Built: func(name string) { d.log.Debug("executor built", "tool", name) },
		}),
	})
	if err != nil {
		return nil, errors.Join(err, ws.Close())
	}
	st.calls = dispatch.New(dispatch.Options{Plan: st.Plan, Asks: st.asks, Approver: d.approver, Observe: st.observe})
	return st, nil
}

// existing leaves out the config files that are not there: a command may make
// them, and they are then not trusted.
func existing(files []string) []string {
	var out []string
	for _, f := range files {
		if _, err := os.Stat(f); err == nil {
			out = append(out, f)
		}
	}
	return out
}

// ownFile is the program itself: whoever could write it would be run by the
// owner.
func ownFile() []string {
	if file := sandbox.OwnFile(); file != "" {
		return []string{file}
	}
	return nil
}

// foldersOf gives the folders of the config files that commands need not write
// to. A file that is replaced there, as editors do, is then out of their reach
// at once. A folder that holds the workspace or the home is not among them.
func foldersOf(cfg *config.Config, workspace string) []string {
	home, _ := os.UserHomeDir()
	var out []string
	for _, file := range existing(cfg.Files) {
		dir := filepath.Dir(file)
		if holds(dir, workspace) || holds(dir, home) || holds(dir, os.TempDir()) || slices.Contains(out, dir) {
			continue
		}
		out = append(out, dir)
	}
	return out
}

func holds(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// openModel makes the model of a run. A recording keeps its pauses when it is
// paced. The caller closes what it gets.
func (d *door) openModel(ctx context.Context, name string, paced bool) (*chosenModel, error) {
	if file, ok := strings.CutPrefix(name, model.Replay+":"); ok {
		return openRecording(file, paced)
	}
	a, err := d.chooseAccess(ctx, name)
	if err != nil {
		return nil, err
	}
	c := &chosenModel{ref: a.ref, close: func() {}, about: "model " + a.ref.String()}
	if a.why != "" {
		c.about += ": " + a.why
	}
	if a.provider.API == model.APIAnthropic {
		c.model, err = anthropic.New(a.ref.Model, &anthropic.Options{Access: a.Access})
	} else {
		c.model, err = openai.New(a.ref.Model, &openai.Options{Access: a.Access})
	}
	return c, err
}

// openRecording plays in a copy of the folder that comes with the recording,
// so that it can be played again.
func openRecording(file string, paced bool) (*chosenModel, error) {
	rec, err := replay.Open(file, &replay.Options{Paced: paced})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "toolrest-replay-")
	if err != nil {
		return nil, fmt.Errorf("make a folder to replay in: %w", err)
	}
	remove := func() { _ = os.RemoveAll(dir) }
	copied, err := rec.CopyWorkspace(dir)
	if err != nil {
		remove()
		return nil, err
	}
	h := rec.Header()
	c := &chosenModel{model: rec, prompt: h.Prompt, close: remove, about: "replaying " + file + ": the model's part is recorded, the tools are real"}
	if copied {
		c.workspace = dir
		c.about += ", and work in a copy of its folder"
	}
	return c, nil
}

func logger(g *cli, s streams) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(g.Log)); err != nil {
		level = slog.LevelWarn
	}
	return slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: level}))
}
