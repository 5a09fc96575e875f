package names

import "strings"

// MainAgent is the agent that is meant where nothing names another.
const MainAgent = "main"

// maxAgent is the length of the longest agent id, in bytes.
const maxAgent = 64

// AgentID gives the form in which agent ids are compared and stored: lower
// case, at most 64 of the characters a-z, 0-9, underscore and hyphen. What
// has none of them is the main agent.
func AgentID(text string) string {
	folded := Fold(text)
	if isAgentID(folded) {
		return folded
	}
	id := strings.Trim(dashed(folded), "-")
	if id == "" {
		return MainAgent
	}
	return id[:min(len(id), maxAgent)]
}

func isAgentID(s string) bool {
	if s == "" || len(s) > maxAgent || s[0] == '_' || s[0] == '-' {
		return false
	}
	return strings.IndexFunc(s, isNoID) < 0
}

func isNoID(r rune) bool { return !isWord(r) || 'A' <= r && r <= 'Z' }

// dashed replaces each run of characters that no id has by one hyphen.
func dashed(s string) string {
	var b strings.Builder
	inside := false
	for _, r := range s {
		if odd := isNoID(r); !odd {
			b.WriteRune(r)
		} else if !inside {
			b.WriteByte('-')
		}
		inside = isNoID(r)
	}
	return b.String()
}

// SplitSession takes a session key "agent:ID:REST" apart; the id is as it is
// written. Empty segments do not count. Other keys are no agent's.
func SplitSession(key string) (id, rest string, ok bool) {
	segments := strings.FieldsFunc(Trim(key), func(r rune) bool { return r == ':' })
	if len(segments) < 3 || !strings.EqualFold(segments[0], "agent") {
		return "", "", false
	}
	return segments[1], strings.Join(segments[2:], ":"), true
}

// AgentOf gives the id of the agent whose session or run it is: the explicit
// one, else the session key's, else for any other key the main agent. Without
// both there is no agent.
func AgentOf(explicit, session string) string {
	if Trim(explicit) != "" {
		return AgentID(explicit)
	}
	if id, _, ok := SplitSession(session); ok {
		return AgentID(id)
	}
	if Trim(session) != "" {
		return MainAgent
	}
	return ""
}

// ProviderKey gives the form in which the keys of a byProvider section are
// compared: "provider" or "provider/model", in lower case. A blank key is
// empty.
func ProviderKey(key string) string {
	folded := Fold(key)
	provider, model, ok := strings.Cut(folded, "/")
	if !ok || provider == "" {
		return folded
	}
	if provider = Trim(provider); model == "" {
		return provider
	}
	return provider + "/" + model
}
