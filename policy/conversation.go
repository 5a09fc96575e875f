package policy

import (
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// Conversation is the group chat that a session belongs to.
type Conversation struct {
	// Channel is the chat service as the session's key names it, and Groups the
	// ids under which the group may be configured, the narrowest first. Without
	// ids it is no group chat.
	Channel string
	Groups  []string
	// GroupRefused is set when the caller named a group that neither its session
	// nor the one that started it belongs to. The name then does not count: a
	// caller does not choose its policy.
	GroupRefused bool
}

// conversation finds out the group from the keys of the session and of the one
// that started it.
func conversation(ctx Context) Conversation {
	own, owned := groupOf(ctx.Session)
	above, known := groupOf(ctx.SpawnedBy)
	c := Conversation{Groups: unique(append(own.Groups, above.Groups...))}
	switch {
	case owned:
		c.Channel = own.Channel
	case known:
		c.Channel = above.Channel
	default:
		c.Channel = names.Fold(ctx.Channel)
	}
	if named := names.Trim(ctx.Group); named == "" {
		return c
	} else if c.GroupRefused = !slices.Contains(c.Groups, named); !c.GroupRefused {
		c.Groups = unique(append(c.Groups, groupIDs(named)...))
	}
	return c
}

// groupOf reads a session key: "agent:main:telegram:group:-100:topic:7", with
// or without the agent, or below a sub-agent. It answers false for keys that
// are no group's.
func groupOf(key string) (Conversation, bool) {
	key, _ = cutThread(names.Trim(key))
	segments := split(key)
	if len(segments) >= 3 && names.Fold(segments[0]) == "agent" {
		segments = segments[2:]
	}
	if c, ok := groupIn(segments, names.Fold); ok {
		id := strings.Join(segments[2:], ":")
		whole, _ := cutThread(names.Trim(id))
		c.Groups = unique(append(groupIDs(id), whole))
		return c, true
	}
	segments = split(key)
	if len(segments) > 1 && segments[0] == "agent" {
		segments = segments[2:]
	}
	if len(segments) > 0 && segments[0] == "subagent" {
		segments = segments[1:]
	}
	c, ok := groupIn(segments, func(kind string) string { return kind })
	if ok {
		c.Groups = groupIDs(strings.Join(segments[2:], ":"))
	}
	return c, ok && len(c.Groups) > 0
}

// groupIn reads what is left of a key without its agent: channel, kind, id.
func groupIn(segments []string, fold func(string) string) (Conversation, bool) {
	if len(segments) < 3 {
		return Conversation{}, false
	}
	kind := fold(segments[1])
	c := Conversation{Channel: names.Fold(segments[0])}
	ok := kind == "group" || kind == "channel"
	return c, ok && names.Trim(strings.Join(segments[2:], ":")) != ""
}

// split takes a key apart; empty segments do not count.
func split(key string) []string {
	return strings.FieldsFunc(key, func(r rune) bool { return r == ':' })
}

const threadMark = ":thread:"

// cutThread takes the thread off the end of a key, where one is named.
func cutThread(key string) (base, thread string) {
	for i := len(key) - len(threadMark); i >= 0; i-- {
		if key[i] != ':' || !strings.EqualFold(key[i:i+len(threadMark)], threadMark) {
			continue
		}
		if thread = names.Trim(key[i+len(threadMark):]); thread != "" {
			return key[:i], thread
		}
		break
	}
	return key, ""
}

// groupIDs gives the ids under which a group may be configured, the narrowest
// first: one sender in a topic, the topic, the chat.
func groupIDs(id string) []string {
	id = names.Trim(id)
	chat, _, bySender := cutLabel(id, "sender")
	room, topic, topical := cutLabel(chat, "topic")
	var ids []string
	if bySender || !topical {
		ids = append(ids, id)
	}
	if topical {
		return unique(append(ids, room+":topic:"+topic, room))
	}
	return unique(append(ids, chat))
}

// cutLabel takes ":label:value" off the end of id. The value holds no colon,
// and before it stands something on one line.
func cutLabel(id, label string) (rest, value string, ok bool) {
	i := strings.LastIndexByte(id, ':')
	if i < 0 || i == len(id)-1 {
		return id, "", false
	}
	j := strings.LastIndexByte(id[:i], ':')
	if j < 1 || !strings.EqualFold(id[j+1:i], label) || hasLineBreak(id[:j]) {
		return id, "", false
	}
	return id[:j], id[i+1:], true
}

// unique trims ids and drops blank ones and those that stand there already.
func unique(ids []string) []string {
	seen := make(map[string]bool, len(ids))
	var out []string
	for _, id := range ids {
		if id = names.Trim(id); id != "" && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
