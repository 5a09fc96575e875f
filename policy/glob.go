package policy

import "strings"

// glob is a pattern whose stars stand for any run of characters but line
// breaks. Every other character is literal.
type glob struct {
	parts []string // the literal text between the stars
}

func isGlob(pattern string) bool { return strings.Contains(pattern, "*") }

func compileGlob(pattern string) glob {
	return glob{parts: strings.Split(pattern, "*")}
}

// match is linear in the name for each part: no pattern makes it backtrack.
func (g glob) match(name string) bool {
	first, last := g.parts[0], g.parts[len(g.parts)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	rest := name[len(first) : len(name)-len(last)]
	for _, part := range g.parts[1 : len(g.parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 || hasLineBreak(rest[:i]) {
			return false
		}
		rest = rest[i+len(part):]
	}
	return !hasLineBreak(rest)
}

func hasLineBreak(s string) bool { return strings.ContainsAny(s, "\n\r\u2028\u2029") }
