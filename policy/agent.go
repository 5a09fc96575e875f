package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// agent gives the entry of an agent by its normalised id. An entry without an
// id is the main agent's.
func (c *Config) agent(id string) *Agent {
	for i := range c.Agents {
		if names.AgentID(c.Agents[i].ID) == id {
			return &c.Agents[i]
		}
	}
	return nil
}

// defaultAgent is whose sessions those are that name no agent: the entry that
// says so, else the first.
func (c *Config) defaultAgent() string {
	if len(c.Agents) == 0 {
		return names.MainAgent
	}
	i := slices.IndexFunc(c.Agents, func(a Agent) bool { return a.Main })
	return names.AgentID(c.Agents[max(i, 0)].ID)
}

// agentLabel is how the layers of an agent are named.
func agentLabel(id string) string {
	if id == "" {
		return "agent tools"
	}
	return "agents." + id + ".tools"
}
