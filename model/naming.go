package model

import "github.com/toolrest/toolrest/internal/names"

// Names translates between the names of tools and what a provider accepts as
// one. It is made for one request and safe for use by several goroutines.
type Names = names.Naming

// NewNames makes the translation for tools. Names that rule accepts stay as
// they are; the others get a form that depends on the name alone, unless a
// tool already has that. It refuses two tools of one name.
func NewNames(tools []Tool, rule Rule) (*Names, error) {
	all := make([]string, len(tools))
	for i, t := range tools {
		all[i] = t.Name
	}
	return names.NewNaming(all, rule)
}
