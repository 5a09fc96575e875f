package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/schema"
)

// Snapshot is what was registered at one moment. It is immutable; rows that
// did not change may be shared with the next one.
type Snapshot struct {
	Version uint64
	Rows    []*Row
	// Skipped are tools whose names were taken.
	Skipped []Skipped
}

// Skipped is a tool that was left out because another has its name.
type Skipped struct {
	Tool, Source, Holder string
}

func (s Skipped) String() string {
	return fmt.Sprintf("%s of %s is left out: %s has a tool of that name", s.Tool, s.Source, s.Holder)
}

// Row is a registered tool.
type Row struct {
	toolrest.Tool
	// Source says where the tool comes from; for a tool of the SDK it is
	// "<sdk:NAME>".
	Source string

	compile func() (*schema.Schema, error) // once, on the first call
}

// Arguments gives the compiled input schema, compiled on the first use.
func (r *Row) Arguments() (*schema.Schema, error) { return r.compile() }

func newRow(source Source, tool toolrest.Tool) (*Row, error) {
	if tool.Name == "" {
		return nil, fmt.Errorf("a tool of %s has no name", source.Label())
	}
	if raw := bytes.TrimSpace(tool.InputSchema); len(raw) > 0 && (raw[0] != '{' || !json.Valid(raw)) {
		return nil, fmt.Errorf("input schema of %s (%s) is not a JSON object", tool.Name, source.Label())
	}
	if tool.Owner.Kind == "" {
		tool.Owner = ownerOf(source, tool.Name)
	}
	if tool.Ref.IsZero() && tool.Executor != nil {
		tool.Ref = refOf(tool.Owner, tool.Name)
	}
	if len(tool.InputSchema) == 0 {
		tool.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	row := &Row{Tool: tool, Source: provenance(source, tool.Name)}
	row.compile = sync.OnceValues(func() (*schema.Schema, error) { return schema.Compile(tool.InputSchema) })
	return row, nil
}

func provenance(source Source, name string) string {
	if source.Kind == SDK {
		return "<sdk:" + name + ">"
	}
	return source.Label()
}

func ownerOf(source Source, name string) toolrest.Owner {
	switch source.Kind {
	case Core:
		return toolrest.Owner{Kind: toolrest.OwnerCore}
	case Plugin, Extension:
		return toolrest.Owner{Kind: toolrest.OwnerPlugin, ID: source.Name}
	case MCP:
		return toolrest.Owner{Kind: toolrest.OwnerMCP, ID: source.Name}
	}
	return toolrest.Owner{Kind: toolrest.OwnerSDK, ID: name}
}

func refOf(owner toolrest.Owner, name string) toolrest.ExecutorRef {
	ref := toolrest.ExecutorRef{Kind: owner.Kind, ID: owner.ID, Tool: name}
	if owner.Kind == toolrest.OwnerCore {
		ref.ID = ""
	}
	return ref
}
