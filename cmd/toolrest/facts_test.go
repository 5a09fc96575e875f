package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// signals are one of each kind that the world answers, by the names of tools
// that depend on it.
var signals = map[string]toolrest.Signal{
	"vendor":  {Kind: toolrest.SignalAuth, ProviderID: "anthropic"},
	"own":     {Kind: toolrest.SignalAuth, ProviderID: "own"},
	"search":  {Kind: toolrest.SignalConfig, Path: []string{"tools", "web", "search", "enabled"}},
	"env":     {Kind: toolrest.SignalEnv, Name: "FACTS_TEST"},
	"notes":   {Kind: toolrest.SignalPlugin, PluginID: "notes"},
	"channel": {Kind: toolrest.SignalContext, Key: "channel", Equals: "chatx"},
	"owner":   {Kind: toolrest.SignalContext, Key: "senderIsOwner", Equals: true},
}

// available are the tools for which the facts of a config and a caller suffice.
func available(t *testing.T, text string, who toolrest.Caller) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.json5")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(&config.Options{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	source := registry.Source{Kind: registry.Core}
	for name, signal := range signals {
		source.Tools = append(source.Tools, toolrest.Tool{
			Descriptor: toolrest.Descriptor{Name: name, Availability: toolrest.When(signal)},
			Executor:   toolrest.Lazy(func(context.Context) (toolrest.Executor, error) { return nil, errors.New("not called") }),
		})
	}
	r, err := registry.New(nil, source)
	if err != nil {
		t.Fatal(err)
	}
	st := &stack{config: cfg, facts: factsOf(cfg)}
	p, err := plan.Build(r.Snapshot(), policy.Compile(policy.Default, nil), plan.Context{Caller: who, Facts: st.factsFor(who)})
	if err != nil {
		t.Fatal(err)
	}
	return p.Names()
}

// TestFactsAreTheWorlds: a tool is there when what it depends on is, in the
// environment, in the config and in who asks.
func TestFactsAreTheWorlds(t *testing.T) {
	seven := toolrest.Caller{Agent: "main", Channel: "chatx", Sender: toolrest.Sender{ID: "7"}}
	for _, c := range []struct {
		name, config string
		env          map[string]string
		who          toolrest.Caller
		want         []string
	}{
		{name: "nothing", config: "{}"},
		{name: "a vendor's key", config: "{}", env: map[string]string{"ANTHROPIC_API_KEY": "k"}, want: []string{"vendor"}},
		{name: "a key in the config", config: "{ models: { providers: { own: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k', models: [] } } } }", want: []string{"own"}},
		{name: "a provider without a key", config: "{ models: { providers: { own: { baseUrl: 'http://127.0.0.1:1/v1', models: [] } } } }"},
		{name: "a value of the config", config: "{ tools: { web: { search: { enabled: false } } } }", want: []string{"search"}},
		{name: "a variable", config: "{}", env: map[string]string{"FACTS_TEST": "1"}, want: []string{"env"}},
		{name: "a blank one", config: "{}", env: map[string]string{"FACTS_TEST": " "}},
		{name: "a plugin", config: "{ plugins: { entries: { notes: {} } } }", want: []string{"notes"}},
		{name: "one that is on", config: "{ plugins: { allow: ['notes'], entries: { notes: { enabled: true } } } }", want: []string{"notes"}},
		{name: "one that is off", config: "{ plugins: { entries: { notes: { enabled: false } } } }"},
		{name: "one that is denied", config: "{ plugins: { deny: ['notes'], entries: { notes: { enabled: true } } } }"},
		{name: "one that is not among the allowed", config: "{ plugins: { allow: ['other'], entries: { notes: {} } } }"},
		{name: "plugins are off", config: "{ plugins: { enabled: false, entries: { notes: { enabled: true } } } }"},
		{name: "a chat", config: "{}", who: seven, want: []string{"channel"}},
		{name: "the owner's chat", config: "{ commands: { ownerAllowFrom: ['7'] } }", who: seven, want: []string{"channel", "owner"}},
		{name: "the local user", config: "{}", who: cliCaller("main"), want: []string{"owner"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TOOLREST_STATE", t.TempDir())
			for _, p := range model.Providers() {
				if p.KeyEnv != "" {
					t.Setenv(p.KeyEnv, c.env[p.KeyEnv])
				}
			}
			t.Setenv("FACTS_TEST", c.env["FACTS_TEST"])
			if got := available(t, c.config, c.who); !slices.Equal(got, c.want) {
				t.Errorf("available: %q, want %q", got, c.want)
			}
		})
	}
}
