package arguments

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// named are the entities that have a name here, in the order in which they
// are decoded: one that was written twice over comes out whole.
var named = []struct {
	entity *regexp.Regexp
	text   string
}{
	{regexp.MustCompile(`(?i)&amp;`), "&"},
	{regexp.MustCompile(`(?i)&quot;`), `"`},
	{regexp.MustCompile(`(?i)&apos;`), "'"},
	{regexp.MustCompile(`(?i)&lt;`), "<"},
	{regexp.MustCompile(`(?i)&gt;`), ">"},
}

var (
	hexadecimal = regexp.MustCompile(`(?i)&#x([0-9a-f]+);`)
	decimal     = regexp.MustCompile(`&#([0-9]+);`)
)

// Unescape decodes the HTML entities in all texts of a decoded JSON value, but
// not in the names of members. It gives a new value; v is not changed.
func Unescape(v any) any {
	switch v := v.(type) {
	case string:
		return unescape(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = Unescape(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = Unescape(member)
		}
		return out
	}
	return v
}

func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	for _, n := range named {
		s = n.entity.ReplaceAllString(s, n.text)
	}
	s = hexadecimal.ReplaceAllStringFunc(s, func(e string) string { return character(e, e[3:len(e)-1], 16) })
	return decimal.ReplaceAllStringFunc(s, func(e string) string { return character(e, e[2:len(e)-1], 10) })
}

// character is the one with this number, or the entity itself when there is
// none.
func character(entity, digits string, base int) string {
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return entity
	}
	return string(rune(n))
}
