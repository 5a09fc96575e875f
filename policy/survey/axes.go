package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// Names for what the config mentions only by leaving it to a star.
const (
	anotherGroup   = "any-other"
	anotherAccount = "any-other"
	anotherSession = "another"
)

// axesOf gives the traits of each kind that the configs mention for an agent;
// those that combine with all others come first.
func axesOf(configs []*policy.Config, agent string, o Options) [][]trait {
	var layers []*policy.Config
	for _, cfg := range configs {
		for ; cfg != nil; cfg = cfg.Base {
			layers = append(layers, cfg)
		}
	}
	a := &axes{agent: agent}
	for _, cfg := range layers {
		a.add(cfg)
	}
	sandbox := []trait{{words: "sandboxed", sandbox: "on"}}
	if !o.Forced {
		sandbox = nil
		if a.modes {
			sandbox = []trait{{words: "another session", session: anotherSession}}
		}
	}
	var surface, run []trait
	if o.Forced {
		run = []trait{
			{words: "a heartbeat that is answered by message", run: answering},
			{words: "a run with tool search", run: searching},
			{words: "a heartbeat with tool search", run: doingBoth},
		}
		a.models = append(a.models, trait{words: "a model that keeps a plan", provider: "openai", model: "gpt-5"})
	}
	if a.door || o.Forced {
		surface = []trait{{words: "over HTTP", surface: toolrest.SurfaceHTTP}}
	}
	var stranger []trait
	if !o.Forced { // a stranger has no tool that the owner lacks
		stranger = []trait{{words: "not the local user", stranger: true}}
	}
	return [][]trait{unique(a.senders), run, unique(a.models), unique(a.groups), a.depths(), sandbox, surface, stranger}
}

// axes collects what configs mention.
type axes struct {
	agent                   string
	senders, models, groups []trait
	deepest                 int
	modes                   bool // a sandbox mode other than off
	door                    bool // the HTTP door has lists of its own
}

func (a *axes) add(cfg *policy.Config) {
	scopes := []*policy.Scope{&cfg.Tools}
	for i := range cfg.Agents {
		if agent := &cfg.Agents[i]; names.AgentID(agent.ID) == a.agent {
			scopes = append(scopes, &agent.Tools)
			a.modes = a.modes || sandboxes(agent.SandboxMode)
		}
	}
	var providers, models []string
	for _, s := range scopes {
		for _, k := range s.BySender {
			a.senders = append(a.senders, senderOf(k.Key))
		}
		for _, k := range s.ByProvider {
			providers = append(providers, names.ProviderKey(k.Key))
		}
		for _, e := range s.ApplyPatch.AllowModels.Entries {
			models = append(models, names.Fold(e.Text))
		}
		if s.WebSearch.Native {
			a.models = append(a.models, trait{words: "a model that searches by itself", provider: "openai", api: "openai-chatgpt-responses"})
		}
	}
	a.models = append(a.models, modelsOf(providers, models)...)
	for _, e := range cfg.Owners.Entries {
		a.senders = append(a.senders, senderOf(e.Text))
	}
	for i := range cfg.Channels {
		a.groups = append(a.groups, groupsOf(&cfg.Channels[i])...)
	}
	a.deepest = max(a.deepest, cfg.Defaults.MaxSpawnDepth)
	a.modes = a.modes || sandboxes(cfg.Defaults.SandboxMode)
	a.door = a.door || len(cfg.Gateway.Allow.Entries)+len(cfg.Gateway.Deny.Entries) > 0
}

func sandboxes(mode string) bool { return mode != "" && mode != "off" }

// depths are the roles that a sub-agent can have: one that may start others,
// and one that may not.
func (a *axes) depths() []trait {
	deepest := max(1, a.deepest)
	out := []trait{{words: fmt.Sprintf("sub-agent at depth %d", deepest), depth: deepest}}
	if deepest > 1 {
		out = append(out, trait{words: "sub-agent at depth 1", depth: 1})
	}
	return out
}

// modelsOf gives the models of byProvider keys, and those that only may patch,
// the latter also below each provider.
func modelsOf(providers, models []string) []trait {
	var out []trait
	add := func(provider, model string) {
		t := trait{words: "provider " + provider, provider: provider, model: model}
		if model != "" {
			t.words = "model " + provider + "/" + model
		}
		out = append(out, t)
	}
	for _, key := range slices.Concat(providers, models) {
		provider, model, cut := strings.Cut(key, "/")
		if cut && provider != "" || slices.Contains(providers, key) {
			add(provider, model)
		}
	}
	for _, model := range models {
		if strings.Contains(model, "/") {
			continue
		}
		for _, key := range append([]string{"any"}, providers...) {
			if !strings.Contains(key, "/") {
				add(key, model)
			}
		}
	}
	return out
}

// groupsOf gives the group chats of a channel, each alone and with each of the
// senders that it names.
func groupsOf(ch *policy.Channel) []trait {
	var out []trait
	fallback := ""
	for i := range ch.Accounts {
		a := &ch.Accounts[i]
		if len(a.Groups) > 0 || a.HasGroups {
			out = append(out, groupTraits(ch.ID, a.ID, a.Groups)...)
			fallback = anotherAccount
		}
	}
	return append(groupTraits(ch.ID, fallback, ch.Groups), out...)
}

func groupTraits(channel, account string, groups []policy.Group) []trait {
	var out []trait
	for i := range groups {
		g := &groups[i]
		t := trait{channel: channel, account: account, group: g.ID, words: "group " + g.ID + " of " + channel}
		if g.ID == "*" {
			t.group, t.words = anotherGroup, "any other group of "+channel
		}
		if account != "" {
			t.words += " (account " + account + ")"
		}
		out = append(out, t)
		for _, k := range g.BySender {
			s := senderOf(k.Key)
			if s.channel != "" && s.channel != channel {
				continue
			}
			with := t
			with.sender, with.words = s.sender, t.words+", "+s.words
			out = append(out, with)
		}
	}
	return out
}

// senderOf gives the sender whom a key of toolsBySender names. The star names
// everybody, so also those of whom nothing is known.
func senderOf(key string) trait {
	text := names.Trim(key)
	t := trait{words: "sender " + text}
	kind, value, ok := strings.Cut(text, ":")
	value = names.Trim(value)
	switch {
	case text == "*":
		return trait{}
	case ok && strings.EqualFold(kind, "e164"):
		t.sender.E164 = value
	case ok && strings.EqualFold(kind, "username"):
		t.sender.Username = value
	case ok && strings.EqualFold(kind, "name"):
		t.sender.Name = value
	case ok && strings.EqualFold(kind, "id"):
		t.sender.ID = value
	case ok && strings.EqualFold(kind, "channel"):
		channel, id, _ := strings.Cut(value, ":")
		t.channel, t.sender.ID = names.Fold(channel), names.Trim(id)
	default:
		t.sender.ID = text
	}
	return t
}

// unique drops traits that say nothing and those that are there already.
func unique(traits []trait) []trait {
	seen := map[trait]bool{}
	var out []trait
	for _, t := range traits {
		bare := t
		if bare.words = ""; bare != (trait{}) && !seen[bare] {
			seen[bare] = true
			out = append(out, t)
		}
	}
	return out
}
