// Package write is the tool that creates or replaces one file. It does not
// append, does not change permissions, and writes nothing but the text it was
// given.
package write

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

// Name is the tool's name.
const Name = "write"

//go:embed write.md
var description string

const inputSchema = `{
  "type": "object",
  "properties": {
    "path": {
      "type": "string",
      "minLength": 1,
      "description": "The file, relative to the workspace or absolute inside it."
    },
    "content": {
      "type": "string",
      "description": "All that the file will hold. It may be empty."
    }
  },
  "required": ["path", "content"],
  "additionalProperties": false
}`

// Options bound what may be written.
type Options struct {
	// MaxBytes is the largest content that is written. 0 is 16 MiB.
	MaxBytes int
}

// Details are for people and logs.
type Details struct {
	Path string `json:"path"`
	// Bytes is the size of the file now.
	Bytes   int  `json:"bytes"`
	Created bool `json:"created"`
}

type tool struct {
	ws   *workspace.Workspace
	opts Options
}

// Describe gives the tool's descriptor without making the tool.
func Describe() toolrest.Descriptor {
	return toolrest.Descriptor{
		Name: Name, Title: "Write a file", Description: strings.TrimSpace(description),
		InputSchema: json.RawMessage(inputSchema), Owner: toolrest.Owner{Kind: toolrest.OwnerCore},
	}
}

// New makes the tool for a workspace. It panics without one.
func New(ws *workspace.Workspace, opts *Options) toolrest.Tool {
	if ws == nil {
		panic("write: New needs a workspace")
	}
	t := &tool{ws: ws}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.MaxBytes <= 0 {
		t.opts.MaxBytes = 16 << 20
	}
	return toolrest.Tool{
		Descriptor: Describe(),
		Executor:   toolrest.Handler(t.execute),
	}
}

type arguments struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

func (t *tool) execute(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
	var args arguments
	if err := call.Decode(&args); err != nil {
		return nil, err
	}
	switch {
	case args.Content == nil: // an empty file is written only when asked for
		return nil, fmt.Errorf("content is missing; send an empty string for an empty file")
	case len(*args.Content) > t.opts.MaxBytes:
		return nil, fmt.Errorf("the content has %d bytes, more than the %d that one call may write; write it in parts, or with exec", len(*args.Content), t.opts.MaxBytes)
	}
	out, err := t.ws.WriteFile(ctx, args.Path, []byte(*args.Content))
	if err != nil {
		return nil, err
	}
	n := len(*args.Content)
	text := fmt.Sprintf("Replaced %s: %d bytes now, %d before.", workspace.Show(out.Path), n, out.Before)
	if out.Created {
		text = fmt.Sprintf("Created %s with %d bytes.", workspace.Show(out.Path), n)
	}
	res := toolrest.TextResult(text)
	res.Details = Details{Path: out.Path, Bytes: n, Created: out.Created}
	return res, nil
}
