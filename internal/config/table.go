package config

import "github.com/toolrest/toolrest/internal/json5"

// DefaultProfile counts where no profile is written, except in the dialect of
// OpenClaw.
const DefaultProfile = "coding"

// Values of tools.exec.ask.
const (
	AskAlways = "always" // each command wants a yes
	AskOff    = "off"    // commands run without one
)

// Values of tools.dialect.
const (
	dialectDefault  = "default"
	dialectOpenClaw = "openclaw"
)

var (
	profiles  = []string{"minimal", "coding", "messaging", "full"}
	sandboxes = []string{"off", "non-main", "all"}
)

// Reasons for which a config that is not trusted does not get a key.
const (
	ownsReach = "a config that is not trusted cannot say what is reached or run"
	ownsWho   = "a config that is not trusted cannot say who is who"
	ownsMore  = "a config that is not trusted can only tighten"
)

var root = key{form: formObject, keys: []key{
	{name: "workspace", form: formText, fallback: "the current folder",
		doc: "The folder that tools work in: relative to the folder of this file, absolute, or ~/."},
	{name: "tools", form: formObject, keys: globalTools(),
		doc: "Which tools all agents have."},
	{name: "agents", form: formObject, keys: agentsKeys,
		doc: "What single agents may do."},
	{name: "channels", form: formMap, keys: channelKeys,
		doc: "The chat services by name, and what may be done in them."},
	{name: "models", form: formObject, keys: modelsKeys, owned: "a config that is not trusted cannot say where models are",
		doc: "Where models are and how to reach them."},
	{name: "mcp", form: formObject, keys: mcpKeys, owned: ownsReach,
		doc: "MCP servers whose tools agents have."},
	{name: "plugins", form: formObject, keys: pluginsKeys, owned: ownsReach,
		doc: "Which plugins are loaded."},
	{name: "auth", form: formObject, keys: authKeys, owned: ownsReach,
		doc: "Which ways there are to a provider."},
	{name: "commands", form: formObject, doc: "What only some senders may do.", keys: []key{
		{name: "ownerAllowFrom", form: formIDs, owned: ownsWho,
			doc: "The senders that are the owner: ids, or channel:id."},
	}},
	{name: "session", form: formObject, doc: "How conversations are kept apart.", keys: []key{
		{name: "mainKey", form: formText, owned: ownsWho, fallback: "main",
			doc: "The name of each agent's main session."},
		{name: "scope", form: formChoice, choices: []string{"per-sender", "global"}, owned: ownsWho, fallback: "per-sender",
			doc: "Whether all senders share one session."},
	}},
	{name: "gateway", form: formObject, doc: "The gateway.", keys: []key{
		{name: "tools", form: formObject, doc: "Which tools can be called over HTTP.", keys: []key{
			{name: "allow", form: formTexts, owned: ownsMore,
				doc: "Tools that can be called although they are kept from HTTP otherwise."},
			{name: "deny", form: formTexts,
				doc: "Tools that cannot be called."},
		}},
	}},
}}

// onlyTrue and onlyFalse are the values of a flag that tighten.
func onlyTrue(n *json5.Node) bool  { return n.Kind == json5.Bool && n.Bool }
func onlyFalse(n *json5.Node) bool { return n.Kind == json5.Bool && !n.Bool }

// confines is every sandbox mode but the one without a sandbox.
func confines(n *json5.Node) bool { return n.Kind == json5.String && n.Text != "off" }
