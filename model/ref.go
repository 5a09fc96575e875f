package model

import (
	"fmt"
	"strings"
	"unicode"
)

// Replay is the provider of recorded conversations: "replay:FILE".
const Replay = "replay"

// Ref names a model: a provider and what that calls the model. For [Replay]
// Model is the path of the recording.
type Ref struct {
	Provider string
	Model    string
}

// maxRef bounds the length of a reference, in bytes.
const maxRef = 4096

// Parse reads "provider/model" or "replay:FILE". The model may contain
// slashes itself. Provider names are compared in lower case. It refuses
// anything else, and says how to write what was probably meant. Whether the
// provider exists is for [Find] to say.
func Parse(text string) (Ref, error) {
	s := strings.TrimSpace(text)
	if s == "" {
		return Ref{}, fmt.Errorf("the model is empty: write provider/model or replay:FILE")
	}
	if len(s) > maxRef || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return Ref{}, fmt.Errorf("the model %q is too long or holds characters that no name has", clip(s, 60))
	}
	if file, ok := strings.CutPrefix(s, Replay+":"); ok {
		if file = strings.TrimSpace(file); file == "" {
			return Ref{}, fmt.Errorf("%q names no file: write replay:FILE", s)
		}
		return Ref{Replay, file}, nil
	}
	return parsePair(s)
}

func parsePair(s string) (Ref, error) {
	provider, name, found := strings.Cut(s, "/")
	provider, name = strings.ToLower(strings.TrimSpace(provider)), strings.TrimSpace(name)
	switch {
	case provider == Replay:
		return Ref{}, fmt.Errorf("%q: a recording is written replay:FILE", s)
	case !found:
		return Ref{}, fmt.Errorf("%q names no provider: write %s", s, guess(s))
	case name == "" || strings.ContainsFunc(name, unicode.IsSpace):
		return Ref{}, fmt.Errorf("%q names no model: write provider/model", s)
	case !isProvider(provider):
		return Ref{}, fmt.Errorf("%q is no name of a provider: letters, digits, - and _", provider)
	}
	return Ref{provider, name}, nil
}

func isProvider(s string) bool {
	return (Rule{Max: 64, Extra: "_-"}).Accepts(s) && s[0] != '-' && s[0] != '_'
}

// guess completes a bare model name.
func guess(name string) string {
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "claude"):
		return "anthropic/" + name
	case strings.HasPrefix(lower, "gpt-"), strings.HasPrefix(lower, "o3"), strings.HasPrefix(lower, "o4"):
		return "openai/" + name
	}
	return "provider/" + name + ", for example ollama/" + name
}

// String gives the form that Parse reads.
func (r Ref) String() string {
	if r.Provider == Replay {
		return Replay + ":" + r.Model
	}
	return r.Provider + "/" + r.Model
}

// clip cuts s after max characters.
func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
