package policy

import "github.com/toolrest/toolrest/internal/names"

// Expand gives what a list stands for: its entries normalised, core groups
// replaced by their members, each once and blank ones left out. Unknown groups
// stay; globs and plugin entries do, too.
func Expand(d Dialect, list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, text := range list {
		name := names.Normalise(text)
		members, ok := d.catalogue().Group(name)
		if !ok {
			members = []string{name}
		}
		for _, m := range members {
			if m != "" && !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}
