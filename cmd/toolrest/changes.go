package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/internal/event"
	"github.com/toolrest/toolrest/plan"
)

// planChanges says what a swap changed for each agent, as the local user sees
// it. An agent that only one of the stacks knows has no plan in the other.
func planChanges(before, after *stack) []event.PlanChanged {
	cause := "a change of " + after.configName()
	if after.config.File != before.config.File {
		cause = "the change from " + before.configName() + " to " + after.configName()
	}
	agents := before.agents()
	for _, a := range after.agents() {
		if !slices.Contains(agents, a) {
			agents = append(agents, a)
		}
	}
	now := time.Now().UTC()
	var out []event.PlanChanged
	for _, agent := range agents {
		was, _ := before.Plan(context.Background(), cliCaller(agent)) // nil where it knows no such agent
		is, _ := after.Plan(context.Background(), cliCaller(agent))
		for _, change := range plan.Diff(was, is, cause) {
			out = append(out, event.PlanChanged{Type: event.TypePlanChanged, Time: now, Agent: agent, Change: change})
		}
	}
	return out
}

// tell records the changes for later processes and logs them.
func (d *door) tell(changes []event.PlanChanged) {
	for _, c := range changes {
		d.log.Info(c.Type, "agent", c.Agent, "tool", c.Tool, "was", c.Old.State, "is", c.New.State, "reason", c.New.Reason, "cause", c.Cause)
	}
	if d.state == nil {
		return
	}
	if err := event.OpenJournal(d.state.Dir()).Append(changes...); err != nil {
		d.log.Warn("explain will not know since when tools are gone", "error", err)
	}
}

// since gives the change that took a tool away from an agent for the reason
// that still holds, where an open door has recorded one.
func (d *door) since(agent, tool, reason string) *event.PlanChanged {
	dir, err := config.StateDir(d.opts)
	if err != nil {
		return nil
	}
	last, ok := event.OpenJournal(dir).Last(agent, tool)
	if !ok || last.New.State == plan.StateVisible || !strings.HasSuffix(reason, last.New.Reason) {
		return nil
	}
	return &last
}
