package config

import (
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// Config is what the file says, or the defaults. It is immutable by convention
// and may then be read by several goroutines.
type Config struct {
	// File is the absolute path of the config; empty for the defaults.
	File  string
	Found Found
	// Files are the files that were read and those that would be read if they
	// were there, as they were found and with links resolved. They are the
	// reins: no tool may write them.
	Files []string

	// Trusted is unset for a config that lies in the workspace and that the
	// user has not agreed to. Ignored then lists what it does not get, and
	// Base is what counts without it: the user's own config, or the defaults.
	// The layers of Base must stand before those of this config. Base is nil
	// for a trusted one.
	Trusted bool
	Ignored []Ignored
	Base    *Config
	// Unused are the keys of OpenClaw's that have no effect here, in the order
	// of the file.
	Unused []Unused
	// Warnings are things that count in another way than they seem to.
	Warnings []Warning

	// Workspace is an existing folder: absolute, links resolved.
	Workspace    string
	WorkspacePos toolrest.Pos
	// Policy is what policy wants to know of the file; never nil.
	Policy *policy.Config
	// Exec is the global answer to whether exec asks; always filled.
	Exec   Exec
	Agents []Agent
	// Model is the model of agents that name none, as it is written, or empty.
	Model string
	// Models are those of Base while the config is not trusted.
	Models Models

	agents  map[string]int // Agents by id
	dialect policy.Dialect
	parts   []part      // the files that were read; none for the defaults
	tree    *json5.Node // of all files; nil for the defaults
	state   string      // the state folder, or empty
}

// Exec says how commands run.
type Exec struct {
	// Ask is AskAlways or AskOff, or empty where an agent does not say.
	Ask string
	// Key is what says so: "tools.exec.ask", "tools.exec.security". It is empty
	// for the default.
	Key string
	Pos toolrest.Pos

	bound   bool // security or mode makes it ask
	unbound bool // the scope has a security of its own that does not
}

// Agent is one entry of agents.list.
type Agent struct {
	ID   string // trimmed and in lower case
	Pos  toolrest.Pos
	Exec Exec
	// Model is the agent's model as it is written, or empty: provider/model.
	Model string
	// AllowAgents are the agents that it can start beside itself.
	AllowAgents policy.List
}

// Ignored is a thing that an untrusted config says and does not get.
type Ignored struct {
	Path string
	Pos  toolrest.Pos
	Why  string
}

// Warning is a thing in the config that a person should know of.
type Warning struct {
	Path string
	Pos  toolrest.Pos
	Text string
}

// Models are the model providers.
type Models struct {
	Providers []Provider // in the order of the file
	Pos       toolrest.Pos
}

// Provider is one entry of models.providers.
type Provider struct {
	ID      string
	Pos     toolrest.Pos
	BaseURL string
	APIKey  Secret
	API     string
	Models  []Model
}

// Model is a model that a provider offers. Zero is "not written".
type Model struct {
	ID            string
	Pos           toolrest.Pos
	Name          string
	ContextWindow int // tokens
	MaxTokens     int // tokens
	Reasoning     bool
}

// Agent gives the entry of an agent, whatever the case of the id.
func (c *Config) Agent(id string) (Agent, bool) {
	id = names.Fold(id)
	i, ok := c.agents[id]
	if !ok {
		return Agent{}, false
	}
	return c.Agents[i], true
}

// HasAgent reports whether an agent can be named: an untrusted config takes none
// of the user's own away.
func (c *Config) HasAgent(id string) bool {
	_, own := c.Agent(id)
	return own || c.Base != nil && c.Base.HasAgent(id)
}

// AgentIDs gives the agents that can be named, those of the base first.
func (c *Config) AgentIDs() []string {
	var ids []string
	if c.Base != nil {
		ids = c.Base.AgentIDs()
	}
	for _, a := range c.Agents {
		if c.Base == nil || !c.Base.HasAgent(a.ID) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// ExecFor says how commands of an agent run: the agent's word counts before
// the global one. What asks without an untrusted config asks with it, too.
func (c *Config) ExecFor(agent string) Exec {
	own := c.Exec
	if a, ok := c.Agent(agent); ok {
		own = own.under(a.Exec)
	}
	if c.Base == nil {
		return own
	}
	if base := c.Base.ExecFor(agent); base.Ask != AskOff || !own.written() {
		return base
	}
	return own
}

// under gives what counts where an agent says own: its word, but to ask for
// nothing lifts no bound that was written for all.
func (e Exec) under(own Exec) Exec {
	if own.Ask == "" || e.bound && own.Ask == AskOff && !own.unbound {
		return e
	}
	return own
}

func (e Exec) written() bool { return !e.Pos.IsZero() }

// Same reports whether two loads gave the same config: nothing that counts has
// changed on disk.
func (c *Config) Same(other *Config) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.File == other.File && c.Found == other.Found && c.Trusted == other.Trusted &&
		c.Workspace == other.Workspace && slices.EqualFunc(c.parts, other.parts, part.equal) &&
		slices.Equal(c.Files, other.Files) && c.Base.Same(other.Base)
}
