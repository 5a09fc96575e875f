package config

import (
	"fmt"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// lists refuses lists that say something else than they seem to: an empty
// allow list would forbid nothing, and allow beside alsoAllow leaves open which
// of them restricts. OpenClaw takes the first.
func (c *checker) lists(n *json5.Node, path string) {
	allow, also := child(n, "allow", json5.Array), child(n, "alsoAllow", json5.Array)
	if allow == nil {
		return
	}
	filled := also != nil && len(also.Items) > 0
	switch {
	case filled && len(allow.Items) > 0:
		text := fmt.Sprintf("it cannot stand beside allow (%s)", c.pos(allow))
		c.add(also, json5.JoinKey(path, "alsoAllow"), text, "put the entries of one list into the other")
	case !filled && c.dialect == policy.Default && c.allBlank(allow):
		c.add(allow, json5.JoinKey(path, "allow"), "the list allows nothing, which would not forbid anything", "write deny: ['*'] or delete the list")
	}
}

// allBlank reports whether a list is right and says nothing.
func (c *checker) allBlank(list *json5.Node) bool {
	for _, item := range list.Items {
		if text, ok := c.texts[item]; !ok || names.Fold(text) != "" {
			return false
		}
	}
	return true
}
