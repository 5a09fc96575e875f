package toolrest

// Availability is an expression over signals. Exactly one of its fields
// should be set; when several are, the first in the order below counts. An
// expression with none of them, and an empty AllOf or AnyOf, is unsupported
// and hides its tool.
type Availability struct {
	Signal *Signal        `json:"signal,omitempty"`
	AllOf  []Availability `json:"allOf,omitempty"`
	AnyOf  []Availability `json:"anyOf,omitempty"`
}

// SignalKind names a fact of the world that a tool can depend on.
type SignalKind string

// The signals.
const (
	SignalAlways  SignalKind = "always"         // true
	SignalAuth    SignalKind = "auth"           // credentials for ProviderID are there
	SignalConfig  SignalKind = "config"         // the config value at Path passes Check
	SignalEnv     SignalKind = "env"            // the environment variable Name is not blank
	SignalPlugin  SignalKind = "plugin-enabled" // the plugin PluginID is enabled
	SignalContext SignalKind = "context"        // the context value Key is there, or equals Equals
)

// Signal is one fact. Which fields matter depends on Kind.
type Signal struct {
	Kind       SignalKind `json:"kind"`
	ProviderID string     `json:"providerId,omitempty"`
	Path       []string   `json:"path,omitempty"`
	// Check is "exists" (the default), "non-empty" or "available".
	Check    string `json:"check,omitempty"`
	Name     string `json:"name,omitempty"`
	PluginID string `json:"pluginId,omitempty"`
	Key      string `json:"key,omitempty"`
	// Equals is compared strictly where it is not nil. HasEquals is set to
	// compare with nil.
	Equals    any  `json:"equals,omitempty"`
	HasEquals bool `json:"-"`
}

// When is the availability that depends on one signal.
func When(s Signal) *Availability { return &Availability{Signal: &s} }
