package names

import (
	"strings"
	"unicode"
)

// aliases are whole names that stand for another; they never apply inside a
// glob.
var aliases = map[string]string{
	"bash":        "exec",
	"apply-patch": "apply_patch",
}

// Normalise gives the form in which names are compared: outer white space
// (and byte order marks) removed, lower case, aliases resolved.
func Normalise(name string) string {
	folded := Fold(name)
	if target, ok := aliases[folded]; ok {
		return target
	}
	return folded
}

// Fold is Normalise without the aliases.
func Fold(name string) string {
	if isFolded(name) {
		return name
	}
	return strings.ToLower(Trim(name))
}

// isFolded reports whether folding surely leaves name as it is: nearly all
// names are visible ASCII without capitals.
func isFolded(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// Trim removes outer white space and byte order marks.
func Trim(s string) string { return strings.TrimFunc(s, isSpace) }

// isSpace is what peers in other languages call white space: the byte order
// mark is, the control character NEL is not.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) && r != '\u0085' || r == '\ufeff'
}

// OneLine squeezes each run of white space to one blank and removes the outer
// ones.
func OneLine(s string) string { return strings.Join(strings.FieldsFunc(s, isSpace), " ") }

// CouldBecome reports whether a name of which only the beginning is known can
// still turn out to be one of the allowed names, or an alias of one.
func CouldBecome(prefix string, allowed []string) bool {
	typed := Fold(prefix)
	if typed == "" {
		return false
	}
	for _, name := range allowed {
		if begins(name, typed) {
			return true
		}
	}
	return false
}

func begins(name, typed string) bool {
	folded, whole := Fold(name), Normalise(name)
	if strings.HasPrefix(folded, typed) || strings.HasPrefix(whole, typed) {
		return true
	}
	for alias, target := range aliases {
		if alias == typed && (strings.HasPrefix(folded, target) || strings.HasPrefix(whole, target)) {
			return true
		}
		if strings.HasPrefix(alias, typed) && (folded == target || whole == target) {
			return true
		}
	}
	return false
}
