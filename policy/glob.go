package policy

import "strings"

// glob is a pattern whose stars stand for any run of characters but line
// breaks. Every other character is literal.
type glob struct {
	parts []string // the literal text between the stars
}

func isGlob(pattern string) bool { return strings.IndexByte(pattern, '*') >= 0 }

func compileGlob(pattern string) glob {
	return glob{parts: strings.Split(pattern, "*")}
}

func (g glob) prefix() string { return g.parts[0] }

func (g glob) suffix() string { return g.parts[len(g.parts)-1] }

// match is linear in the name for each part: no pattern makes it backtrack.
func (g glob) match(name string) bool { return g.matches(name, hasLineBreak(name)) }

// matches is match for a name of which it is known whether it has line breaks.
func (g glob) matches(name string, breaks bool) bool {
	first, last := g.prefix(), g.suffix()
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	rest := name[len(first) : len(name)-len(last)]
	for _, part := range g.parts[1 : len(g.parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 || breaks && hasLineBreak(rest[:i]) {
			return false
		}
		rest = rest[i+len(part):]
	}
	return !breaks || !hasLineBreak(rest)
}

// hasLineBreak looks for what ends a line in JavaScript.
func hasLineBreak(s string) bool {
	return strings.IndexByte(s, '\n') >= 0 || strings.IndexByte(s, '\r') >= 0 ||
		strings.IndexByte(s, 0xe2) >= 0 && (strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029"))
}
