package names

import (
	"strconv"
	"strings"
)

// The longest safe names, in bytes: of a server, and of a tool with its
// server in front.
const (
	MaxServer = 30
	MaxTool   = 64
)

// Between stands between the name of a server and that of its tool.
const Between = "__"

// Taken are names that were handed out, whatever their case. It gives the
// next free one when a name is asked for again. The zero value is empty. It
// is not safe for use by several goroutines.
type Taken struct {
	names map[string]bool
	next  map[stem]int // the first number that was not tried yet
}

// stem is what stays of a name in front of a number of so many digits.
type stem struct {
	text   string
	digits int
}

// Reserve marks a name as handed out.
func (t *Taken) Reserve(name string) {
	folded := Fold(name)
	if folded == "" {
		return
	}
	if t.names == nil {
		t.names = map[string]bool{}
	}
	t.names[folded] = true
}

// Server gives a safe name for an MCP server, of at most [MaxServer] ASCII
// letters, digits, underscores and hyphens, that begins with a letter and was
// not handed out before, and reserves it.
func (t *Taken) Server(name string) string {
	return t.hand("", safe(name, "mcp"), MaxServer)
}

// Tool gives the name under which models see a tool of an MCP server: the
// server's safe name, [Between] and the tool's own, cleaned as those of
// servers are, in at most [MaxTool] bytes. It reserves the name.
func (t *Taken) Tool(server, tool string) string {
	return t.hand(server+Between, safe(tool, "tool"), MaxTool)
}

// hand reserves prefix+name, cut to most bytes and numbered from 2 where it
// is taken. Numbers that were found taken are not tried again, so that many
// equal names cost little each.
func (t *Taken) hand(prefix, name string, most int) string {
	room := most - len(prefix)
	if whole := prefix + cut(name, room); !t.names[strings.ToLower(whole)] {
		t.Reserve(whole)
		return whole
	}
	if t.next == nil {
		t.next = map[stem]int{}
	}
	first := 2
	for digits, end := 1, 10; ; digits, end = digits+1, end*10 {
		base := prefix + cut(name, room-1-digits)
		key := stem{strings.ToLower(base), digits}
		for n := max(first, t.next[key]); n < end; n++ {
			t.next[key] = n + 1
			if numbered := base + "-" + strconv.Itoa(n); !t.names[strings.ToLower(numbered)] {
				t.Reserve(numbered)
				return numbered
			}
		}
		first = end
	}
}

// cut gives the first n bytes, and always one.
func cut(name string, n int) string { return name[:min(len(name), max(n, 1))] }

// safe replaces what is no ASCII letter, digit, underscore or hyphen, and puts
// a word in front of what does not begin with a letter.
func safe(name, word string) string {
	var b strings.Builder
	for _, r := range Trim(name) {
		switch {
		case isWord(r):
			b.WriteRune(r)
		case r > 0xffff: // two units where peers count in UTF-16
			b.WriteString("--")
		default:
			b.WriteByte('-')
		}
		if b.Len() > MaxTool {
			break
		}
	}
	clean := b.String()
	switch {
	case clean == "":
		return word
	case !isLetter(rune(clean[0])):
		return word + "-" + clean
	}
	return clean
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func isWord(r rune) bool { return isLetter(r) || '0' <= r && r <= '9' || r == '_' || r == '-' }
