package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
)

// checker holds a tree to the table of keys, and decodes its texts on the way.
// What passes it has the form that the table says, or an error was noted.
type checker struct {
	findings
	trusted bool
	getenv  func(string) string
	// texts are the texts that passed, environment references expanded.
	texts map[*json5.Node]string
	// withheld is set below a key that the config does not get.
	withheld bool
}

func (c *checker) check(n *json5.Node, k *key, path string) {
	if !fits(n, k) {
		c.add(n, path, fmt.Sprintf("expected %s, found %s", k.wanted(), n.Kind), formHint(n, k))
		return
	}
	if k.outward && !c.trusted {
		c.withheld = true
		defer func() { c.withheld = false }()
	}
	switch k.form {
	case formText, formChoice:
		c.text(n, k, path)
	case formTexts:
		for i, item := range n.Items {
			c.check(item, &key{form: formText}, json5.JoinIndex(path, i))
		}
	case formObject:
		c.object(n, k, path)
	case formList:
		for i, item := range n.Items {
			c.check(item, &key{form: formObject, keys: k.keys}, json5.JoinIndex(path, i))
		}
	case formMap:
		c.entries(n, k, path)
	}
}

func fits(n *json5.Node, k *key) bool {
	switch k.form {
	case formNumber:
		return n.Kind == json5.Number
	case formFlag:
		return n.Kind == json5.Bool
	case formTexts, formList:
		return n.Kind == json5.Array
	case formObject, formMap:
		return n.Kind == json5.Object
	}
	return n.Kind == json5.String
}

func formHint(n *json5.Node, k *key) string {
	switch {
	case n.Kind == json5.Null:
		return "delete the key to get the default"
	case k.form == formTexts && n.Kind == json5.String:
		return "put it in brackets: ['…']"
	case k.form == formText && (n.Kind == json5.Number || n.Kind == json5.Bool):
		return "put it in quotes"
	}
	return ""
}

func (c *checker) object(n *json5.Node, k *key, path string) {
	for _, m := range n.Members {
		at := json5.JoinKey(path, m.Key)
		child := k.find(m.Key)
		if child == nil {
			c.addAt(m.Line, m.Col, at, "unknown key "+json5.Excerpt(m.Key), k.suggest(m.Key))
			continue
		}
		c.check(m.Value, child, at)
	}
	for _, child := range k.keys {
		if child.required && n.Get(child.name) == nil {
			c.add(n, json5.JoinKey(path, child.name), "required, but missing", child.doc)
		}
	}
}

func (c *checker) entries(n *json5.Node, k *key, path string) {
	for _, m := range n.Members {
		at := json5.JoinKey(path, m.Key)
		if strings.TrimSpace(m.Key) == "" {
			c.addAt(m.Line, m.Col, at, "a blank name", "give it a name")
		}
		c.check(m.Value, &key{form: formObject, keys: k.keys}, at)
	}
}

func (c *checker) text(n *json5.Node, k *key, path string) {
	if c.withheld {
		return
	}
	value, problem := c.expand(n.Text)
	if problem.text != "" {
		c.add(n, path, problem.text, problem.hint)
		return
	}
	if k.form == formChoice && !slices.Contains(k.choices, value) {
		// The text as it was written: what a variable holds may be secret.
		c.add(n, path, "unknown value "+json5.Excerpt(n.Text), didYouMean(names.Nearest(n.Text, k.choices, 2), "it is one of: "+strings.Join(k.choices, ", ")))
		return
	}
	c.texts[n] = value
}

// suggest tells what was probably meant by an unknown key: a key of k, or one
// that belongs a level deeper.
func (k *key) suggest(word string) string {
	near := names.Nearest(word, k.names(), 2)
	for i := range k.keys {
		if deeper := &k.keys[i]; deeper.form == formObject && deeper.find(word) != nil {
			near = append(near, deeper.name+"."+word)
		}
	}
	return didYouMean(near, "the keys here are: "+strings.Join(k.names(), ", "))
}

func didYouMean(near []string, hint string) string {
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return hint
}

// child gives the value of a key where it has the kind that the table wants;
// where it has not, that was noted.
func child(n *json5.Node, name string, kind json5.Kind) *json5.Node {
	if c := n.Get(name); c != nil && c.Kind == kind {
		return c
	}
	return nil
}
