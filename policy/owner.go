package policy

import (
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// Owner reports whether the owner asks: the local user and the tokens that are
// the owner's, whom their door marks, and in chats those that
// commands.ownerAllowFrom names. Where there is no such list, it is a sender
// whom the chat service's own list authorises. A sender without an id is
// nobody, and so is one in a turn that only an event has started. What a config
// that is not trusted says of owners does not count.
//
// In the dialect OpenClaw "*" makes everybody an owner and an empty list is
// none; in Default "*" names nobody, and an empty list makes nobody an owner.
func Owner(cfg *Config, ctx Context) bool {
	for cfg.Base != nil {
		cfg = cfg.Base
	}
	if ctx.Run.Driver == DriverEvent {
		return false
	}
	if ctx.Caller.Owner {
		return true
	}
	ids := []string{names.Fold(ctx.Sender.ID), names.Fold(ctx.Sender.E164)}
	if ids[0] == "" && ids[1] == "" {
		return false
	}
	if !cfg.Owners.written() || cfg.Dialect == OpenClaw && !usable(cfg.Owners.Entries) {
		return ctx.Sender.Authorised
	}
	channel := chatName(ctx.Channel)
	for _, e := range cfg.Owners.Entries {
		if cfg.Dialect == OpenClaw && names.Trim(e.Text) == everything {
			return true
		}
		if id := ownerIn(e.Text, channel); id != "" && (id == ids[0] || id == ids[1]) {
			return true
		}
	}
	return false
}

// ownerIn gives the id that an entry names on a channel, or empty: "123",
// "chatx:123", "<@123>". A word before the first colon is a channel, so an id
// with one needs its channel in front.
func ownerIn(entry, channel string) string {
	id := mentioned(names.Fold(entry))
	prefix, rest, ok := strings.Cut(id, ":")
	if !ok || !isChatWord(prefix) {
		return id
	}
	if channel == "" || chatName(prefix) != channel {
		return ""
	}
	return mentioned(names.Fold(rest))
}

// mentioned takes the id out of a mention: "<@123>", "<@!123>".
func mentioned(text string) string {
	id, ok := strings.CutPrefix(text, "<@")
	if !ok || !strings.HasSuffix(id, ">") {
		return text
	}
	return strings.TrimPrefix(strings.TrimSuffix(id, ">"), "!")
}

// isChatWord reports whether text could be the name of a chat service: it
// begins with a letter and has no character of an id or an address.
func isChatWord(text string) bool {
	for i, r := range text {
		letter := 'a' <= r && r <= 'z'
		if !letter && (i == 0 || !('0' <= r && r <= '9' || r == '-' || r == '_')) {
			return false
		}
	}
	return text != ""
}
