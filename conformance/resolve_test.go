package conformance

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
)

var resolveAnswers = map[string]answer{
	"policy/policy:policy.pick":          answerPick,
	"policy/policy:policy.profileMerge":  answerProfileMerge,
	"policy/policy:policy.byProvider":    answerByProvider,
	"policy/policy:policy.sender":        answerSender,
	"policy/policy:policy.groupContext":  answerGroupContext,
	"policy/policy:policy.group":         answerGroup,
	"policy/policy:policy.sandbox":       answerSandbox,
	"policy/policy:policy.sandboxStatus": answerSandboxStatus,
	"policy/policy:policy.subagent":      answerSubagent,
	"policy/config:policy.config":        answerConfig,
}

// circumstances are a case's context.
type circumstances struct {
	SessionKey      string                     `json:"sessionKey"`
	AgentID         string                     `json:"agentId"`
	ModelProvider   string                     `json:"modelProvider"`
	ModelID         string                     `json:"modelId"`
	ModelAPI        string                     `json:"modelApi"`
	MessageProvider string                     `json:"messageProvider"`
	GroupID         string                     `json:"groupId"`
	SpawnedBy       string                     `json:"spawnedBy"`
	AccountID       string                     `json:"accountId"`
	SenderID        string                     `json:"senderId"`
	SenderName      string                     `json:"senderName"`
	SenderUsername  string                     `json:"senderUsername"`
	SenderE164      string                     `json:"senderE164"`
	Sandboxed       *bool                      `json:"sandboxed"`
	AlsoAllow       []string                   `json:"runtimeAlsoAllow"`
	SessionStore    map[string]json.RawMessage `json:"sessionStore"`
}

func (c circumstances) context() policy.Context {
	ctx := policy.Context{
		Caller: toolrest.Caller{
			Agent: c.AgentID, Session: c.SessionKey, Provider: c.ModelProvider, Model: c.ModelID, API: c.ModelAPI,
			Channel: c.MessageProvider, Account: c.AccountID, Group: c.GroupID, SpawnedBy: c.SpawnedBy,
			Sender: toolrest.Sender{ID: c.SenderID, Name: c.SenderName, Username: c.SenderUsername, E164: c.SenderE164},
		},
		Run:      policy.Run{Also: c.AlsoAllow},
		Sessions: sessions(c.SessionStore),
	}
	if c.Sandboxed != nil {
		ctx.Sandbox = "off"
		if *c.Sandboxed {
			ctx.Sandbox = "on"
		}
	}
	return ctx
}

// sessions reads what a case stores of sessions.
func sessions(store map[string]json.RawMessage) func(string) (policy.Session, bool) {
	return func(key string) (policy.Session, bool) {
		var s struct {
			SpawnDepth   any      `json:"spawnDepth"`
			SpawnedBy    string   `json:"spawnedBy"`
			Role         string   `json:"subagentRole"`
			ControlScope string   `json:"subagentControlScope"`
			Allow        []string `json:"inheritedToolAllow"`
			Deny         []string `json:"inheritedToolDeny"`
		}
		text, ok := store[key]
		if !ok || json.Unmarshal(text, &s) != nil {
			return policy.Session{}, false
		}
		return policy.Session{
			SpawnDepth: depth(s.SpawnDepth), SpawnedBy: s.SpawnedBy, Role: s.Role, ControlScope: s.ControlScope,
			InheritedAllow: s.Allow, InheritedDeny: s.Deny,
		}, true
	}
}

// depth reads a whole number, which may also be written as text.
func depth(v any) *int {
	n, err := -1, error(nil)
	switch v := v.(type) {
	case float64:
		if n = int(v); float64(n) != v {
			return nil
		}
	case string:
		n, err = strconv.Atoi(strings.TrimSpace(v))
	}
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// readPolicy reads a case's config as it is.
func readPolicy(t *testing.T, text json.RawMessage) *policy.Config {
	t.Helper()
	if len(text) == 0 || string(text) == "null" {
		text = json.RawMessage("{}")
	}
	cfg, err := config.ReadPolicy("case.json", text)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Dialect = policy.OpenClaw
	return cfg
}

func layerAt(r policy.Resolution, at policy.Place) *policy.Layer {
	for i := range r.Layers {
		if r.Layers[i].Place == at {
			return &r.Layers[i]
		}
	}
	return nil
}

// said gives a layer as the cases write a policy; nil stands for none.
func said(l *policy.Layer) any {
	if l == nil || l.Allow == nil && l.Deny == nil {
		return nil
	}
	out := map[string]any{}
	if l.Allow != nil {
		out["allow"] = texts(l.Allow)
	}
	if l.Deny != nil {
		out["deny"] = texts(l.Deny)
	}
	return out
}

func texts(list []policy.Entry) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Text
	}
	return out
}

func answerPick(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Config json.RawMessage }](t, input)
	cfg := readPolicy(t, json.RawMessage(`{"tools":`+string(in.Config)+`}`))
	l := layerAt(policy.Resolve(cfg, policy.Context{}), policy.PlaceTools)
	return map[string]any{"policy": said(l), "implicitAllowAll": l != nil && l.Implicit}, expected
}

func answerProfileMerge(t *testing.T, input json.RawMessage, expected any) (any, any) {
	cfg := readPolicy(t, json.RawMessage(`{"tools":`+string(input)+`}`))
	r := policy.Resolve(cfg, policy.Context{})
	return map[string]any{"policy": said(layerAt(r, policy.PlaceProfile))}, expected
}

func answerByProvider(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		ByProvider      json.RawMessage
		Provider, Model string
	}](t, input)
	if in.ByProvider == nil {
		in.ByProvider = json.RawMessage("null")
	}
	cfg := readPolicy(t, json.RawMessage(`{"tools":{"byProvider":`+string(in.ByProvider)+`}}`))
	r := policy.Resolve(cfg, policy.Context{Caller: toolrest.Caller{Provider: in.Provider, Model: in.Model}})
	if r.ProviderKey == "" {
		return map[string]any{}, expected
	}
	return map[string]any{"key": r.ProviderKey}, expected
}

// configCase is an input that is a config and its circumstances.
type configCase struct {
	Config  json.RawMessage `json:"config"`
	Context circumstances   `json:"context"`
	Tools   []rawTool       `json:"tools"`
}

func answerSender(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[configCase](t, input)
	r := policy.Resolve(readPolicy(t, in.Config), in.Context.context())
	return map[string]any{"policy": said(layerAt(r, policy.PlaceSender))}, expected
}

func answerGroupContext(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[circumstances](t, input)
	r := policy.Resolve(&policy.Config{}, in.context())
	out := map[string]any{"groupIds": append([]string{}, r.Groups...)}
	if r.Channel != "" {
		out["channel"] = r.Channel
	}
	return out, expected
}

func answerGroup(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[configCase](t, input)
	r := policy.Resolve(readPolicy(t, in.Config), in.Context.context())
	return map[string]any{"policy": said(layerAt(r, policy.PlaceGroup)), "groupIdDropped": r.GroupRefused}, expected
}

// sandboxed gives the layer of the sandbox as the cases write it: with its
// groups taken apart.
func sandboxed(l *policy.Layer) map[string]any {
	return map[string]any{
		"allow": append([]string{}, policy.Expand(policy.OpenClaw, texts(l.Allow))...),
		"deny":  append([]string{}, policy.Expand(policy.OpenClaw, texts(l.Deny))...),
	}
}

var index = regexp.MustCompile(`\[\d+\]`)

// source says where a list of the sandbox stands, as the cases do.
func source(path, list string) map[string]any {
	switch {
	case path == "":
		return map[string]any{"source": "default", "key": "tools.sandbox.tools." + list}
	case strings.HasPrefix(path, "agents."):
		return map[string]any{"source": "agent", "key": index.ReplaceAllString(path, "[]")}
	}
	return map[string]any{"source": "global", "key": path}
}

func answerSandbox(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config  json.RawMessage
		AgentID string
		Names   []string
	}](t, input)
	ctx := policy.Context{Caller: toolrest.Caller{Session: "agent:" + in.AgentID + ":main", Sandbox: "on"}}
	r := policy.Resolve(readPolicy(t, in.Config), ctx)
	l := layerAt(r, policy.PlaceSandbox)
	out := sandboxed(l)
	out["sources"] = map[string]any{"allow": source(r.SandboxAllow, "allow"), "deny": source(r.SandboxDeny, "deny")}
	p := policy.Compile(policy.OpenClaw, []policy.Layer{*l})
	allowed := []bool{}
	for _, name := range in.Names {
		allowed = append(allowed, p.Decide(policy.Tool{Name: name}).Kept)
	}
	out["allowed"] = allowed
	return out, expected
}

func answerSandboxStatus(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config     json.RawMessage
		SessionKey string
	}](t, input)
	r := policy.Resolve(readPolicy(t, in.Config), policy.Context{Caller: toolrest.Caller{Session: in.SessionKey}})
	return map[string]any{
		"agentId": r.SandboxAgent, "mode": r.SandboxMode, "mainSessionKey": r.MainSession, "sandboxed": r.Sandboxed,
	}, expected
}

func answerSubagent(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config json.RawMessage
		circumstances
	}](t, input)
	r := policy.Resolve(readPolicy(t, in.Config), in.context())
	return map[string]any{
		"isSubagent": r.Subagent, "depth": r.Depth, "role": r.Role, "controlScope": r.Scope,
		"policy":    said(layerAt(r, policy.PlaceSubagent)),
		"inherited": said(layerAt(r, policy.PlaceInherited)),
	}, expected
}

func answerConfig(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[configCase](t, input)
	cfg := readPolicy(t, in.Config)
	r := policy.Resolve(cfg, in.Context.context())
	out := map[string]any{"sandboxed": r.Sandboxed, "subagent": r.Subagent, "layers": allLayers(r)}
	for key, text := range map[string]string{"agentId": r.AgentID, "profile": r.Profile, "providerProfile": r.ProviderProfile} {
		if text != "" {
			out[key] = text
		}
	}
	tools, plugins := writtenTools(in.Tools)
	around := policy.Compile(policy.OpenClaw, layersAt(r, policy.PlaceMessageProvider, policy.PlaceModel))
	tools = slices.DeleteFunc(tools, func(tool policy.Tool) bool { return !around.Decide(tool).Kept })
	layers := layersAt(r, policy.PlaceProfile, policy.PlaceInherited)
	if i := slices.IndexFunc(layers, func(l policy.Layer) bool { return l.Place == policy.PlaceSandbox }); i >= 0 {
		layers[i].Deny = writtenEntries(policy.Expand(policy.OpenClaw, texts(layers[i].Deny))) // the log names the members of groups
	}
	p := policy.CompileWith(policy.OpenClaw, layers, &policy.Options{Plugins: plugins})
	kept := []string{}
	for _, tool := range tools {
		if p.Decide(tool).Kept {
			kept = append(kept, tool.Name)
		}
	}
	out["tools"], out["removed"] = kept, policy.Removals(p, tools)
	return out, without(expected, "warnings", "profileWarnings") // lint says more
}

// layersAt gives the layers that stand at the places from first to last.
func layersAt(r policy.Resolution, first, last policy.Place) []policy.Layer {
	return slices.DeleteFunc(slices.Clone(r.Layers), func(l policy.Layer) bool { return l.Place < first || l.Place > last })
}

// allLayers gives the eleven layers of a config, also those that say nothing.
func allLayers(r policy.Resolution) []any {
	var out []any
	for at := policy.PlaceProfile; at <= policy.PlaceInherited; at++ {
		l := layerAt(r, at)
		layer := map[string]any{"label": r.Label(at), "policy": said(l)}
		if l != nil && at == policy.PlaceSandbox {
			layer["policy"] = sandboxed(l)
		}
		if l != nil && l.Label != r.Label(at) {
			layer["label"] = l.Label
		}
		out = append(out, layer)
	}
	return out
}
