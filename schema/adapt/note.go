package adapt

import (
	"encoding/json"
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// Bounds of the line that names combinations.
const (
	maxCombinations = 12
	maxNote         = 700 // bytes
)

// combinations names the combinations of properties that the variants of a
// union allow: what each requires, with the value where there is only one. It
// is empty where all ask for the same.
func (f *flat) combinations() string {
	var lines []string
	seen := map[string]bool{}
	for _, v := range f.variants {
		if line := v.combination(); line != "" && !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
		if len(lines) > maxCombinations {
			break
		}
	}
	if len(lines) < 2 {
		return ""
	}
	more := ""
	if len(lines) > maxCombinations {
		lines, more = lines[:maxCombinations], "; and others"
	}
	text := "Allowed combinations: " + strings.Join(lines, "; ") + more + "."
	if len(text) > maxNote {
		return ""
	}
	return text
}

// combination names what one variant asks for, and what it takes besides.
func (f *flat) combination() string {
	var with, may []string
	for _, key := range f.required {
		with = append(with, f.argument(key))
	}
	for _, m := range f.properties {
		if !contains(f.required, m.Key) {
			may = append(may, tree.Short(m.Key))
		}
	}
	text := strings.Join(with, " + ")
	if text == "" && len(may) > 0 {
		text = "nothing required"
	}
	if len(may) > 0 {
		text += " (optional: " + strings.Join(may, ", ") + ")"
	}
	return text
}

// argument is a key, with its value where the variant allows a single one.
func (f *flat) argument(key string) string {
	if i, ok := f.at(key); ok {
		if values, ok := literals(f.properties[i].Value); ok && len(values) == 1 {
			return tree.Short(key) + "=" + tree.Short(values[0].String())
		}
	}
	return tree.Short(key)
}

// Combinations names the combinations of arguments that a tool's schema
// allows, for the refusal of a call that has another one. It is empty where
// the schema leaves no choice, and where it cannot be adapted at all.
func Combinations(original json.RawMessage) string { return Adapt(original, Target{}).Note }
