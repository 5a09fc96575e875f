package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Rule is what a provider accepts as an identifier or a name.
type Rule struct {
	// Max is the most characters. It is at least 16.
	Max int
	// Extra are the characters allowed beside ASCII letters and digits. "_"
	// must be among them.
	Extra string
}

// accepts reports whether s may go out as it is.
func (r Rule) accepts(s string) bool {
	return s != "" && len(s) <= r.Max && r.clean(s) == s
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// clean replaces what is not allowed.
func (r Rule) clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && strings.ContainsRune(alphanumeric+r.Extra, c) {
			return c
		}
		return '_'
	}, s)
}

// variant is a form of s that r accepts. Different s and different salts
// give different variants, save for a collision of 32 bits of a hash.
func (r Rule) variant(s string, salt int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(salt) + ":" + s))
	tail := "_" + hex.EncodeToString(sum[:4])
	head := r.clean(s)
	if head == "" {
		head = "unnamed"
	}
	return head[:min(len(head), r.Max-len(tail))] + tail
}

// unused is s, or the first of its variants that r accepts and that is not
// taken. It takes what it gives.
func (r Rule) unused(s string, taken map[string]bool) string {
	out := s
	for salt := 0; !r.accepts(out) || taken[out]; salt++ {
		out = r.variant(s, salt)
	}
	taken[out] = true
	return out
}

// WireIDs gives each call of an arranged conversation an identifier that rule
// accepts and that no other call has, and its result the same one. An
// identifier that is fine stays as it is, and what a call gets depends only
// on what stands before it, so that a growing conversation keeps its prefix.
// The input is not changed.
func WireIDs(arranged []Message, rule Rule) []Message {
	taken := map[string]bool{}
	out := make([]Message, len(arranged))
	var ids []string // of the calls of the last assistant message
	for i, m := range arranged {
		switch m.Role {
		case RoleAssistant:
			m, ids = renameCalls(m, func(id string) string { return rule.unused(id, taken) })
		case RoleResults:
			m = renameResults(m, ids)
		}
		out[i] = m
	}
	return out
}

func renameCalls(m Message, rename func(string) string) (Message, []string) {
	var ids []string
	blocks := make([]Block, len(m.Blocks))
	for i, b := range m.Blocks {
		if b.Kind == BlockCall {
			c := *b.Call
			c.ID = rename(c.ID)
			ids = append(ids, c.ID)
			b.Call = &c
		}
		blocks[i] = b
	}
	m.Blocks = blocks
	return m, ids
}

func renameResults(m Message, ids []string) Message {
	blocks := make([]Block, len(m.Blocks))
	for i, b := range m.Blocks {
		r := *b.Result
		r.CallID = ids[i]
		b.Result = &r
		blocks[i] = b
	}
	m.Blocks = blocks
	return m
}
