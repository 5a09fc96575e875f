package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
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
		if at > 0 && text[at-1] == '$' {
			b.WriteString(text[:at-1] + "${")
			text = text[at+2:]
			continue
		}
		name, rest, closed := strings.Cut(text[at+2:], "}")
		b.WriteString(text[:at])
		value, wrong := c.variable(name, closed)
		if wrong.text != "" {
			return "", wrong
		}
		b.WriteString(value)
		text = rest
	}
}

// reference is what OpenClaw takes for a reference. All else is a text.
var reference = regexp.MustCompile(`\$(\$?)\{([A-Z_][A-Z0-9_]*)\}`)

// expandOpenClaw does the same as OpenClaw does: a variable may also be set in
// the config, under env, and a reference to one that is not set stays and is
// warned of. What stays unresolved is marked, so that it is never sent as a
// secret.
func (c *checker) expandOpenClaw(n *json5.Node, path string) string {
	return reference.ReplaceAllStringFunc(n.Text, func(found string) string {
		name := strings.Trim(found, "${}")
		if strings.HasPrefix(found, "$$") {
			return "${" + name + "}"
		}
		value := c.getenv(name)
		if value == "" {
			value = c.vars[name]
		}
		if value == "" {
			c.warn(n, path, fmt.Sprintf("the environment variable %s is not set", name))
			c.unresolved[n] = true
			return found
		}
		return value
	})
}

// varsOf gives the variables that an OpenClaw config sets itself. One that
// refers to another is none.
func varsOf(tree *json5.Node) map[string]string {
	vars := map[string]string{}
	set := func(n *json5.Node) {
		if n == nil {
			return
		}
		for _, m := range n.Members {
			if m.Value.Kind == json5.String && strings.TrimSpace(m.Value.Text) != "" && !strings.Contains(m.Value.Text, "${") {
				vars[m.Key] = m.Value.Text
			}
		}
	}
	env := child(tree, "env", json5.Object)
	set(child(env, "vars", json5.Object))
	set(env)
	return vars
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
