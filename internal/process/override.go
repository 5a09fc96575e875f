package process

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed env_refused.txt
var refusedText string

// refused are the names that a call may not set. A name that ends in * stands
// for all that begin like it.
var refused, refusedPrefixes = splitPrefixes(words(refusedText))

// EnvError says which names of a call's environment were refused.
type EnvError struct {
	Refused []string // sorted: they decide what programs load, run or reach
	Invalid []string // sorted: they are not names of variables, or have a NUL in the value
}

func (e *EnvError) Error() string {
	var parts []string
	if len(e.Refused) > 0 {
		parts = append(parts, fmt.Sprintf("env may not set %s: such a variable decides which code programs load or run, or whom they trust",
			quoted(e.Refused)))
	}
	if len(e.Invalid) > 0 {
		parts = append(parts, fmt.Sprintf("env has the invalid entry %s: a name has letters, digits and _ and begins with none of the digits; a value has no NUL",
			quoted(e.Invalid)))
	}
	return strings.Join(parts, "; ") + " (leave it out, or set it in the command itself, where it can be judged)"
}

// WithOverrides adds what a call asks for to an environment. It refuses, with
// an [*EnvError] that names every bad key, PATH and all other names that make
// a program load foreign code, run another program, trust another server or
// take up other credentials.
func WithOverrides(environ []string, overrides map[string]string) ([]string, error) {
	var bad EnvError
	all := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		all[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		switch value := overrides[name]; {
		case !isPortable(name) || strings.ContainsRune(value, 0):
			bad.Invalid = append(bad.Invalid, name)
		case isRefused(name):
			bad.Refused = append(bad.Refused, name)
		default:
			all[name] = value
		}
	}
	if len(bad.Refused)+len(bad.Invalid) > 0 {
		return nil, &bad
	}
	return entries(all), nil
}

func isRefused(name string) bool {
	upper := strings.ToUpper(name)
	return refused[upper] || isCargoTarget(upper) ||
		slices.ContainsFunc(refusedPrefixes, func(p string) bool { return strings.HasPrefix(upper, p) })
}

// isCargoTarget knows the names of the linker and the runner of one target,
// which Cargo runs in place of the real ones.
func isCargoTarget(upper string) bool {
	return strings.HasPrefix(upper, "CARGO_TARGET_") &&
		(strings.HasSuffix(upper, "_LINKER") || strings.HasSuffix(upper, "_RUNNER"))
}

// isPortable reports whether every shell takes name as that of a variable.
func isPortable(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if digit := r >= '0' && r <= '9'; !letter && (!digit || i == 0) {
			return false
		}
	}
	return name != ""
}

func splitPrefixes(names map[string]bool) (exact map[string]bool, prefixes []string) {
	exact = map[string]bool{}
	for name := range names {
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			prefixes = append(prefixes, prefix)
		} else {
			exact[name] = true
		}
	}
	return exact, prefixes
}

// quoted lists names for a message. They come from a model: few, and short.
func quoted(names []string) string {
	const most, longest = 8, 64
	var out []string
	for i, name := range names {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		if len(name) > longest {
			name = name[:longest] + "..."
		}
		out = append(out, fmt.Sprintf("%q", name))
	}
	return strings.Join(out, ", ")
}
