package registry

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/schema"
)

// Row is a registered tool.
type Row struct {
	toolrest.Tool
	Kind Kind // of the source
	// Source says where the tool comes from; for a tool of the SDK it is
	// "<sdk:NAME>".
	Source string
	// Prompt is what the system prompt says of the tool.
	Prompt Prompt
	// Optional tools want to be named by a policy.
	Optional bool
	// BuiltIn is set when a built-in tool has this name, also when another
	// source has replaced it.
	BuiltIn bool

	compile func() (*schema.Schema, error) // once, on the first call
}

// Arguments gives the compiled input schema, compiled on the first use.
func (r *Row) Arguments() (*schema.Schema, error) { return r.compile() }

// describe makes the row without looking at its schema. What comes from
// outside does not choose its owner's kind: policy trusts it.
func describe(s *Source, label string, tool *toolrest.Tool) Row {
	row := Row{Tool: *tool, Kind: s.Kind, Source: label, Prompt: s.Prompts[tool.Name].squeeze()}
	if s.Kind == SDK {
		row.Source = "<sdk:" + tool.Name + ">"
	}
	owner := ownerOf(s, tool.Name)
	switch {
	case row.Owner.Kind == "":
		row.Owner = owner
	case s.Kind.foreign():
		row.Owner.Kind = owner.Kind
		if own := tool.Owner; own.ID == "" || own == (toolrest.Owner{Kind: toolrest.OwnerSDK, ID: tool.Name}) {
			row.Owner.ID = owner.ID // a typed tool names nobody but itself
		}
	}
	if row.Ref.IsZero() {
		row.Ref = refOf(row.Owner, tool.Name)
	}
	if len(row.InputSchema) == 0 {
		row.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	return row
}

func (r *Row) complete() (*Row, string) {
	for name, text := range map[string]json.RawMessage{"input": r.InputSchema, "output": r.OutputSchema} {
		if raw := bytes.TrimSpace(text); len(raw) > 0 && (raw[0] != '{' || !json.Valid(raw)) {
			return nil, "its " + name + " schema is not a JSON object"
		}
	}
	input := r.InputSchema
	r.compile = sync.OnceValues(func() (*schema.Schema, error) { return schema.Compile(input) })
	return r, ""
}

func ownerOf(s *Source, name string) toolrest.Owner {
	switch s.Kind {
	case Core:
		return toolrest.Owner{Kind: toolrest.OwnerCore}
	case Plugin, Extension:
		return toolrest.Owner{Kind: toolrest.OwnerPlugin, ID: s.Name}
	case MCP:
		return toolrest.Owner{Kind: toolrest.OwnerMCP, ID: s.Name}
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
