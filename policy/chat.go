package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// chats are the chat services that are known by name, in the order in which a
// sandbox denies the tools that go by these names.
var chats = []string{
	"feishu", "googlechat", "nostr", "msteams", "mattermost", "nextcloud-talk", "matrix", "raft", "line", "zalo",
	"clickclack", "zalouser", "sms", "synology-chat", "tlon", "discord", "imessage", "irc", "qqbot", "signal", "slack",
	"telegram", "twitch", "whatsapp",
}

// chatAliases are further names of chat services.
var chatAliases = map[string]string{
	"lark": "feishu", "gchat": "googlechat", "google-chat": "googlechat", "imsg": "imessage",
	"internet-relay-chat": "irc", "teams": "msteams", "nc": "nextcloud-talk", "nc-talk": "nextcloud-talk",
	"twitch-chat": "twitch", "zl": "zalo", "zlu": "zalouser",
}

// chatName gives the name under which a chat service is configured. Services
// that nobody knows keep their name.
func chatName(text string) string {
	name := names.Fold(text)
	if id, ok := chatAliases[name]; ok {
		return id
	}
	return name
}

// channel gives the entry of a chat service by its name.
func (c *Config) channel(name string) (Channel, bool) {
	i := slices.IndexFunc(c.Channels, func(ch Channel) bool { return ch.ID == name })
	if i < 0 {
		return Channel{}, false
	}
	return c.Channels[i], true
}

// groupsFor gives the groups that count for an account of the channel: its
// own where it has any, else those of the channel. Among several accounts one
// may switch them off with an empty object.
func (ch Channel) groupsFor(account string) []Group {
	a, ok := ch.account(account)
	if ok && (len(a.Groups) > 0 || a.HasGroups && len(ch.Accounts) > 1) {
		return a.Groups
	}
	return ch.Groups
}

// defaultAccount is meant where no account is named.
const defaultAccount = "default"

func (ch Channel) account(text string) (Account, bool) {
	id := names.AgentID(text) // accounts are written as agents are
	if id == names.MainAgent && names.Fold(text) != id {
		id = defaultAccount
	}
	best := -1
	for i, a := range ch.Accounts {
		if a.ID == id {
			return a, true
		}
		if names.Fold(a.ID) == id && (best < 0 || !precedes(ch.Accounts[best].ID, a.ID)) {
			best = i
		}
	}
	if best < 0 {
		return Account{}, false
	}
	return ch.Accounts[best], true
}
