package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// API is the wire that a provider speaks.
type API string

// The wires.
const (
	APIAnthropic API = "anthropic" // Anthropic messages
	APIOpenAI    API = "openai"    // OpenAI chat completions
)

// Provider is somebody who serves models.
type Provider struct {
	ID  string
	API API
	// BaseURL is where its API begins.
	BaseURL string
	// KeyEnv and BaseURLEnv are the environment variables for its key and for
	// another base URL; empty where there are none.
	KeyEnv, BaseURLEnv string
	// Default is the model to take when none was named; empty where the
	// server says which it has.
	Default string
	// Title is how people call it, and Start how a local one is started.
	Title, Start string
}

// Local reports whether the provider runs on this machine.
func (p Provider) Local() bool { return p.Start != "" }

// Providers gives those that need no configuration, in the order in which
// [Discover] looks for them.
func Providers() []Provider {
	return []Provider{
		{
			ID: "anthropic", API: APIAnthropic, Title: "Anthropic", BaseURL: "https://api.anthropic.com",
			KeyEnv: "ANTHROPIC_API_KEY", BaseURLEnv: "ANTHROPIC_BASE_URL", Default: "claude-sonnet-5-5",
		},
		{
			ID: "openai", API: APIOpenAI, Title: "OpenAI", BaseURL: "https://api.openai.com/v1",
			KeyEnv: "OPENAI_API_KEY", BaseURLEnv: "OPENAI_BASE_URL", Default: "gpt-6.1-terra",
		},
		{ID: "ollama", API: APIOpenAI, Title: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", Start: "ollama serve"},
		{ID: "lmstudio", API: APIOpenAI, Title: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1", Start: "lms server start"},
		{ID: "llamacpp", API: APIOpenAI, Title: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", Start: "llama-server -m FILE.gguf --jinja"},
		{ID: "vllm", API: APIOpenAI, Title: "vLLM", BaseURL: "http://127.0.0.1:8000/v1", Start: "vllm serve MODEL --enable-auto-tool-choice"},
	}
}

// Find gives the provider with this id, from own, which come from a
// configuration and go first, or from [Providers]. The error names the
// nearest ones.
func Find(id string, own []Provider) (Provider, error) {
	all := append(slices.Clone(own), Providers()...)
	var ids []string
	for _, p := range all {
		if strings.EqualFold(p.ID, id) {
			return p, nil
		}
		if !slices.Contains(ids, p.ID) {
			ids = append(ids, p.ID)
		}
	}
	text := fmt.Sprintf("there is no provider %q", clip(id, 60))
	if near := names.Nearest(id, ids, 3); len(near) > 0 {
		text += ": did you mean " + strings.Join(near, ", ") + "?"
	}
	return Provider{}, fmt.Errorf("%s (known: %s; others are configured under models.providers)", text, strings.Join(ids, ", "))
}
