package config

import (
	"fmt"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
)

// form is what a value of the config looks like.
type form int

const (
	formText   form = iota
	formChoice      // one of a few texts
	formNumber
	formFlag
	formTexts  // an array of texts
	formIDs    // an array of texts and numbers
	formModel  // a text, or an object with the keys of the table
	formObject // has the keys of the table
	formList   // an array of such objects
	formMap    // an object with names of the user's, and such objects as values
	formWords  // an object with names of the user's, and texts, numbers or flags as values
)

// String names the form as error texts want it.
func (f form) String() string {
	switch f {
	case formNumber:
		return "a number"
	case formFlag:
		return "true or false"
	case formTexts:
		return "an array of strings"
	case formIDs:
		return "an array of strings and numbers"
	case formModel:
		return "a string, or an object with the key primary"
	case formObject, formMap, formWords:
		return "an object"
	case formList:
		return "an array of objects"
	}
	return "a string"
}

// key describes one key of the config. The table of keys is all that the
// loader and the reference know about the shape of a config file.
type key struct {
	name    string
	form    form
	doc     string
	choices []string
	// fallback tells the default, where there is one.
	fallback string
	required bool
	// low and high bound a whole number; high is 0 where there is no bound.
	low, high float64
	// owned says why a config that is not trusted does not get the key. It is
	// empty where it does.
	owned string
	// tightens tells which values of an owned key count all the same; nil for
	// none.
	tightens func(*json5.Node) bool
	// guards is set for a key that takes tools away: a word that looks like it
	// is an error even where any key may stand.
	guards bool
	keys   []key // of an object, and of each entry of a list or map
	// like is the path of a key that has the same keys, for the reference.
	like string
}

// withholds reports whether a config that is not trusted does not get the value
// of a key.
func (k *key) withholds(n *json5.Node) bool {
	return k.owned != "" && (k.tightens == nil || !k.tightens(n))
}

// names gives the keys that are valid in k.
func (k *key) names() []string {
	out := make([]string, len(k.keys))
	for i := range k.keys {
		out[i] = k.keys[i].name
	}
	return out
}

func (k *key) find(name string) *key {
	for i := range k.keys {
		if k.keys[i].name == name {
			return &k.keys[i]
		}
	}
	return nil
}

// Reference lists every key with its form, its default and what it does, one
// a line.
func Reference() string {
	var b strings.Builder
	root.describe(&b, "")
	return b.String()
}

func (k *key) describe(b *strings.Builder, prefix string) {
	for i := range k.keys {
		child := &k.keys[i]
		path := prefix + child.name
		fmt.Fprintf(b, "%s: %s%s. %s", path, child.wanted(), child.rest(), child.doc)
		if child.like != "" {
			fmt.Fprintf(b, " Its keys are those of %s.", child.like)
		}
		b.WriteByte('\n')
		switch child.form {
		case formList:
			path += "[]"
		case formMap, formWords:
			path += ".<name>"
		}
		if child.like == "" {
			child.describe(b, path+".")
		}
	}
}

// wanted says what a value must look like.
func (k *key) wanted() string {
	switch {
	case k.form == formChoice:
		return "one of '" + strings.Join(k.choices, "', '") + "'"
	case k.high > 0:
		return fmt.Sprintf("a whole number from %g to %g", k.low, k.high)
	}
	return k.form.String()
}

func (k *key) rest() string {
	switch {
	case k.required:
		return ", required"
	case k.fallback != "":
		return ", default " + k.fallback
	}
	return ""
}
