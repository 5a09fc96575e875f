package policy

import (
	"strings"
	"unicode"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// senderKeys are the forms in which keys of toolsBySender can name a sender.
type senderKeys struct {
	channel                string
	ids                    []string // as it is, and without a leading @
	number, username, name string
	// phone gives the form in which telephone numbers are compared.
	phone func(string) string
}

func keysOf(s toolrest.Sender, channel string, d Dialect) senderKeys {
	phone := digits
	if d == OpenClaw {
		phone = names.Fold
	}
	k := senderKeys{
		phone: phone, channel: chatName(channel), number: phone(s.E164),
		username: withoutAt(s.Username), name: names.Fold(s.Name),
	}
	for _, id := range [2]string{names.Fold(s.ID), withoutAt(s.ID)} {
		if id != "" && (len(k.ids) == 0 || k.ids[0] != id) {
			k.ids = append(k.ids, id)
		}
	}
	return k
}

// digits leaves out what people write into a telephone number for the eye:
// "+1 (555) 010-0199" is "+15550100199".
func digits(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("()-./\u2010\u2011", r) {
			return -1
		}
		return r
	}, names.Fold(number))
}

func withoutAt(text string) string {
	return names.Fold(strings.TrimPrefix(names.Trim(text), "@"))
}

// How well a key names a sender: the least counts. An id comes in two forms,
// so its ranks have room for two.
const (
	rankChannel   = 0
	rankID        = 2
	rankNumber    = 4
	rankUsername  = 5
	rankName      = 6
	rankEverybody = 7
	rankNobody    = 8
)

// rank tells how well a key names the sender.
func (k *senderKeys) rank(key string) int {
	key = names.Trim(key)
	if key == everything {
		return rankEverybody
	}
	kind, value, ok := senderKind(key)
	switch {
	case !ok:
		return k.rankOfID(withoutAt(key), rankID)
	case kind == "channel":
		channel, id, cut := strings.Cut(names.Trim(value), ":")
		if !cut || k.channel == "" || chatName(channel) != k.channel {
			return rankNobody
		}
		return k.rankOfID(names.Fold(id), rankChannel)
	case kind == "id":
		return k.rankOfID(names.Fold(value), rankID)
	case kind == "e164":
		return rankOf(k.phone(value), k.number, rankNumber)
	case kind == "username":
		return rankOf(withoutAt(value), k.username, rankUsername)
	}
	return rankOf(names.Fold(value), k.name, rankName)
}

func (k *senderKeys) rankOfID(id string, rank int) int {
	for i, own := range k.ids {
		if own == id {
			return rank + i
		}
	}
	return rankNobody
}

func rankOf(value, own string, rank int) int {
	if own == "" || value != own {
		return rankNobody
	}
	return rank
}

// senderKinds are the prefixes that a key may have.
var senderKinds = [...]string{"channel", "id", "e164", "username", "name"}

func senderKind(key string) (kind, value string, ok bool) {
	prefix, value, ok := strings.Cut(key, ":")
	if !ok {
		return "", "", false
	}
	for _, kind := range senderKinds {
		if strings.EqualFold(prefix, kind) {
			return kind, value, true
		}
	}
	return "", "", false
}

// find gives the section for the sender: that of the narrowest key. Among keys
// that mean the same the first counts, but the last "*".
func (k *senderKeys) find(list []KeyedSection) (*KeyedSection, bool) {
	best, rank := -1, rankNobody
	for i := range list {
		r := k.rank(list[i].Key)
		if r == rankNobody || r > rank {
			continue
		}
		if r == rank && precedes(list[best].Key, list[i].Key) == (r != rankEverybody) {
			continue
		}
		best, rank = i, r
	}
	if best < 0 {
		return nil, false
	}
	return &list[best], true
}

// senderSection gives the section of toolsBySender that counts: the agent's,
// where one of its keys names the sender, even when it is empty.
func (r *resolver) senderSection() (Section, bool) {
	keys := keysOf(r.ctx.Sender, r.ctx.Channel, r.cfg.Dialect)
	if r.agent != nil {
		if s, ok := keys.find(r.agent.Tools.BySender); ok {
			return s.Section, true
		}
	}
	if s, ok := keys.find(r.cfg.Tools.BySender); ok {
		return s.Section, true
	}
	return Section{}, false
}
