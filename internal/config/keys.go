package config

import (
	"fmt"
	"strings"
)

// form is what a value of the config looks like.
type form int

const (
	formText   form = iota
	formChoice      // one of a few texts
	formNumber
	formFlag
	formTexts  // an array of texts
	formObject // has the keys of the table
	formList   // an array of such objects
	formMap    // an object with names of the user's, and such objects as values
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
	case formObject, formMap:
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
	// outward marks what reaches out of the machine or into the environment:
	// a config that is not trusted does not get it.
	outward bool
	keys    []key // of an object, and of each entry of a list or map
}

// DefaultProfile counts where no profile is written.
const DefaultProfile = "coding"

// Values of tools.exec.ask.
const (
	AskAlways = "always" // each command wants a yes
	AskOff    = "off"    // commands run without one
)

var profiles = []string{"minimal", "coding", "messaging", "full"}

var root = key{form: formObject, keys: []key{
	{name: "workspace", form: formText, fallback: "the current folder",
		doc: "The folder that tools work in: relative to the folder of this file, absolute, or ~/."},
	{name: "tools", form: formObject, keys: toolKeys(DefaultProfile, AskAlways),
		doc: "Which tools all agents have."},
	{name: "agents", form: formObject, keys: agentsKeys,
		doc: "What single agents may do."},
	{name: "models", form: formObject, keys: modelsKeys, outward: true,
		doc: "Where models are and how to reach them."},
}}

// toolKeys are the keys of a scope, with what counts where it does not say.
func toolKeys(profile, ask string) []key {
	return []key{
		{name: "profile", form: formChoice, choices: profiles, fallback: profile,
			doc: "The set of tools to start from."},
		{name: "allow", form: formTexts,
			doc: "The only tools that are left: names, groups such as group:fs, or globs. Not beside alsoAllow."},
		{name: "alsoAllow", form: formTexts,
			doc: "Tools in addition to those of the profile. Not beside allow."},
		{name: "deny", form: formTexts,
			doc: "Tools that are taken away. It wins over allow and alsoAllow."},
		{name: "exec", form: formObject, doc: "How commands run.", keys: []key{
			{name: "ask", form: formChoice, choices: []string{AskAlways, AskOff}, fallback: ask,
				doc: "Whether somebody must agree to each command."},
		}},
	}
}

var agentsKeys = []key{
	{name: "list", form: formList, doc: "The agents, each with an id of its own.", keys: []key{
		{name: "id", form: formText, required: true,
			doc: "The agent's name: letters, digits, - and _, at most 64; upper and lower case are the same."},
		{name: "tools", form: formObject, keys: toolKeys("the global one", "the global one"),
			doc: "Which of the tools this agent has. The profile and alsoAllow stand in the place of the global ones; allow and deny only take more away."},
	}},
}

var modelsKeys = []key{
	{name: "providers", form: formMap, doc: "The providers by name.", keys: []key{
		{name: "baseUrl", form: formText, doc: "The address of the provider's API: http:// or https://."},
		{name: "apiKey", form: formText, doc: "The secret that opens it; best written as '${VARIABLE}'."},
		{name: "api", form: formText, doc: "The wire format that it speaks."},
		{name: "models", form: formList, doc: "The models that it offers.", keys: []key{
			{name: "id", form: formText, required: true, doc: "The name that the provider knows the model by."},
			{name: "name", form: formText, doc: "The name for people."},
			{name: "contextWindow", form: formNumber, doc: "How many tokens it reads."},
			{name: "maxTokens", form: formNumber, doc: "How many tokens it writes at most."},
			{name: "reasoning", form: formFlag, doc: "Whether it thinks before it answers."},
		}},
	}},
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
		fmt.Fprintf(b, "%s: %s%s. %s\n", path, child.wanted(), child.rest(), child.doc)
		switch child.form {
		case formList:
			path += "[]"
		case formMap:
			path += ".<name>"
		}
		child.describe(b, path+".")
	}
}

// wanted says what a value must look like.
func (k *key) wanted() string {
	if k.form == formChoice {
		return "one of '" + strings.Join(k.choices, "', '") + "'"
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
