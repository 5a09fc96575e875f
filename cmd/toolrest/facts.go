package main

import (
	"os"
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
)

// factsOf is what availability is judged by: the credentials, the config and
// the environment.
func factsOf(cfg *config.Config) plan.Facts {
	values := cfg.Values()
	return plan.Facts{
		AuthProviders: credentials(cfg),
		Config:        values,
		Env:           os.Getenv,
		Plugins:       enabledPlugins(values),
	}
}

// credentials are the providers that something opens: a key in the config or
// in the environment.
func credentials(cfg *config.Config) map[string]bool {
	out := map[string]bool{}
	for _, p := range cfg.Models.Providers {
		if !p.APIKey.IsZero() {
			out[p.ID] = true
		}
	}
	for _, p := range model.Providers() {
		if p.KeyEnv != "" && os.Getenv(p.KeyEnv) != "" {
			out[p.ID] = true
		}
	}
	return out
}

// enabledPlugins are the entries of plugins.entries that nothing switches off:
// neither the entry, nor plugins.deny, nor a list of plugins.allow without them,
// nor plugins.enabled.
func enabledPlugins(values map[string]any) map[string]bool {
	plugins, _ := values["plugins"].(map[string]any)
	out := map[string]bool{}
	if isOff(plugins) {
		return out
	}
	entries, _ := plugins["entries"].(map[string]any)
	allow, _ := plugins["allow"].([]any)
	deny, _ := plugins["deny"].([]any)
	for id, entry := range entries {
		e, _ := entry.(map[string]any)
		if !isOff(e) && !slices.Contains(deny, any(id)) && (len(allow) == 0 || slices.Contains(allow, any(id))) {
			out[id] = true
		}
	}
	return out
}

// isOff reports whether a section is switched off; one that does not say is on.
func isOff(section map[string]any) bool {
	on, written := section["enabled"].(bool)
	return written && !on
}

// factsFor adds what a tool can ask of its caller.
func (st *stack) factsFor(who toolrest.Caller) plan.Facts {
	f := st.facts
	owner := policy.Owner(st.config.Policy, policy.Context{Caller: who, Run: st.run})
	f.Values = map[string]any{
		"agentId": who.Agent, "surface": string(who.Surface), "senderIsOwner": owner,
	}
	for key, value := range map[string]string{
		"sessionKey": who.Session, "modelProvider": who.Provider, "modelId": who.Model,
		"channel": who.Channel, "accountId": who.Account, "groupId": who.Group, "senderId": who.Sender.ID,
	} {
		if value != "" {
			f.Values[key] = value
		}
	}
	return f
}
