package conformance

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/registry"
)

var registryAnswers = map[string]answer{
	"policy/registry:registry.run": registryRun,
}

// registeredTool is a tool in a case.
type registeredTool struct {
	Name       string   `json:"name"`
	Snippet    string   `json:"snippet"`
	Guidelines []string `json:"guidelines"`
}

type registryScript struct {
	Session struct {
		BuiltIn    []registeredTool `json:"builtin"`
		Custom     []registeredTool `json:"custom"`
		Extension  []registeredTool `json:"extension"`
		Allowed    []string         `json:"allowedToolNames"`
		NoBuiltIns bool             `json:"disableBuiltInTools"`
	} `json:"session"`
	Actions []struct {
		Do      string           `json:"do"`
		Names   []string         `json:"names"`
		Tools   []registeredTool `json:"tools"`
		Options *struct {
			Active []string `json:"activeToolNames"`
			All    bool     `json:"includeAllExtensionTools"`
		} `json:"options"`
	} `json:"actions"`
}

// registryRun plays a script on a registry and a session. In the cases a
// registry is empty until its first refresh.
func registryRun(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[registryScript](t, input)
	reg, err := registry.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	session := registry.NewSession(reg, &registry.SessionOptions{Allowed: in.Session.Allowed, NoBuiltIns: in.Session.NoBuiltIns})
	var states []any
	for _, a := range in.Actions {
		switch a.Do {
		case "setExtension":
			in.Session.Extension = a.Tools
		case "setCustom":
			in.Session.Custom = a.Tools
		case "setActive":
			session.SetActive(a.Names...)
		case "refresh":
			if err := reg.Refresh(in.sources()...); err != nil {
				t.Fatal(err)
			}
			var opts registry.RefreshOptions
			if a.Options != nil {
				opts = registry.RefreshOptions{Active: a.Options.Active, All: a.Options.All}
			}
			session.Refresh(&opts)
		default:
			t.Fatalf("unknown action %q", a.Do)
		}
		states = append(states, stateOf(session.View()))
	}
	return map[string]any{"states": states}, expected
}

// sources makes a source of each tool: in the cases the sources are not told
// apart, and a name may come twice.
func (s *registryScript) sources() []registry.Source {
	var out []registry.Source
	add := func(kind registry.Kind, tools []registeredTool) {
		for i, tool := range tools {
			out = append(out, registry.Source{
				Kind: kind, Name: strconv.Itoa(i),
				Tools:   []toolrest.Tool{{Descriptor: toolrest.Descriptor{Name: tool.Name}, Executor: toolrest.Handler(neverCalled)}},
				Prompts: map[string]registry.Prompt{tool.Name: {Snippet: tool.Snippet, Guidelines: tool.Guidelines}},
			})
		}
	}
	add(registry.Core, s.Session.BuiltIn)
	add(registry.Extension, s.Session.Extension)
	add(registry.SDK, s.Session.Custom)
	return out
}

func neverCalled(context.Context, *toolrest.Call) (*toolrest.Result, error) {
	panic("a tool was called")
}

func stateOf(v *registry.View) any {
	from := map[registry.Kind]string{registry.Core: "builtin", registry.Extension: "extension", registry.SDK: "custom"}
	rows, snippets, guidelines := []any{}, map[string]any{}, map[string]any{}
	for _, row := range v.Rows {
		rows = append(rows, map[string]any{"name": row.Name, "from": from[row.Kind]})
		if row.Prompt.Snippet != "" {
			snippets[row.Name] = row.Prompt.Snippet
		}
		if len(row.Prompt.Guidelines) > 0 {
			guidelines[row.Name] = row.Prompt.Guidelines
		}
	}
	return map[string]any{"registry": rows, "active": v.Names(), "snippets": snippets, "guidelines": guidelines}
}
