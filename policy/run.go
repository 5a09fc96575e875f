package policy

import (
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
)

// LabelRun is the label of a run's own allow list.
const LabelRun = "runtime toolsAllow"

// RunAllow is the run's own allow list with what the run cannot do without: a
// run that answers by the message tool keeps it. A list that was not set
// stays so, and one with "*" restricts nothing and stays as it is.
func (r Run) RunAllow() List {
	list := r.Allow
	if !r.Message || !list.written() || hasName(list.Entries, everything) || hasName(list.Entries, messageTool) {
		return list
	}
	list.Entries = append(slices.Clone(list.Entries), Entry{Text: messageTool})
	return list
}

// hasName reports whether an entry, normalised, is the name itself.
func hasName(list []Entry, name string) bool {
	return slices.ContainsFunc(list, func(e Entry) bool { return names.Normalise(e.Text) == name })
}

// gates are the layers of the run's own.
func (r Run) gates(d Dialect) []Layer {
	var out []Layer
	if r.Flush {
		out = append(out, Layer{
			Label: "memory flush", Place: PlaceRun, Exact: true, Closed: true, Allow: builtIn("read", "write"),
			Why:    "a run that only saves to the memory reads and appends, and does nothing else",
			Remedy: "ask for it in an ordinary run",
		})
	}
	if l, ok := r.allowLayer(d); ok {
		out = append(out, l)
	}
	return append(out, r.lacks()...)
}

// allowLayer is the run's own allow list. In the dialect OpenClaw one of
// nothing but blanks restricts nothing; an empty one leaves nothing in both.
func (r Run) allowLayer(d Dialect) (Layer, bool) {
	list := r.RunAllow()
	if !list.written() || hasName(list.Entries, everything) {
		return Layer{}, false
	}
	return Layer{
		Label: LabelRun, Place: PlaceRun, Allow: list.Entries, AllowPos: list.Pos,
		Closed: d == Default || len(list.Entries) == 0,
		Why:    "whoever started the run chose its tools",
		Remedy: "start the run with the tool in its own allow list",
	}, true
}

// lacks are the tools that this kind of run does not have.
func (r Run) lacks() []Layer {
	var out []Layer
	lack := func(label, why, remedy string, tools ...string) {
		out = append(out, Layer{Label: label, Place: PlaceRun, Deny: builtIn(tools...), Why: why, Remedy: remedy})
	}
	if r.NoMessage {
		lack("run without messages", "this run may not send messages", "ask for it in a run that may", messageTool)
	}
	if !r.Heartbeat {
		lack("heartbeat", "only a heartbeat run answers to the heartbeat", "ask for it in a heartbeat run", "heartbeat_respond")
	}
	if r.ReadOnly {
		lack("read-only sandbox", "the sandbox may not write into the workspace",
			"give the sandbox write access to the workspace", "write", "edit", "apply_patch")
	}
	return out
}

// Needs are the families of tools that a run may use: what has to be started
// for it at all.
type Needs struct {
	Core    bool // tools that are built in
	Plugins bool // tools of plugins and of channels
	MCP     bool // MCP servers
	LSP     bool // language servers
}

// NeedsOf reads them from the run's own allow list; a run without one may use
// everything, and one with tools switched off nothing. An entry that could
// stand for a tool of a family wants the whole family; in the dialect OpenClaw
// a glob counts as the name of a plugin's tool, or of an MCP tool when it has
// two low lines.
func NeedsOf(d Dialect, allow List, toolsOff bool) Needs {
	switch {
	case toolsOff:
		return Needs{}
	case !allow.written() || hasName(allow.Entries, everything):
		return Needs{true, true, true, true}
	}
	var n Needs
	for _, e := range allow.Entries {
		n.add(d, names.Normalise(e.Text))
	}
	return n
}

func (n *Needs) add(d Dialect, name string) {
	row, known := d.catalogue().Lookup(name)
	_, group := d.catalogue().Group(name)
	switch {
	case name == "":
	case d == Default && isGlob(name):
		*n = Needs{true, true, true, true}
	case name == pluginsGroup:
		n.Plugins, n.MCP = true, true
	case name == catalog.MCPPlugin || strings.Contains(name, "__"):
		n.MCP = true
	case group:
		n.Core, n.Plugins = true, true
	case known && row.Plugin == "":
		n.Core = true
	default:
		n.Plugins = true
	}
	n.LSP = n.LSP || strings.HasPrefix(name, "lsp_")
}
