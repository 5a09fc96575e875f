package names

import (
	"regexp"
	"slices"
	"strings"
)

// Repair gives the one of the allowed names that a model meant by a name that
// none of them has: with another case or an alias, with the name of a
// namespace in front ("functions.read", "default_api.read"), with a counter
// behind ("read:0", "read_3"), or with a slash for a dot. It gives false
// where none or more than one can be meant; then nobody may guess.
func Repair(name string, allowed []string) (string, bool) {
	if len(allowed) == 0 || len(name) > MaxName {
		return "", false
	}
	if meant, ok := among(Trim(name), allowed); ok {
		return meant, true
	}
	if meant, ok := infer(name, allowed); ok {
		return meant, true
	}
	// A numbered call of a function that nothing is leads nowhere else.
	if numbered.MatchString(Trim(name)) {
		return "", false
	}
	return behindDot(strings.ReplaceAll(Trim(name), "/", "."), allowed)
}

// FromID gives the allowed name that the identifier of a call names, as some
// models write one ("functions.read:0") and leave the name blank.
func FromID(id string, allowed []string) (string, bool) {
	if len(id) > MaxName {
		return "", false
	}
	return infer(id, allowed)
}

// Meant gives the allowed name that a call means: the one that its name is or
// repairs to, or, where the name is blank, the one that its identifier names.
// An empty id names nothing.
func Meant(name, id string, allowed []string) (string, bool) {
	if Trim(name) != "" {
		return Repair(name, allowed)
	}
	return FromID(id, allowed)
}

// Callable reports whether a name may stand in a call that is sent back to a
// model: 1 to 64 ASCII letters, digits and "_:.-", and one of allowed,
// whatever its case, where there are any.
func Callable(name string, allowed []string) bool {
	name = Trim(name)
	if !callable.MatchString(name) {
		return false
	}
	any := true
	for _, a := range allowed {
		switch a = Trim(a); {
		case a == "":
		case strings.EqualFold(a, name):
			return true
		default:
			any = false
		}
	}
	return any
}

var (
	callable  = regexp.MustCompile(`^[A-Za-z0-9_:.-]{1,64}$`)
	namespace = regexp.MustCompile(`^(?i:functions?|tools?)[._\s-]?`)
	counter   = regexp.MustCompile(`[:._\s-]?\d+$`)
	numbered  = regexp.MustCompile(`^(?i:functions?|tools?).*\d$`)
)

// among finds a name: as it is, in its normal form, or alone in another case.
func among(name string, allowed []string) (string, bool) {
	if name == "" {
		return "", false
	}
	for _, form := range []string{name, Normalise(name)} {
		if slices.Contains(allowed, form) {
			return form, true
		}
	}
	found := ""
	for _, a := range allowed {
		if Fold(a) == Fold(name) {
			if found != "" && found != a {
				return "", false
			}
			found = a
		}
	}
	return found, found != ""
}

// infer takes off what models put around a name, in every way, and gives the
// name that all ways lead to.
func infer(text string, allowed []string) (string, bool) {
	whole := strings.ReplaceAll(Trim(text), "/", ".")
	found := ""
	for _, form := range []string{whole, namespace.ReplaceAllString(whole, "")} {
		before, _, _ := strings.Cut(form, ":")
		for _, bare := range []string{form, uncounted(form), before, uncounted(before)} {
			meant, ok := inNamespace(bare, allowed)
			if !ok {
				continue
			}
			if found != "" && found != meant {
				return "", false
			}
			found = meant
		}
	}
	return found, found != ""
}

func uncounted(name string) string { return counter.ReplaceAllString(name, "") }

// inNamespace finds a name, or what stands behind one of its dots.
func inNamespace(name string, allowed []string) (string, bool) {
	if meant, ok := among(name, allowed); ok {
		return meant, true
	}
	return behindDot(name, allowed)
}

func behindDot(name string, allowed []string) (string, bool) {
	var parts []string
	for part := range strings.SplitSeq(name, ".") {
		if part = Trim(part); part != "" {
			parts = append(parts, part)
		}
	}
	for i := 1; i < len(parts); i++ {
		if meant, ok := among(strings.Join(parts[i:], "."), allowed); ok {
			return meant, true
		}
	}
	return "", false
}
