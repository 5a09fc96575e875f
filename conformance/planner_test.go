package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

var plannerAnswers = map[string]answer{
	"policy/planner:planner.plan": plannerPlan,
}

type plannerCase struct {
	Descriptors []struct {
		Name         string          `json:"name"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		SortKey      *string         `json:"sortKey"`
		Availability json.RawMessage `json:"availability"`
		Executor     *executorCase   `json:"executor"`
	} `json:"descriptors"`
	Context struct {
		Auth      []string          `json:"authProviderIds"`
		Config    map[string]any    `json:"config"`
		Env       map[string]string `json:"env"`
		Plugins   []string          `json:"enabledPluginIds"`
		Values    map[string]any    `json:"values"`
		Available *[]string         `json:"availableConfigPaths"`
	} `json:"context"`
}

// executorCase holds an executor's reference; its kind says which are set.
type executorCase struct {
	Kind       toolrest.OwnerKind `json:"kind"`
	ExecutorID string             `json:"executorId"`
	PluginID   string             `json:"pluginId"`
	ChannelID  string             `json:"channelId"`
	ServerID   string             `json:"serverId"`
	ToolName   string             `json:"toolName"`
	ActionID   string             `json:"actionId"`
}

func (e *executorCase) ref() toolrest.ExecutorRef {
	if e == nil {
		return toolrest.ExecutorRef{}
	}
	return toolrest.ExecutorRef{
		Kind: e.Kind,
		ID:   e.PluginID + e.ChannelID + e.ServerID,
		Tool: e.ExecutorID + e.ToolName + e.ActionID,
	}
}

// plannerPlan plans descriptors that no registry would hold together, without
// a policy.
func plannerPlan(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[plannerCase](t, input)
	snap, seen := &registry.Snapshot{}, signals{}
	for _, d := range in.Descriptors {
		snap.Rows = append(snap.Rows, &registry.Row{Tool: toolrest.Tool{Descriptor: toolrest.Descriptor{
			Name: d.Name, Description: d.Description, InputSchema: d.InputSchema,
			SortKey: d.SortKey, Availability: seen.availability(t, d.Availability), Ref: d.Executor.ref(),
		}}})
	}
	p, err := plan.Build(snap, policy.Compile(policy.OpenClaw, nil), plan.Context{Facts: in.facts()})
	var contract *plan.ContractError
	if errors.As(err, &contract) {
		return map[string]any{"error": map[string]any{"code": contract.Code, "toolName": contract.Tool}}, expected
	}
	if err != nil {
		t.Fatal(err)
	}
	visible, hidden := []any{}, []any{}
	for _, e := range p.Visible() {
		visible = append(visible, map[string]any{"name": e.Name, "executor": e.Ref.String()})
	}
	for _, h := range p.Hidden() {
		var diagnostics []any
		for _, d := range h.Diagnostics {
			diagnostics = append(diagnostics, map[string]any{"reason": d.Reason, "signal": seen.written(t, d.Signal)})
		}
		hidden = append(hidden, map[string]any{"name": h.Name, "diagnostics": diagnostics})
	}
	return map[string]any{"visible": visible, "hidden": hidden}, expected
}

func (c *plannerCase) facts() plan.Facts {
	f := plan.Facts{
		AuthProviders: setOf(c.Context.Auth), Config: c.Context.Config, Plugins: setOf(c.Context.Plugins),
		Values: c.Context.Values,
		Env:    func(name string) string { return c.Context.Env[name] },
	}
	if paths := c.Context.Available; paths != nil {
		f.Available = func(path []string) bool { return slices.Contains(*paths, strings.Join(path, ".")) }
	}
	return f
}

func setOf(list []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		out[s] = true
	}
	return out
}

// availability reads the form of the cases, in which a signal is not
// wrapped: what has a kind is one.
func (w signals) availability(t *testing.T, text json.RawMessage) *toolrest.Availability {
	if len(text) == 0 || bytes.Equal(text, []byte("null")) {
		return nil
	}
	in := decode[struct {
		Kind  *string           `json:"kind"`
		AllOf []json.RawMessage `json:"allOf"`
		AnyOf []json.RawMessage `json:"anyOf"`
	}](t, text)
	if in.Kind != nil {
		return &toolrest.Availability{Signal: w.read(t, text)}
	}
	return &toolrest.Availability{AllOf: w.parts(t, in.AllOf), AnyOf: w.parts(t, in.AnyOf)}
}

func (w signals) parts(t *testing.T, texts []json.RawMessage) []toolrest.Availability {
	if texts == nil {
		return nil
	}
	out := make([]toolrest.Availability, len(texts))
	for i, text := range texts {
		if a := w.availability(t, text); a != nil {
			out[i] = *a
		}
	}
	return out
}

// signals remembers how each signal was written in the case: what a field of
// ours leaves out may have stood there empty.
type signals map[string]json.RawMessage

func (w signals) read(t *testing.T, text json.RawMessage) *toolrest.Signal {
	s := decode[toolrest.Signal](t, text)
	_, s.HasEquals = decode[map[string]any](t, text)["equals"]
	w[w.key(t, &s)] = text
	return &s
}

// written gives the text of a signal of the case, and nil for any other.
func (w signals) written(t *testing.T, s *toolrest.Signal) any {
	if s == nil {
		return nil
	}
	return w[w.key(t, s)]
}

func (signals) key(t *testing.T, s *toolrest.Signal) string {
	text, err := json.Marshal([]any{s, s.HasEquals})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
