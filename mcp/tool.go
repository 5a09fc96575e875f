package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// anyObject is the schema of a tool that says nothing of its arguments.
var anyObject = json.RawMessage(`{"type":"object"}`)

// wireTool is what a client is told of a tool. Schemas keep their bytes.
func (s *Server) wireTool(d *toolrest.Descriptor) *sdk.Tool {
	t := &sdk.Tool{Name: d.Name, Title: d.Title, Description: d.Description}
	in, ok := objectSchema(d.InputSchema)
	if !ok {
		s.opts.Logger.Warn("mcp: a tool's input schema is not one of an object; clients are told that any object will do", "tool", d.Name)
		in = anyObject
	}
	t.InputSchema = in
	if len(d.OutputSchema) == 0 {
		return t
	}
	out, ok := objectSchema(d.OutputSchema)
	if !ok {
		s.opts.Logger.Warn("mcp: a tool's output schema is not one of an object; clients are not told of it", "tool", d.Name)
		return t
	}
	t.OutputSchema = out
	return t
}

// objectSchema gives a schema in the form that the protocol asks for, where
// the outermost type is said and is "object": one client after the other drops
// the whole list for one tool that breaks this. A schema that says no type
// gets it in front; all other bytes stay.
func objectSchema(raw json.RawMessage) (json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return anyObject, true
	}
	members, f := object(raw)
	if f != "" {
		return nil, false
	}
	typ, said := members["type"]
	switch {
	case said:
		var name string
		return raw, json.Unmarshal(typ, &name) == nil && name == "object"
	case len(members) == 0:
		return anyObject, true
	}
	return append([]byte(`{"type":"object",`), raw[1:]...), true
}
