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

// Caller is on whose behalf a tool is listed or called.
type Caller struct {
	Agent   string  `json:"agent"`
	Session string  `json:"session,omitempty"`
	Surface Surface `json:"surface"`
	// Owner is set for the local user and for the tokens that were made the
	// owner's, and for nobody else.
	Owner bool `json:"owner,omitempty"`
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
