package adapt

import (
	"regexp"
	"strconv"
)

// How providers name the tool that they refuse: by its place in the request or
// by its name.
var (
	byPlace = regexp.MustCompile(`(?i)\b(?:tools|functions|function_?declarations)(?:\.|\[)(\d{1,4})\b`)
	byName  = regexp.MustCompile("(?i)\\b(?:function|tool)(?: name)?:? ?['\"`]([A-Za-z0-9_.:-]{1,128})['\"`]")
)

// Blame finds the tool that a provider's refusal is about. names are those of
// the request, in its order. It reports false where the refusal names none of
// them, or more than one.
func Blame(refusal string, names []string) (string, bool) {
	found := map[string]bool{}
	for _, m := range byName.FindAllStringSubmatch(refusal, -1) {
		if contains(names, m[1]) {
			found[m[1]] = true
		}
	}
	if len(found) == 0 {
		for _, m := range byPlace.FindAllStringSubmatch(refusal, -1) {
			if i, err := strconv.Atoi(m[1]); err == nil && i < len(names) {
				found[names[i]] = true
			}
		}
	}
	for name := range found {
		return name, len(found) == 1
	}
	return "", false
}
