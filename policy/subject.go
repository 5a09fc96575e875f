package policy

import (
	"github.com/toolrest/toolrest/internal/names"
)

// Tool is what policy needs to know of a tool.
type Tool struct {
	Name string
	// Plugin is the id of the plugin that brought the tool; MCP tools carry
	// catalog.MCPPlugin. FromPlugin is set when the id is blank all the same.
	Plugin     string
	FromPlugin bool
	// Optional is set for a tool that its plugin declares so: it wants to be
	// named (see Layer.Named).
	Optional bool
}

// Subject is a tool in the form in which layers compare it. Whoever asks about
// the same tool many times prepares it once.
type Subject struct {
	tool       Tool
	name       string // normalised
	plugin     string // folded
	fromPlugin bool
	breaks     bool // the name has a line break, which only "*" crosses
}

// Prepare gives the form in which t is compared.
func Prepare(t Tool) Subject {
	s := Subject{tool: t, name: names.Normalise(t.Name), fromPlugin: t.FromPlugin || t.Plugin != ""}
	if t.Plugin != "" {
		s.plugin = names.Fold(t.Plugin)
	}
	s.breaks = hasLineBreak(s.name)
	return s
}

// Tool gives back what was prepared.
func (s *Subject) Tool() Tool { return s.tool }

const (
	patchTool = "apply_patch"
	writeTool = "write"
)

// linked reports whether s follows write: who may write may also patch, and in
// the Default dialect who may not write may not patch either.
func (s *Subject) linked() bool { return s.name == patchTool }
