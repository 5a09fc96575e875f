package check

import (
	"regexp"

	"github.com/toolrest/toolrest/schema/tree"
)

var anthropicKey = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// Anthropic are the rules for an input_schema: an object without a union at
// the root, valid by draft 2020-12, with property names of a small alphabet.
func Anthropic(n *tree.Node) []Breach {
	l := everywhere(n, draft, resolvable(n), noOldWords, noCatchAll)
	if !n.Is(tree.Object) || !n.Get("type").IsText("object") {
		l.add("", "type", `must be "object" at the root`)
	}
	refusing("is not supported at the root", "oneOf", "allOf", "anyOf")("", n, &l)
	for _, m := range n.Get("properties").Members() {
		if !anthropicKey.MatchString(m.Key) {
			l.add("properties."+tree.Short(m.Key), "", "the name does not match "+anthropicKey.String())
		}
	}
	return l
}

// noOldWords refuses what older drafts and OpenAPI say: draft 2020-12 ignores
// it, so that the schema would not mean what its author meant.
func noOldWords(path string, n *tree.Node, l *list) {
	refusing("is no keyword of draft 2020-12", "nullable", "additionalItems", "dependencies", "definitions", "discriminator", "xml")(path, n, l)
}

// noCatchAll refuses patterns that match every key: they were seen to be
// refused, and additionalProperties says the same.
func noCatchAll(path string, n *tree.Node, l *list) {
	for _, m := range n.Get("patternProperties").Members() {
		switch m.Key {
		case "", ".*", "^.*$", "^(.*)$", ".+", "^.+$", "^(.+)$", "^", "$":
			l.add(path, "patternProperties", "a pattern that matches every key")
		}
	}
}
