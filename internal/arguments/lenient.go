package arguments

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// maxProse is how long a sentence behind an object may be, in bytes.
const maxProse = 200

// lenient reads what else is certain: an object with a sentence behind it,
// one that was written twice or begun a second time, one behind an empty one,
// and one in whose texts backslashes stand for themselves.
func lenient(body []byte) (Mended, bool) {
	var chosen []byte
	rest := body
	for len(rest) > 0 && rest[0] == '{' {
		end := objectEnd(rest)
		if end < 0 {
			break
		}
		object := rest[:end]
		if !json.Valid(object) {
			object = literalBackslashes(object)
		}
		if !json.Valid(object) {
			return Mended{}, false
		}
		rest = bytes.TrimSpace(rest[end:])
		switch {
		case chosen == nil, empty(chosen):
			chosen = object
		case !empty(object) && !bytes.Equal(object, chosen):
			return Mended{}, false // two meanings
		}
	}
	if chosen == nil {
		return Mended{}, false
	}
	again := len(rest) > 0 && bytes.HasPrefix(chosen, rest)
	return Mended{Args: chosen, After: string(rest)}, again || prose(body, rest)
}

func empty(object []byte) bool { return len(bytes.TrimSpace(object[1:len(object)-1])) == 0 }

// prose reports whether rest, the end of body, is nothing or words.
func prose(body, rest []byte) bool {
	text := names.Trim(string(rest))
	if text == "" || junkAfter(text) {
		return true
	}
	before := body[len(body)-len(rest)-1]
	apart := before == ' ' || before == '\n' || before == '\t' || before == '\r'
	return apart && len(text) <= maxProse && !strings.ContainsAny(text, "{}[]\"\\`")
}

// literalBackslashes doubles the backslashes in texts that begin no escape, as
// in a path of Windows or a regular expression.
func literalBackslashes(object []byte) []byte {
	var out []byte
	inside := false
	for i := 0; i < len(object); i++ {
		c := object[i]
		switch {
		case c == '"':
			inside = !inside
		case c == '\\' && inside && i+1 < len(object):
			if n := escapeLen(object[i:]); n > 0 {
				out = append(out, object[i:i+n]...)
				i += n - 1
				continue
			}
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return out
}

// escapeLen is the length of the escape that begins the text; 0 when none
// does.
func escapeLen[T string | []byte](text T) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		for i := 2; i < 6; i++ {
			if i >= len(text) || !strings.ContainsRune("0123456789abcdefABCDEF", rune(text[i])) {
				return 0
			}
		}
		return 6
	}
	return 0
}
