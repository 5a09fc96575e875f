package plan

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

func tool(name string, a *toolrest.Availability) toolrest.Tool {
	return toolrest.Tool{
		Descriptor: toolrest.Descriptor{Name: name, Availability: a},
		Executor: toolrest.Handler(func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
			panic("a plan runs nothing")
		}),
	}
}

func snapshot(t *testing.T, tools ...toolrest.Tool) *registry.Snapshot {
	t.Helper()
	r, err := registry.New(nil, registry.Source{Kind: registry.Core, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	return r.Snapshot()
}

// byHand makes a snapshot that no registry would.
func byHand(tools ...toolrest.Tool) *registry.Snapshot {
	s := &registry.Snapshot{}
	for _, t := range tools {
		s.Rows = append(s.Rows, &registry.Row{Tool: t, Source: "core"})
		if t.Executor != nil {
			s.Rows[len(s.Rows)-1].Ref = toolrest.ExecutorRef{Kind: toolrest.OwnerCore, Tool: t.Name}
		}
	}
	return s
}

func pipeline(deny ...string) *policy.Pipeline {
	s := policy.Section{Path: "tools", Deny: policy.List{Set: true}}
	for i, text := range deny {
		s.Deny.Entries = append(s.Deny.Entries, policy.Entry{Text: text, Pos: toolrest.Pos{File: "c.json5", Line: 2, Col: 3 + i}})
	}
	return policy.Compile(policy.Default, policy.Resolve(&policy.Config{Tools: policy.Scope{Section: s}}, policy.Context{}).Layers)
}

func TestOrder(t *testing.T) {
	first := ""
	keyed := tool("zzz", nil)
	keyed.SortKey = &first
	p, err := Build(snapshot(t, tool("b10", nil), tool("B2", nil), tool("a_b", nil), tool("a1", nil), tool("ab", nil), keyed), pipeline(), Context{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Names(), []string{"zzz", "a_b", "a1", "ab", "b10", "B2"}; !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

func TestContract(t *testing.T) {
	bare := tool("bare", nil)
	bare.Executor = nil
	for want, tools := range map[string][]toolrest.Tool{
		"duplicate-tool-name": {tool("a", nil), tool("a", nil)},
		"missing-executor":    {bare},
	} {
		_, err := Build(byHand(tools...), pipeline(), Context{})
		var contract *ContractError
		if !errors.As(err, &contract) || contract.Code != want || contract.Source != "core" {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
	// A tool that is not available needs no executor yet.
	bare.Availability = toolrest.When(toolrest.Signal{Kind: toolrest.SignalEnv, Name: "X"})
	if _, err := Build(byHand(bare), pipeline(), Context{}); err != nil {
		t.Errorf("hidden tool without executor: %v", err)
	}
}

func TestAvailability(t *testing.T) {
	signal := func(s toolrest.Signal) toolrest.Availability { return toolrest.Availability{Signal: &s} }
	env := func(name string) toolrest.Availability {
		return signal(toolrest.Signal{Kind: toolrest.SignalEnv, Name: name})
	}
	odd := signal(toolrest.Signal{Kind: "moon"})
	config := func(check string, path ...string) toolrest.Availability {
		return signal(toolrest.Signal{Kind: toolrest.SignalConfig, Check: check, Path: path})
	}
	facts := Facts{
		AuthProviders: map[string]bool{"openai": true},
		Config:        map[string]any{"a": map[string]any{"b": "", "list": []any{1.0}, "no": nil, "off": false}},
		Env:           func(name string) string { return map[string]string{"SET": "x", "BLANK": "  ", "BOM": "\ufeff"}[name] },
		Plugins:       map[string]bool{"p": true},
		Available:     func(path []string) bool { return path[len(path)-1] != "b" },
		Values:        map[string]any{"k": "v", "nil": nil, "n": 2, "list": []any{1.0}},
	}
	equals := func(key string, value any) toolrest.Availability {
		return signal(toolrest.Signal{Kind: toolrest.SignalContext, Key: key, HasEquals: true, Equals: value})
	}
	for _, c := range []struct {
		name string
		a    toolrest.Availability
		want []string
	}{
		{"always", signal(toolrest.Signal{Kind: toolrest.SignalAlways}), nil},
		{"auth", signal(toolrest.Signal{Kind: toolrest.SignalAuth, ProviderID: "openai"}), nil},
		{"auth is exact", signal(toolrest.Signal{Kind: toolrest.SignalAuth, ProviderID: "OpenAI"}), []string{"auth-missing"}},
		{"env", env("SET"), nil},
		{"env blank", env("BLANK"), []string{"env-missing"}},
		{"config exists though empty", config("", "a", "b"), nil},
		{"config exists though false", config("exists", "a", "off"), nil},
		{"config null", config("exists", "a", "no"), []string{"config-missing"}},
		{"config empty", config("non-empty", "a", "b"), []string{"config-missing"}},
		{"config list", config("non-empty", "a", "list"), nil},
		{"config through a scalar", config("", "a", "b", "c"), []string{"config-missing"}},
		{"config available", config("available", "a", "off"), nil},
		{"config available, but null", config("available", "a", "no"), []string{"config-missing"}},
		{"config not available", config("available", "a", "b"), []string{"config-missing"}},
		{"plugin", signal(toolrest.Signal{Kind: toolrest.SignalPlugin, PluginID: "q"}), []string{"plugin-disabled"}},
		{"context there, though nil", signal(toolrest.Signal{Kind: toolrest.SignalContext, Key: "nil"}), nil},
		{"context equals", signal(toolrest.Signal{Kind: toolrest.SignalContext, Key: "k", HasEquals: true, Equals: "w"}), []string{"context-mismatch"}},
		{"context equals, by its value alone", signal(toolrest.Signal{Kind: toolrest.SignalContext, Key: "k", Equals: "w"}), []string{"context-mismatch"}},
		{"context equals false, by its value alone", signal(toolrest.Signal{Kind: toolrest.SignalContext, Key: "k", Equals: false}), []string{"context-mismatch"}},
		{"context equals a number of another type", equals("n", 2.0), nil},
		{"context equals no text of it", equals("n", "2"), []string{"context-mismatch"}},
		{"context equals nil", equals("nil", nil), nil},
		{"a value that is not there equals not even nil", equals("x", nil), []string{"context-mismatch"}},
		{"a list equals nothing", equals("list", []any{1.0}), []string{"context-mismatch"}},
		{"env of a byte order mark", env("BOM"), []string{"env-missing"}},
		{"unknown signal", odd, []string{"unsupported-signal"}},
		{"empty expression", toolrest.Availability{}, []string{"unsupported-signal"}},
		{"all of", toolrest.Availability{AllOf: []toolrest.Availability{env("A"), env("SET"), env("B")}}, []string{"env-missing", "env-missing"}},
		{"all of nothing, whatever any of says", toolrest.Availability{AllOf: []toolrest.Availability{}, AnyOf: []toolrest.Availability{env("SET")}}, []string{"unsupported-signal"}},
		{"any of", toolrest.Availability{AnyOf: []toolrest.Availability{env("A"), env("SET")}}, nil},
		{"any of none", toolrest.Availability{AnyOf: []toolrest.Availability{env("A"), env("B")}}, []string{"env-missing", "env-missing"}},
		{"any of with a malformed part", toolrest.Availability{AnyOf: []toolrest.Availability{env("SET"), odd}}, []string{"unsupported-signal"}},
	} {
		var got []string
		for _, d := range evaluate(&c.a, facts) {
			got = append(got, d.Reason)
			if d.Message == "" {
				t.Errorf("%s: %s has no message", c.name, d.Reason)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNobodyAnswersForAConfigValue(t *testing.T) {
	a := toolrest.When(toolrest.Signal{Kind: toolrest.SignalConfig, Check: "available", Path: []string{"a"}})
	if got := evaluate(a, Facts{Config: map[string]any{"a": 1.0}}); len(got) != 1 || got[0].Reason != "config-missing" {
		t.Errorf("%+v", got)
	}
}

func TestResolve(t *testing.T) {
	keyless := tool("speak", toolrest.When(toolrest.Signal{Kind: toolrest.SignalAuth, ProviderID: "voice"}))
	p, err := Build(snapshot(t, tool("read", nil), tool("exec", nil), tool("edit", nil), keyless), pipeline("bash"), Context{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tool string
		code       toolrest.Code
		reason     string
	}{
		{"read", "read", "", ""},
		{" READ", "read", "", ""},
		{"exec", "exec", toolrest.CodeDenied, "denied by tools.deny, rule 'bash' (alias)"},
		{"bash", "exec", toolrest.CodeDenied, "denied by tools.deny"},
		{"speak", "speak", toolrest.CodeHidden, "no credentials for the provider voice"},
		{"web_search", "web_search", toolrest.CodeHidden, "not in this build"},
		{"browser", "browser", toolrest.CodeHidden, "plugin browser"},
		{"raed", "raed", toolrest.CodeUnknown, "no tool has this name"},
		{"calendar", "calendar", toolrest.CodeUnknown, "there are edit, read"},
	} {
		d := p.Resolve(c.name)
		if d.Tool != c.tool {
			t.Errorf("%s resolves to %s, want %s", c.name, d.Tool, c.tool)
		}
		if (d.Entry == nil) != (d.Refusal != nil) {
			t.Fatalf("%s: entry %v, refusal %v", c.name, d.Entry, d.Refusal)
		}
		if d.Refusal == nil {
			if c.code != "" {
				t.Errorf("%s is visible, want %s", c.name, c.code)
			}
			continue
		}
		if d.Refusal.Code != c.code || !strings.Contains(d.Refusal.Reason, c.reason) {
			t.Errorf("%s: %s: %s, want %s: %s", c.name, d.Refusal.Code, d.Refusal.Reason, c.code, c.reason)
		}
	}
	if got := p.Resolve("raed").Refusal.Nearest; !slices.Equal(got, []string{"read"}) {
		t.Errorf("nearest = %q", got)
	}
	if r := p.Resolve("exec").Refusal; r.Pos.String() != "c.json5:2:3" || !strings.Contains(r.Fix, "remove 'bash' from tools.deny") {
		t.Errorf("refusal %+v", r)
	}
}

// TestResolveWhatWasLeftOut: a tool whose source breaks the contract is not
// unknown; what is missing is said, and no change of the config is proposed.
func TestResolveWhatWasLeftOut(t *testing.T) {
	r, err := registry.New(&registry.Options{Check: Check},
		registry.Source{Kind: registry.Core, Tools: []toolrest.Tool{tool("read", nil)}},
		registry.Source{Kind: registry.SDK, Name: "acme", Tools: []toolrest.Tool{tool("greet", nil), tool("greet", nil), tool("web_search", nil)}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Build(r.Snapshot(), pipeline("greet"), Context{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"greet", "web_search"} {
		d := p.Resolve(name)
		if d.Refusal == nil || d.Refusal.Code != toolrest.CodeHidden || !d.Fix.Empty() ||
			d.Refusal.Reason != "not available here: sdk acme is left out: two of its tools are named greet" {
			t.Errorf("%s: %+v", name, d.Refusal)
		}
	}
}
