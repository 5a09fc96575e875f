package policy

import "github.com/toolrest/toolrest"

// Config is everything that a config file says about who may use which tools.
// It is a value of plain data: whoever reads a file fills it, and the resolvers
// of this package accept also what a loader would refuse.
type Config struct {
	Dialect Dialect
	// DefaultProfile counts where no scope sets a profile; empty is none.
	DefaultProfile string
	// Base, when set, is what counts without this config, which is not trusted:
	// the layers of Base stand before those of this one, and its owners count.
	Base *Config
	// Baseline, when set, stands before all others, in place of the profile of
	// Base.
	Baseline *Layer
	Tools    Scope
	Defaults AgentDefaults
	Agents   []Agent // in the order of the file
	Channels []Channel
	Gateway  Section // gateway.tools: the deny and the lifted default denies of HTTP invocation
	// Owners are the entries of commands.ownerAllowFrom.
	Owners List
	// MainKey and SessionScope are session.mainKey and session.scope.
	MainKey      string
	SessionScope string
	// AuthProfiles are the entries of auth.profiles.
	AuthProfiles []AuthProfile
	// MCPServers are the names of the servers, in the order of the file, and
	// whether each is switched on.
	MCPServers []Server
}

// Scope is one scope's say about tools: the global tools section, or that of
// an agent.
type Scope struct {
	Section
	ByProvider []KeyedSection
	BySender   []KeyedSection // toolsBySender
	Sandbox    Section        // sandbox.tools
	Subagents  Section        // subagents.tools; the global scope only
	// Exec and FS are where those sections begin, or zero when they were not
	// written.
	Exec, FS   toolrest.Pos
	ApplyPatch ApplyPatch
	// PlanTool is experimental.planTool.
	PlanTool  *bool
	WebSearch WebSearch
	// WebFetch is web.fetch.enabled; the global scope only.
	WebFetch *bool
}

// KeyedSection is a section below a key that says for whom it counts.
type KeyedSection struct {
	Key    string
	KeyPos toolrest.Pos
	Section
}

// ApplyPatch is exec.applyPatch: when the tool is there at all.
type ApplyPatch struct {
	Set         bool // it was written, if only as {}
	Enabled     *bool
	AllowModels List
}

// WebSearch is what web.search says about searching by the model itself.
type WebSearch struct {
	Enabled *bool
	Native  bool // openaiCodex.enabled
}

// AgentDefaults are what agents.defaults says.
type AgentDefaults struct {
	SandboxMode    string
	SandboxModePos toolrest.Pos
	MaxSpawnDepth  int    // agents.defaults.subagents.maxSpawnDepth; zero is 1
	Contract       string // embeddedAgent.executionContract: "default" or "strict-agentic", or empty
	Lean           *bool
}

// Agent is an entry of agents.list.
type Agent struct {
	ID    string // as it was written
	Pos   toolrest.Pos
	Path  string // "agents.list[2]"
	Main  bool   // default: true
	Tools Scope
	// SandboxMode is sandbox.mode, or empty.
	SandboxMode    string
	SandboxModePos toolrest.Pos
	Contract       string // embeddedAgent.executionContract
	Lean           *bool  // experimental.localModelLean
	// HasExperimental is set when the agent has an experimental object.
	HasExperimental bool
}

// Channel is an entry of channels: a chat service.
type Channel struct {
	ID       string
	Groups   []Group
	Accounts []Account
}

// Account is an entry of a channel's accounts.
type Account struct {
	ID        string
	HasGroups bool
	Groups    []Group
}

// Group is an entry of a channel's or an account's groups.
type Group struct {
	ID       string // "*" for all that are not named
	Pos      toolrest.Pos
	Path     string
	Tools    *Section // nil where it says nothing
	BySender []KeyedSection
}

// AuthProfile is an entry of auth.profiles, without what is secret in it.
type AuthProfile struct{ Provider, Mode string }

// Server is an entry of mcp.servers.
type Server struct {
	Name string
	Off  bool
	Pos  toolrest.Pos
}
