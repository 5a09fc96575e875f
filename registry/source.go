package registry

import (
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
)

// Kind is what a source is, and so which tools of others its own replace.
type Kind string

// The kinds of sources, in the order in which they are merged.
const (
	Core      Kind = "core"      // the built-in tools
	Extension Kind = "extension" // by code that embeds the library; replaces core, among extensions the first stays
	SDK       Kind = "sdk"       // a program's own tools; replaces core, extensions and earlier ones
	Plugin    Kind = "plugin"    // never replaces
	MCP       Kind = "mcp"       // never replaces
)

var kinds = []Kind{Core, Extension, SDK, Plugin, MCP}

// rank is the place in the order; an unknown kind comes last.
func (k Kind) rank() int {
	if i := slices.Index(kinds, k); i >= 0 {
		return i
	}
	return len(kinds)
}

// foreign kinds come from outside of the program: they replace nothing, take
// no name that others would be mistaken for, and do not say who they are.
func (k Kind) foreign() bool { return k != Core && k != Extension && k != SDK }

// replaces reports whether a tool of kind k takes the place of one of kind of.
func (k Kind) replaces(of Kind) bool {
	return k == SDK || k == Extension && of == Core
}

// Source is where tools come from. It must not change once it was given to a
// registry.
type Source struct {
	Kind  Kind
	Name  string // the plugin, server or program; may be empty for core
	Tools []toolrest.Tool
	// Prompts are what the system prompt says of the tools, by their names.
	Prompts map[string]Prompt
	// Optional are the names of tools that a policy has to name.
	Optional []string
}

// Label names the source in messages.
func (s Source) Label() string {
	if s.Name == "" {
		return string(s.Kind)
	}
	return string(s.Kind) + " " + names.Show(s.Name)
}

// names gives the names of the tools.
func (s Source) names() []string {
	out := make([]string, len(s.Tools))
	for i := range s.Tools {
		out[i] = s.Tools[i].Name
	}
	return out
}

// contract gives the first fault for which the whole source is left out:
// nobody could tell which of two tools was meant, what a tool without an
// executor does, or whom a name stands for.
func (s Source) contract() *ContractError {
	fault := func(code, tool, reason string) *ContractError {
		return &ContractError{Code: code, Tool: tool, Source: s.Label(), Reason: reason}
	}
	if reason := s.nameFault(); reason != "" {
		return fault(CodeSourceName, "", reason)
	}
	seen := make(map[string]bool, len(s.Tools))
	for i := range s.Tools {
		t := &s.Tools[i]
		if seen[t.Name] {
			return fault(CodeDuplicate, t.Name, "two of its tools are named "+names.Show(t.Name))
		}
		seen[t.Name] = true
		if t.Executor == nil {
			return fault(CodeNoExecutor, t.Name, names.Show(t.Name)+" has nothing to run")
		}
	}
	return nil
}

// nameFault says what is wrong with the source's kind or name. A plugin that
// is called as all MCP tools are would pass wherever those are allowed.
func (s Source) nameFault() string {
	if s.Kind.rank() == len(kinds) {
		return "there is no such kind of source"
	}
	if s.Name == "" && !s.Kind.foreign() {
		return ""
	}
	if err := names.Check(s.Name); err != nil {
		return "its name " + err.Error()
	}
	if s.Kind == Plugin && names.Fold(s.Name) == catalog.MCPPlugin {
		return "its name stands for all MCP tools"
	}
	return ""
}
