package config

import (
	"fmt"
	"strings"
)

// problem is what is wrong with a text; the zero problem is none.
type problem struct {
	text, hint string
}

// expand puts the values of environment variables in the place of ${NAME};
// $${NAME} stands for the text ${NAME}. A reference that cannot be resolved is
// a problem: a half-filled text would be worse than none.
func (c *checker) expand(text string) (string, problem) {
	var b strings.Builder
	for {
		at := strings.Index(text, "${")
		if at < 0 {
			b.WriteString(text)
			return b.String(), problem{}
		}
		name, rest, closed := strings.Cut(text[at+2:], "}")
		if at > 0 && text[at-1] == '$' {
			b.WriteString(text[:at-1] + "${")
			text = text[at+2:]
			continue
		}
		b.WriteString(text[:at])
		value, wrong := c.variable(name, closed)
		if wrong.text != "" {
			return "", wrong
		}
		b.WriteString(value)
		text = rest
	}
}

func (c *checker) variable(name string, closed bool) (string, problem) {
	if !closed || !isVariable(name) {
		return "", problem{"${ does not begin the name of an environment variable", "write ${NAME}, or $${ for the characters themselves"}
	}
	if !c.trusted {
		return "", problem{fmt.Sprintf("${%s}: a config that is not trusted does not get the environment", name), "write the value itself, or trust the file: " + trustCommand(c.file)}
	}
	value := c.getenv(name)
	if value == "" {
		return "", problem{fmt.Sprintf("the environment variable %s is not set", name), "set it, or write $${" + name + "} for the characters themselves"}
	}
	return value, problem{}
}

func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && len(name) <= 200
}

// hasVariable reports whether a text refers to the environment.
func hasVariable(text string) bool {
	return strings.Contains(strings.ReplaceAll(text, "$${", ""), "${")
}
