package process

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

//go:embed env_refused.txt
var refusedText string

// refused are the names that a call may not set. A name that ends in * stands
// for all that begin like it.
var refused, refusedPrefixes = splitPrefixes(words(refusedText))

var portableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// A compiler or a runner of one Cargo target runs in place of the real one.
var cargoTarget = regexp.MustCompile(`^CARGO_TARGET_.*_(LINKER|RUNNER)$`)

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
		case !portableName.MatchString(name) || strings.ContainsRune(value, 0):
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
	return refused[upper] || cargoTarget.MatchString(upper) ||
		slices.ContainsFunc(refusedPrefixes, func(p string) bool { return strings.HasPrefix(upper, p) })
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
