package adapt

import (
	"strings"

	"github.com/toolrest/toolrest/schema/check"
	"github.com/toolrest/toolrest/schema/openclaw"
)

// Dialect says whose rewriting it is.
type Dialect int

// The dialects.
const (
	Default Dialect = iota
	OpenClaw
)

// Target is where a schema goes.
type Target struct {
	// API is the wire: "anthropic", "openai", "openai-responses",
	// "google-generative-ai" and the like.
	API string
	// Provider is its id, and Model the id of the model, with or without the
	// name of its maker: "google/gemini-2.5-pro".
	Provider, Model string
	// BaseURL is where the API begins; empty for the provider's own.
	BaseURL string
	// Compat is what a configuration says of the model.
	Compat Compat
	// Strict asks for the strict form too, where a schema has one: for
	// providers that constrain the model's output by it.
	Strict  bool
	Dialect Dialect
}

// Compat is what a configuration says of a model's server. Its slice must not
// be changed once it is given away.
type Compat = openclaw.Compat

// Kind is the family of rules that a target asks for.
type Kind string

// The families, from the narrowest.
const (
	Gemini     Kind = "gemini"
	DeepSeek   Kind = "deepseek"
	XAI        Kind = "xai"
	Volcengine Kind = "volcengine"
	Xiaomi     Kind = "xiaomi"
	Mistral    Kind = "mistral"
	Anthropic  Kind = "anthropic"
	OpenAI     Kind = "openai"
)

// Kind tells the family. The wire decides before the model, and the model
// before the provider, who may be a router: a Gemini behind an
// OpenAI-compatible one still gets Gemini's form, and so does a Claude behind
// a wire of Google's.
func (t Target) Kind() Kind {
	api, provider, model := fold(t.API), fold(t.Provider), fold(t.Model)
	profile := Kind(fold(t.Compat.Profile))
	switch {
	case containsAny(api, "google", "gemini", "cloud-code", "cloudcode"):
		return Gemini
	case profile != "" && check.Known(string(profile)):
		return profile
	}
	for _, m := range makers {
		for _, word := range m.models {
			if named(model, word) {
				return m.kind
			}
		}
	}
	onAnthropic := containsAny(api, "anthropic", "bedrock")
	for _, m := range makers {
		if !onAnthropic && containsAny(provider, m.providers...) && !strings.Contains(provider, "anthropic") {
			return m.kind
		}
	}
	if onAnthropic || api == "" && strings.Contains(provider, "anthropic") {
		return Anthropic
	}
	return OpenAI
}

// makers are those whose models want more than their wire does.
var makers = []struct {
	kind      Kind
	models    []string
	providers []string
}{
	{Gemini, []string{"gemini"}, []string{"google", "gemini"}},
	{DeepSeek, []string{"deepseek"}, []string{"deepseek"}},
	{XAI, []string{"grok"}, []string{"xai", "x-ai"}},
	{Volcengine, []string{"doubao"}, []string{"volcengine", "byteplus"}},
	{Xiaomi, []string{"mimo"}, []string{"xiaomi"}},
	{Mistral, []string{"mistral", "codestral", "devstral", "magistral", "ministral", "pixtral"}, []string{"mistral"}},
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// named reports whether a model's id has word where a name begins and ends.
func named(id, word string) bool {
	for from := 0; ; {
		i := strings.Index(id[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		begins := start == 0 || strings.IndexByte("/:.", id[start-1]) >= 0
		if begins && (end == len(id) || strings.IndexByte("-/:._", id[end]) >= 0) {
			return true
		}
		from = end
	}
}

// MaxTools is how many tools a request to t may have; 0 where nobody has named
// a bound.
func (t Target) MaxTools() int {
	if t.Kind() == Anthropic {
		return 0
	}
	return 128
}
