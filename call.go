package toolrest

import (
	"encoding/json"
	"fmt"
	"sync"
)

// Surface is the door through which a tool is listed or called.
type Surface string

// The doors.
const (
	SurfaceAgent    Surface = "agent"      // the main loop
	SurfaceMCPStdio Surface = "mcp-stdio"  // an MCP client that started us
	SurfaceMCPHTTP  Surface = "mcp-http"   // an MCP client over HTTP
	SurfaceHTTP     Surface = "http"       // HTTP invocation
	SurfaceSkill    Surface = "skill"      // a skill command
	SurfaceCLI      Surface = "cli"        // toolrest call, explain, tools
	SurfaceLibrary  Surface = "go-library" // a Go program that embeds the library
)

// Caller is on whose behalf, and in which circumstances, a tool is listed or
// called. Callers can be compared with ==: equal callers see the same tools.
type Caller struct {
	Agent string `json:"agent"`
	// Session is the session's key: "agent:main:telegram:group:-100123".
	Session string  `json:"session,omitempty"`
	Surface Surface `json:"surface"`
	// Owner is set for the local user and for the tokens that were made the
	// owner's, and for nobody else.
	Owner bool `json:"owner,omitempty"`
	// Provider and Model are the model that calls ("openai", "gpt-5.5"), and
	// API the wire format that reaches it.
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	API      string `json:"api,omitempty"`
	// Channel is the chat service that the turn came through, Account which of
	// its accounts, and Group the group or channel there.
	Channel string `json:"channel,omitempty"`
	Account string `json:"account,omitempty"`
	Group   string `json:"group,omitempty"`
	Sender  Sender `json:"sender,omitzero"`
	// SpawnedBy is the key of the session that started this one.
	SpawnedBy string `json:"spawnedBy,omitempty"`
	// Depth is how many sessions lie above this one, where no store knows it;
	// zero is derived from Session.
	Depth int `json:"depth,omitempty"`
	// Sandbox is "on" or "off"; empty is derived from the config and Session.
	Sandbox string `json:"sandbox,omitempty"`
}

// Sender is who wrote the message that a turn answers, as the chat service
// names them.
type Sender struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name,omitempty"`
	Username string `json:"username,omitempty"`
	E164     string `json:"e164,omitempty"` // the telephone number
	// Authorised is set when the chat service's own list lets the sender give
	// commands.
	Authorised bool `json:"authorised,omitempty"`
}

// Call is a model's request to use a tool.
//
// Args holds the bytes as they came. Object parses them once; the methods of
// a Call may be used by several goroutines, but its fields must not change
// once it is dispatched.
type Call struct {
	ID     string          `json:"id"`
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Caller Caller          `json:"caller"`

	once   sync.Once // guards object and err
	object map[string]any
	err    error
}

// Object gives the arguments as a map, parsed on the first use and then kept;
// the map must not be changed. Missing arguments are an empty object. Anything
// but one JSON object is an error.
func (c *Call) Object() (map[string]any, error) {
	c.once.Do(func() {
		if len(c.Args) == 0 {
			c.object = map[string]any{}
			return
		}
		if err := json.Unmarshal(c.Args, &c.object); err != nil {
			c.err = fmt.Errorf("parse arguments: %w", err)
			return
		}
		if c.object == nil { // the text was null
			c.object = map[string]any{}
		}
	})
	return c.object, c.err
}

// Decode parses the arguments into v.
func (c *Call) Decode(v any) error {
	args := c.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	if err := json.Unmarshal(args, v); err != nil {
		return fmt.Errorf("decode arguments of %s: %w", c.Tool, err)
	}
	return nil
}
