package names

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rule is what a provider accepts as a name or an identifier.
type Rule struct {
	// Max is the most characters. It is at least 16.
	Max int
	// Extra are the characters allowed beside ASCII letters and digits. "_"
	// must be among them.
	Extra string
	// Word is set when the first character must be a letter or "_".
	Word bool
}

// The rules for the names of tools that the providers document. Any is what
// all of them accept, for those of which nothing is known.
var (
	OpenAINames    = Rule{Max: 64, Extra: "_-"}
	AnthropicNames = Rule{Max: 64, Extra: "_-"}
	GoogleNames    = Rule{Max: 64, Extra: "_-.", Word: true}
	AnyNames       = Rule{Max: 64, Extra: "_-", Word: true}
)

// Accepts reports whether s may go out as it is.
func (r Rule) Accepts(s string) bool {
	return s != "" && len(s) <= r.Max && r.clean(s) == s && (!r.Word || beginsWord(s))
}

func beginsWord(s string) bool { return isLetter(rune(s[0])) || s[0] == '_' }

// clean replaces what is not allowed.
func (r Rule) clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && (isLetter(c) || '0' <= c && c <= '9' || strings.ContainsRune(r.Extra, c)) {
			return c
		}
		return '_'
	}, s)
}

// Variant is a form of s that r accepts. Different s and different salts give
// different variants, save for a collision of 32 bits of a hash.
func (r Rule) Variant(s string, salt int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(salt) + ":" + s))
	tail := "_" + hex.EncodeToString(sum[:4])
	head := r.clean(s)
	switch {
	case head == "":
		head = "unnamed"
	case r.Word && !beginsWord(head):
		head = "_" + head
	}
	return head[:min(len(head), r.Max-len(tail))] + tail
}

// Unused is s, or the first of its variants that r accepts and that is not
// taken. It takes what it gives.
func (r Rule) Unused(s string, taken map[string]bool) string {
	out := s
	for salt := 0; !r.Accepts(out) || taken[out]; salt++ {
		out = r.Variant(s, salt)
	}
	taken[out] = true
	return out
}

// Naming translates between the names of tools and what a provider accepts as
// one. It is immutable and safe for use by several goroutines.
type Naming struct {
	rule Rule
	wire map[string]string // tool → wire
	tool map[string]string // wire → tool
}

// NewNaming makes the translation for tools. Names that rule accepts stay as
// they are; the others get a form that depends on the name alone, unless a
// tool already has that, so that it is the same in every request whatever the
// order. It refuses two tools of one name.
func NewNaming(tools []string, rule Rule) (*Naming, error) {
	w := &Naming{rule: rule, wire: make(map[string]string, len(tools)), tool: make(map[string]string, len(tools))}
	taken := make(map[string]bool, len(tools))
	var others []string
	for _, name := range tools {
		if _, twice := w.wire[name]; twice {
			return nil, fmt.Errorf("two tools are named %q", name)
		}
		w.wire[name] = name
		if rule.Accepts(name) {
			taken[name], w.tool[name] = true, name
		} else {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		out := rule.Unused(name, taken)
		w.wire[name], w.tool[out] = out, name
	}
	return w, nil
}

// Wire is how the tool of this name is called on the wire. A name that is no
// tool's, as an older call may have, gets a form that the provider accepts
// and that is no tool's either.
func (w *Naming) Wire(name string) string {
	if out, ok := w.wire[name]; ok {
		return out
	}
	out := name
	for salt := 0; !w.rule.Accepts(out) || w.isTool(out); salt++ {
		out = w.rule.Variant(name, salt)
	}
	return out
}

// Tool is the tool that a name on the wire stands for, or the name itself.
func (w *Naming) Tool(wire string) string {
	if name, ok := w.tool[wire]; ok {
		return name
	}
	return wire
}

func (w *Naming) isTool(wire string) bool {
	_, ok := w.tool[wire]
	return ok
}
