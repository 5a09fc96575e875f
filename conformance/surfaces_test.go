package conformance

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

// bare are the core tools that are there in an environment without keys, those
// that a run has to ask for among them.
var bare = []string{
	"read", "edit", "write", "apply_patch", "exec", "process", "nodes", "cron", "message", "heartbeat_respond", "tts",
	"gateway", "agents_list", "get_goal", "create_goal", "update_goal", "skill_workshop", "update_plan",
	"sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "sessions_yield", "subagents",
	"session_status", "web_search", "web_fetch",
}

// asSets gives the tools of both in one order: which of them there are is what
// counts.
func asSets(tools []string, expected any) (any, any) {
	want := expected.(object)
	list := []string{}
	for _, name := range want["tools"].([]any) {
		list = append(list, name.(string))
	}
	slices.Sort(tools)
	slices.Sort(list)
	got := object{"tools": tools}
	sorted := object{"tools": list}
	if id, ok := want["agentId"]; ok {
		sorted["agentId"] = id
	}
	return got, sorted
}

func sayCoding(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config  json.RawMessage
		Options struct {
			circumstances
			AgentAccountID                          string
			SenderIsOwner                           bool
			Sandboxed                               string `json:"sandboxed"` // hides that of circumstances
			RuntimeToolAllowlist                    []string
			EnableHeartbeatTool, DisableMessageTool bool
			ForceMessageTool                        bool
			SourceReplyDeliveryMode                 string
		}
	}](t, input)
	o := in.Options
	ctx := o.context()
	ctx.Surface, ctx.Owner, ctx.Account, ctx.Sandbox = toolrest.SurfaceAgent, o.SenderIsOwner, o.AgentAccountID, "off"
	if o.Sandboxed != "" {
		ctx.Sandbox = "on"
	}
	ctx.Run = policy.Run{
		Allow: listOf(o.RuntimeToolAllowlist), Heartbeat: o.EnableHeartbeatTool, NoMessage: o.DisableMessageTool,
		Message: o.ForceMessageTool, Replies: o.SourceReplyDeliveryMode, ReadOnly: o.Sandboxed == "ro",
	}
	res := policy.Resolve(readPolicy(t, in.Config), ctx)
	// The builder that answered leaves the run's own list to its caller.
	layers := slices.DeleteFunc(res.Layers, func(l policy.Layer) bool { return l.Label == policy.LabelRun })
	return asSets(kept(layers, toolsNamed(bare)), expected)
}

func sayGateway(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config  json.RawMessage
		Request struct {
			SessionKey, Surface, MessageProvider, AccountID string
			SenderIsOwner                                   *bool
			GatewayRequestedTools, ExcludeToolNames         []string
			InboundEventKind, SourceReplyDeliveryMode       string
		}
	}](t, input)
	r := in.Request
	ctx := policy.Context{
		Caller: toolrest.Caller{
			Session: r.SessionKey, Channel: r.MessageProvider, Account: r.AccountID, Surface: toolrest.SurfaceHTTP,
			Owner: r.SenderIsOwner != nil && *r.SenderIsOwner,
		},
		Run: policy.Run{
			Requested: r.GatewayRequestedTools, Exclude: r.ExcludeToolNames,
			Replies: policy.RepliesTo(r.InboundEventKind, r.MessageProvider),
		},
	}
	if r.SourceReplyDeliveryMode != "" {
		ctx.Run.Replies = r.SourceReplyDeliveryMode
	}
	if r.Surface == "loopback" {
		// Who does not say otherwise is the owner there.
		ctx.Run.Loopback = true
		ctx.Owner = r.SenderIsOwner == nil || *r.SenderIsOwner
	}
	res := policy.Resolve(readPolicy(t, in.Config), ctx)
	got, want := asSets(kept(res.Layers, toolsNamed(bare)), expected)
	got.(object)["agentId"] = res.AgentID
	return got, want
}

func saySkillDispatch(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Config json.RawMessage
		Params struct {
			SessionKey, AgentID, Provider, Model string
			SenderID, GroupID                    string
			SessionEntry                         struct{ GroupID, SpawnedBy string }
			Message                              struct {
				Surface, Provider, AccountID                     string
				SenderID, SenderName, SenderUsername, SenderE164 string
			}
		}
	}](t, input)
	p := in.Params
	m := p.Message
	ctx := policy.Context{Caller: toolrest.Caller{
		Agent: p.AgentID, Session: p.SessionKey, Surface: toolrest.SurfaceSkill, Provider: p.Provider, Model: p.Model,
		Channel: policy.ChatOf(m.Surface, m.Provider), Account: m.AccountID,
		Group: firstText(p.SessionEntry.GroupID, p.GroupID), SpawnedBy: p.SessionEntry.SpawnedBy,
		Sender: toolrest.Sender{
			ID: firstText(m.SenderID, p.SenderID), Name: m.SenderName, Username: m.SenderUsername, E164: m.SenderE164,
		},
	}}
	res := policy.Resolve(readPolicy(t, in.Config), ctx)
	return asSets(kept(res.Layers, toolsNamed(bare)), expected)
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
