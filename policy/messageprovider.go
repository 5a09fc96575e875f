package policy

import "github.com/toolrest/toolrest/internal/names"

// messageProviders are chat services that cannot carry every tool: those that
// carry only some, and those that carry all but some.
var messageProviders = map[string]struct {
	only, without []string
	why           string
}{
	"node":          {only: []string{"canvas", "image", "pdf", "tts", "web_fetch", "web_search"}, why: "a paired device gets only what it can show"},
	"voice":         {without: []string{"tts"}, why: "a voice channel speaks by itself"},
	"discord-voice": {without: []string{"tts"}, why: "a voice channel speaks by itself"},
}

// messageProviderLayer removes what the chat service of a turn cannot carry.
// Names are compared as they are.
func messageProviderLayer(provider string) (Layer, bool) {
	name := names.Fold(provider)
	p, ok := messageProviders[name]
	if !ok {
		return Layer{}, false
	}
	return Layer{
		Label: "message provider (" + name + ")", Place: PlaceMessageProvider, Exact: true,
		Allow: builtIn(p.only...), Deny: builtIn(p.without...),
		Why: p.why, Remedy: "ask for it through another channel than " + name,
	}, true
}
