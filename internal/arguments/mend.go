package arguments

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/schema"
)

// Mended is a JSON object that was found in a text.
type Mended struct {
	Args json.RawMessage
	// Before and After are what was cut off, without outer white space.
	Before, After string
	// Whole is set when nothing was wrong with the text.
	Whole bool
}

// Mend finds the one JSON object that a text surely means. It gives false
// where there is none, where there are several, and where one ends early.
//
// The tool's name, and its schema where there is one, say which names of
// members to expect between quotation marks of print.
func Mend(text []byte, tool string, s *schema.Schema, dialect policy.Dialect) (Mended, bool) {
	if trimmed := bytes.Trim(text, jsonSpace); len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed) {
		return Mended{Args: trimmed, Whole: true}, true
	}
	start := bytes.IndexByte(text, '{')
	if start < 0 {
		return Mended{}, false
	}
	before := names.Trim(string(text[:start]))
	if !junkBefore(before) {
		return Mended{}, false
	}
	if tool == "" { // what stands before may say it
		tool, _ = names.FromID(before, []string{"read"})
	}
	body := text[start:]
	m, ok := bare(body)
	if !ok {
		m, ok = printed(string(body), followers(tool, s, dialect))
	}
	if !ok && dialect != policy.OpenClaw {
		m, ok = lenient(body)
	}
	m.Before = before
	return m, ok
}

// jsonSpace is what JSON takes for white space.
const jsonSpace = " \t\r\n"

// maxBefore and maxAfter bound what may stand around an object, in UTF-16
// units.
const (
	maxBefore = 96
	maxAfter  = 3
)

// callLike is what models write in front of arguments: the name of the tool
// or a fence.
var callLike = regexp.MustCompile("^(?:[.:'\"`-]|(?i:functions?|tools?))[A-Za-z0-9\\s\"'`.:/_\\\\-]*$")

func junkBefore(s string) bool { return s == "" || len(s) <= maxBefore && callLike.MatchString(s) }

func junkAfter(s string) bool {
	return len(utf16.Encode([]rune(s))) <= maxAfter && !strings.ContainsAny(s, "{}[]\":,\\") && names.OneLine(s) == s && !strings.Contains(s, " ")
}

// bare reads an object that is JSON, with a few characters behind it.
func bare(body []byte) (Mended, bool) {
	end := objectEnd(body)
	if end < 0 || !json.Valid(body[:end]) {
		return Mended{}, false
	}
	return after(body[:end], string(body[end:]))
}

func after(object []byte, rest string) (Mended, bool) {
	rest = names.Trim(rest)
	return Mended{Args: object, After: rest}, junkAfter(rest)
}

// objectEnd is where the object or list that begins the text ends; -1 when it
// does not.
func objectEnd(text []byte) int {
	depth, inside := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
