package process

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed env_inherited.txt
var inheritedText string

// inherited are the names that a command takes over from our environment.
var inherited = words(inheritedText)

// Environ gives the environment of a command: the entries of environ
// ("NAME=value", as from os.Environ) whose names are on the list of harmless
// ones. Everything else stays with us, above all keys and tokens, which have
// no fixed names. An address that carries a user name or a password is left
// out even under a listed name. The result is sorted, and of several entries
// with one name the last counts.
func Environ(environ []string) []string {
	kept := map[string]string{}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if ok && inherited[name] && !carriesCredentials(value) {
			kept[name] = value
		}
	}
	return entries(kept)
}

// carriesCredentials reports whether value holds an address with user
// information, alone or in a list: with a scheme, or as user:password@host.
func carriesCredentials(value string) bool {
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(",|; \t\n", r) })
	return slices.ContainsFunc(parts, func(part string) bool {
		before, address, scheme := strings.Cut(part, "//")
		if !scheme {
			address = before
		}
		authority := address
		if end := strings.IndexAny(address, "/?#"); end >= 0 {
			authority = address[:end]
		}
		return strings.Contains(authority, "@") && (scheme || strings.Contains(authority, ":"))
	})
}

// words reads a list of names: one or more a line, # begins a comment.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			set[word] = true
		}
	}
	return set
}

func entries(values map[string]string) []string {
	list := make([]string, 0, len(values))
	for name, value := range values {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}
