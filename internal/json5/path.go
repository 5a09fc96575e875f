package json5

import (
	"fmt"
	"strconv"
	"strings"
)

// Step is one part of a path: a key of an object, or an index of an array.
type Step struct {
	Key     string
	Index   int
	IsIndex bool
}

// KeyStep is the step to a key.
func KeyStep(key string) Step { return Step{Key: key} }

// IndexStep is the step to an array's entry.
func IndexStep(i int) Step { return Step{Index: i, IsIndex: true} }

// FormatPath writes steps as a path: agents.list[0].tools. A key that is no
// plain identifier is written as ["…"].
func FormatPath(steps []Step) string {
	var path string
	for _, s := range steps {
		if s.IsIndex {
			path = JoinIndex(path, s.Index)
		} else {
			path = JoinKey(path, s.Key)
		}
	}
	return path
}

// JoinKey adds a key to a path.
func JoinKey(path, key string) string {
	switch {
	case !isPlain(key):
		return path + "[" + strconv.Quote(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// JoinIndex adds an index to a path.
func JoinIndex(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// ParsePath reads what [FormatPath] writes. The empty path has no steps.
func ParsePath(path string) ([]Step, error) {
	var steps []Step
	for rest := path; rest != ""; {
		step, after, err := cutStep(rest, len(steps) == 0)
		if err != nil {
			return nil, fmt.Errorf("parse config path %q: %w", path, err)
		}
		steps, rest = append(steps, step), after
	}
	return steps, nil
}

func cutStep(s string, first bool) (Step, string, error) {
	if strings.HasPrefix(s, "[") {
		return cutBracket(s[1:])
	}
	if !first {
		if s[0] != '.' {
			return Step{}, "", fmt.Errorf("expected '.' or '[' at %q", s)
		}
		s = s[1:]
	}
	end := strings.IndexAny(s, ".[")
	if end < 0 {
		end = len(s)
	}
	if !isPlain(s[:end]) {
		return Step{}, "", fmt.Errorf("%q is not a plain key", s[:end])
	}
	return KeyStep(s[:end]), s[end:], nil
}

func cutBracket(s string) (Step, string, error) {
	if quoted, err := strconv.QuotedPrefix(s); err == nil && strings.HasPrefix(s, `"`) {
		key, err := strconv.Unquote(quoted)
		if err != nil || !strings.HasPrefix(s[len(quoted):], "]") {
			return Step{}, "", fmt.Errorf("key in brackets is not closed")
		}
		return KeyStep(key), s[len(quoted)+1:], nil
	}
	digits, after, ok := strings.Cut(s, "]")
	i, err := strconv.Atoi(digits)
	if !ok || err != nil || strconv.Itoa(i) != digits || i < 0 {
		return Step{}, "", fmt.Errorf("expected an index or a quoted key after '['")
	}
	return IndexStep(i), after, nil
}

// isPlain reports whether a key can stand in a path without quotes.
func isPlain(key string) bool {
	for i, r := range key {
		switch {
		case r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		case i > 0 && (r == '-' || '0' <= r && r <= '9'):
		default:
			return false
		}
	}
	return key != ""
}
