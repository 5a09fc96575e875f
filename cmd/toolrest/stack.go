package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/dispatch"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/internal/workspace"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// stack is everything that follows from one config: the tools, the policies
// and the dispatcher. It does not change; a new config makes a new stack.
type stack struct {
	config    *config.Config
	workspace *workspace.Workspace
	registry  *registry.Registry
	log       *slog.Logger
	plans     *plan.Cache
	facts     plan.Facts // what availability is judged by, but for the caller's values
	run       policy.Run // the gates of this process
	calls     *dispatch.Dispatcher
	reach     string // what commands could reach here, where the ring does not hold

	mu        sync.Mutex // guards pipelines
	pipelines map[pipelineKey]*policy.Pipeline

	running sync.WaitGroup // calls and listings under way
}

// pipelineKey is for whom, and beside which plugins, a pipeline was made.
type pipelineKey struct {
	caller toolrest.Caller
	known  *policy.Known
}

// maxPipelines bounds how many pipelines are kept. Callers are as many as the
// sessions of a door; when they are too many, all are made anew.
const maxPipelines = 256

// patience is how long the program waits at its end for calls that were
// cancelled.
const patience = 10 * time.Second

// close gives back what the stack holds, once nothing runs on it any more. A
// call that does not end in time keeps what it uses until the process ends.
func (st *stack) close() error {
	if !ends(&st.running, patience) {
		return errors.New("a call does not end although it was cancelled")
	}
	return st.workspace.Close()
}

// ends reports whether the group is done in time.
func ends(group *sync.WaitGroup, most time.Duration) bool {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(most):
		return false
	}
}

// Plan gives what the caller sees.
func (st *stack) Plan(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
	if err := st.knows(who.Agent); err != nil {
		return nil, err
	}
	who = inSession(who)
	tools := st.registry.Snapshot()
	pipeline := st.pipeline(pipelineKey{who, st.plans.Known(tools)}, tools)
	return st.plans.Plan(tools, pipeline, plan.Context{Caller: who, Facts: st.factsFor(who), FactsVersion: 1})
}

// inSession puts a caller whose session has no key of its own (a client, a run,
// the command line) into the main session of its agent: so every door says the
// same.
func inSession(who toolrest.Caller) toolrest.Caller {
	if _, _, ok := names.SplitSession(who.Session); !ok && !strings.HasPrefix(who.Session, "subagent:") {
		who.Session = "agent:" + who.Agent + ":" + names.MainAgent
	}
	return who
}

// planWithProfile is what the caller would see if the config said this profile
// for everybody.
func (st *stack) planWithProfile(who toolrest.Caller, profile string) (*plan.Plan, error) {
	who = inSession(who)
	cfg := *st.config.Policy
	cfg.Tools.Profile, cfg.Tools.ProfilePos = profile, toolrest.Pos{}
	cfg.Agents = slices.Clone(cfg.Agents)
	for i := range cfg.Agents {
		cfg.Agents[i].Tools.Profile = ""
	}
	tools := st.registry.Snapshot()
	pipeline := policy.For(&cfg, policy.Context{Caller: who, Known: st.plans.Known(tools), Run: st.run})
	return plan.Build(tools, pipeline, plan.Context{Caller: who, Facts: st.factsFor(who)})
}

func (st *stack) pipeline(key pipelineKey, tools *registry.Snapshot) *policy.Pipeline {
	st.mu.Lock()
	defer st.mu.Unlock()
	p, ok := st.pipelines[key]
	if !ok {
		if len(st.pipelines) >= maxPipelines {
			clear(st.pipelines)
		}
		p = policy.For(st.config.Policy, policy.Context{Caller: key.caller, Known: key.known, Run: st.run})
		st.pipelines[key] = p
		st.logRemovals(p, key.caller, tools)
	}
	return p
}

// logRemovals tells for the log what each layer takes away from a caller.
func (st *stack) logRemovals(p *policy.Pipeline, who toolrest.Caller, tools *registry.Snapshot) {
	if !st.log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	for _, r := range policy.Removals(p, plan.Subjects(tools)) {
		st.log.Debug("policy removed tools", "agent", who.Agent, "surface", who.Surface, "rule", r.Rule, "kind", r.Kind, "tools", r.Tools, "matched", r.Matched, "more", r.More)
	}
}

// isOwner reports whether the config takes the caller for the owner.
func (st *stack) isOwner(who toolrest.Caller) bool {
	who.Owner = false
	return policy.Owner(st.config.Policy, policy.Context{Caller: who})
}

// agents are those that can be named: main, and the ones of the config.
func (st *stack) agents() []string {
	out := []string{names.MainAgent}
	for _, id := range st.config.AgentIDs() {
		if id != names.MainAgent {
			out = append(out, id)
		}
	}
	return out
}

// knows refuses an agent that the config does not have: a misspelt id must not
// quietly get the rules of nobody.
func (st *stack) knows(agent string) error {
	if agent == names.MainAgent {
		return nil
	}
	if st.config.HasAgent(agent) {
		return nil
	}
	known := st.agents()
	err := fmt.Errorf("there is no agent %q in %s", agent, st.configName())
	if near := names.Nearest(agent, known, 1); len(near) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, near[0])
	}
	return fmt.Errorf("%w; there are: %s", err, strings.Join(known, ", "))
}

func (st *stack) configName() string {
	if st.config.File == "" {
		return "the built-in defaults"
	}
	return st.config.File
}

// asks says whether a person must agree to a call.
func (st *stack) asks(call *toolrest.Call, e *plan.Entry) (dispatch.Asked, bool) {
	if e.Name != "exec" {
		return dispatch.Asked{}, false
	}
	rule := st.config.ExecFor(call.Caller.Agent)
	if rule.Ask == config.AskOff {
		return dispatch.Asked{}, false
	}
	asked := dispatch.Asked{Pos: rule.Pos}
	switch {
	case rule.Key == "":
		asked.Why, asked.Fix = "tools.exec.ask is 'always', the default", "set tools.exec.ask to 'off'"
	case strings.HasSuffix(rule.Key, ".ask"):
		asked.Why, asked.Fix = rule.Key+" is 'always'", "set "+rule.Key+" to 'off'"
	default:
		asked.Why = rule.Key + " is not 'full'"
		asked.Fix = "delete " + rule.Key + ", and set tools.exec.ask to 'off',"
	}
	asked.Fix += " in " + st.editable()
	if !st.config.Trusted {
		asked.Fix = fmt.Sprintf("%s is not trusted, so it cannot switch asking off; read it, then run: %s", st.config.File, config.TrustCommand(st.config.File))
	}
	return asked, true
}

// editable is the config that a person would change.
func (st *stack) editable() string {
	if st.config.File == "" {
		if dir, err := config.StateDir(nil); err == nil {
			return filepath.Join(dir, config.FileName)
		}
		return "~/.toolrest/" + config.FileName
	}
	return st.config.File
}

// observe logs what became of a call, without its arguments or its result.
func (st *stack) observe(ctx context.Context, r dispatch.Record) {
	outcome := "done"
	if r.IsError {
		outcome = "error"
	}
	if r.Code != "" {
		outcome = string(r.Code)
	}
	who := r.Call.Caller
	st.log.LogAttrs(ctx, slog.LevelInfo, "call",
		slog.String("tool", r.Tool), slog.String("outcome", outcome), slog.Duration("took", r.Took),
		slog.String("agent", who.Agent), slog.String("surface", string(who.Surface)),
		slog.String("session", who.Session), slog.String("id", r.Call.ID))
}

// warnUntrusted says on stderr that the config only tightens.
func (st *stack) warnUntrusted(s streams) {
	if !st.config.Trusted {
		fmt.Fprintln(s.err, visible(nearby(st.notices()[0])))
	}
}

// notices are what a person should know before the tools are used: what an
// untrusted config said and does not get, and what cannot be kept here.
func (st *stack) notices() []string {
	var out []string
	if !st.config.Trusted {
		out = append(out, fmt.Sprintf("%s is not trusted: it can only tighten. Read it, then run: %s", st.config.File, config.TrustCommand(st.config.File)))
		for _, i := range st.config.Ignored {
			out = append(out, fmt.Sprintf("  ignored: %s (%s): %s", i.Path, i.Pos, i.Why))
		}
	}
	out = append(out, st.registry.Snapshot().Notes()...)
	if st.reach != "" {
		out = append(out, st.reach)
	}
	return out
}
