package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// checker holds a tree to the table of keys, and decodes its texts on the way.
// What passes it has the form that the table says, or an error was noted.
type checker struct {
	findings
	trusted bool
	getenv  func(string) string
	// texts are the texts that passed, environment references expanded.
	texts   map[*json5.Node]string
	dialect policy.Dialect
	// withheld is set below a key that the config does not get.
	withheld bool
	// vars are the variables that an OpenClaw config sets itself, and unresolved
	// the texts with references that are left.
	vars       map[string]string
	unresolved map[*json5.Node]bool
	warnings   []Warning
	// unusedKeys are the keys that have no effect here.
	unusedKeys []Unused
}

func (c *checker) check(n *json5.Node, k *key, at spot) {
	if !fits(n, k) {
		if at.known().holds(n) {
			c.unused(n, at) // a form of the value that OpenClaw has and we do not
			return
		}
		c.add(n, at.path, fmt.Sprintf("expected %s, found %s", k.wanted(), n.Kind), formHint(n, k))
		return
	}
	if !c.trusted && k.withholds(n) {
		before := c.withheld
		c.withheld = true
		defer func() { c.withheld = before }()
	}
	switch k.form {
	case formText, formChoice:
		c.text(n, k, at.path)
	case formNumber:
		c.number(n, k, at.path)
	case formTexts, formIDs:
		for i, item := range n.Items {
			c.entry(item, k, json5.JoinIndex(at.path, i))
		}
	case formModel, formObject:
		c.object(n, k, at)
	case formList:
		for i, item := range n.Items {
			c.check(item, &key{form: formObject, keys: k.keys}, at.index(i))
		}
	case formMap, formWords:
		c.entries(n, k, at)
	}
}

func (c *checker) warn(n *json5.Node, path, text string) {
	c.warnings = append(c.warnings, Warning{Path: path, Pos: c.pos(n), Text: text})
}

// entry checks an entry of a list of texts.
func (c *checker) entry(n *json5.Node, k *key, path string) {
	switch {
	case n.Kind == json5.String:
		c.text(n, &key{form: formText}, path)
	case n.Kind == json5.Number && k.form == formIDs:
		c.texts[n] = n.Source()
	default:
		c.add(n, path, "expected a string, found "+n.Kind.String(), formHint(n, &key{form: formText}))
	}
}

func (c *checker) number(n *json5.Node, k *key, path string) {
	if k.high > 0 && (n.Number != math.Trunc(n.Number) || n.Number < k.low || n.Number > k.high) {
		c.add(n, path, fmt.Sprintf("expected %s, found %s", k.wanted(), shortNumber(n.Number)), "")
	}
}

func shortNumber(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func fits(n *json5.Node, k *key) bool {
	switch k.form {
	case formNumber:
		return n.Kind == json5.Number
	case formFlag:
		return n.Kind == json5.Bool
	case formTexts, formIDs, formList:
		return n.Kind == json5.Array
	case formObject, formMap, formWords:
		return n.Kind == json5.Object
	case formModel:
		return n.Kind == json5.String || n.Kind == json5.Object
	}
	return n.Kind == json5.String
}

func formHint(n *json5.Node, k *key) string {
	switch {
	case n.Kind == json5.Null:
		return "delete the key to get the default"
	case (k.form == formTexts || k.form == formIDs) && n.Kind == json5.String:
		return "put it in brackets: ['…']"
	case k.form == formText && (n.Kind == json5.Number || n.Kind == json5.Bool):
		return "put it in quotes"
	}
	return ""
}

func (c *checker) object(n *json5.Node, k *key, at spot) {
	if n.Kind == json5.String { // of a model
		c.text(n, k, at.path)
		return
	}
	for _, m := range n.Members {
		child, below := k.find(m.Key), at.key(m.Key)
		switch {
		case child != nil:
			c.check(m.Value, child, below)
		case below.known() != nil && (at.known().named(m.Key) || !k.misspells(m.Key)):
			c.unused(m.Value, below)
		case c.full():
			return
		default:
			c.addKey(m, below.path, "unknown key "+json5.Excerpt(m.Key), k.suggest(m.Key, at.known()))
		}
	}
	if k.find("alsoAllow") != nil {
		c.lists(n, at.path)
	}
	for _, child := range k.keys {
		if child.required && n.Get(child.name) == nil {
			c.add(n, json5.JoinKey(at.path, child.name), "required, but missing", child.doc)
		}
	}
}

func (c *checker) entries(n *json5.Node, k *key, at spot) {
	for _, m := range n.Members {
		below := at.key(m.Key)
		if strings.TrimSpace(m.Key) == "" {
			c.addKey(m, below.path, "a blank name", "give it a name")
		}
		if k.form == formMap {
			c.check(m.Value, &key{form: formObject, keys: k.keys}, below)
			continue
		}
		c.word(m.Value, below.path)
	}
}

// word checks a value that is a text, or is written as one.
func (c *checker) word(n *json5.Node, path string) {
	switch n.Kind {
	case json5.String:
		c.text(n, &key{form: formText}, path)
	case json5.Number, json5.Bool:
		c.texts[n] = n.Source()
	default:
		c.add(n, path, "expected a string, a number or a boolean, found "+n.Kind.String(), "")
	}
}

// decode gives a text with what it refers to.
func (c *checker) decode(n *json5.Node, path string) (string, bool) {
	if c.dialect == policy.OpenClaw {
		return c.expandOpenClaw(n, path), true
	}
	value, problem := c.expand(n.Text)
	if problem.text != "" {
		c.add(n, path, problem.text, problem.hint)
		return "", false
	}
	return value, true
}

func (c *checker) text(n *json5.Node, k *key, path string) {
	if c.withheld {
		return
	}
	value, ok := c.decode(n, path)
	if !ok {
		return
	}
	if k.form == formChoice && !slices.Contains(k.choices, value) {
		// The text as it was written: what a variable holds may be secret.
		c.add(n, path, "unknown value "+json5.Excerpt(n.Text), didYouMean(names.Nearest(n.Text, k.choices, 2), "it is one of: "+strings.Join(k.choices, ", ")))
		return
	}
	c.texts[n] = value
}

// misspells reports whether a word looks like a key that takes tools away.
func (k *key) misspells(word string) bool {
	for i := range k.keys {
		if k.keys[i].guards && len(names.Nearest(word, []string{k.keys[i].name}, 1)) > 0 {
			return true
		}
	}
	return false
}

// suggest tells what was probably meant by an unknown key: a key of k, one of
// OpenClaw's, or one that belongs a level deeper.
func (k *key) suggest(word string, o *outline) string {
	near := names.Nearest(word, slices.Concat(k.names(), o.names()), 2)
	for i := range k.keys {
		if deeper := &k.keys[i]; deeper.form == formObject && deeper.find(word) != nil {
			near = append(near, deeper.name+"."+word)
		}
	}
	return didYouMean(near, "the keys here are: "+strings.Join(k.names(), ", "))
}

// suggest is the same where the keys are only OpenClaw's.
func (o *outline) suggest(word string) string {
	return didYouMean(names.Nearest(word, o.names(), 2), "OpenClaw has no such key")
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
