// Package edit is the tool that replaces pieces of one text file.
//
// Finding and replacing is a pure function of the file's text ([Apply]);
// reading and writing is the workspace's. A piece that is not there, or that
// could be meant in several places, is refused with the place or places in the
// file; nothing outside the replaced pieces ever changes.
package edit

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

// Name is the tool's name.
const Name = "edit"

//go:embed edit.md
var description string

const inputSchema = `{
  "type": "object",
  "properties": {
    "path": {
      "type": "string",
      "minLength": 1,
      "description": "The file, relative to the workspace or absolute inside it."
    },
    "edits": {
      "type": "array",
      "minItems": 1,
      "maxItems": 500,
      "description": "The replacements. All speak of the file as it is before the call.",
      "items": {
        "type": "object",
        "properties": {
          "oldText": {
            "type": "string",
            "minLength": 1,
            "description": "The text to replace. It stands in the file exactly once."
          },
          "newText": {
            "type": "string",
            "description": "What stands there afterwards. It may be empty."
          }
        },
        "required": ["oldText", "newText"],
        "additionalProperties": false
      }
    }
  },
  "required": ["path", "edits"],
  "additionalProperties": false
}`

// Options bound the work of one call.
type Options struct {
	// MaxBytes is the size up to which a file is edited. 0 is 10 MiB.
	MaxBytes int
}

// Details are for people and logs.
type Details struct {
	Path string `json:"path"`
	// Diff is the unified diff of the change, empty when there was none.
	Diff             string `json:"diff"`
	FirstChangedLine int    `json:"firstChangedLine,omitempty"`
}

type tool struct {
	ws   *workspace.Workspace
	opts Options
	done memory
}

// Describe gives the tool's descriptor without making the tool.
func Describe() toolrest.Descriptor {
	return toolrest.Descriptor{
		Name: Name, Title: "Edit a file", Description: strings.TrimSpace(description),
		InputSchema: json.RawMessage(inputSchema), Owner: toolrest.Owner{Kind: toolrest.OwnerCore},
	}
}

// New makes the tool for a workspace. It panics without one.
func New(ws *workspace.Workspace, opts *Options) toolrest.Tool {
	if ws == nil {
		panic("edit: New needs a workspace")
	}
	t := &tool{ws: ws}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.MaxBytes <= 0 {
		t.opts.MaxBytes = 10 << 20
	}
	return toolrest.Tool{
		Descriptor: Describe(),
		Executor:   toolrest.Handler(t.execute),
	}
}

type arguments struct {
	Path  string `json:"path"`
	Edits []Edit `json:"edits"`
}

// change is what one call did to its file.
type change struct {
	path          string
	before, after []byte
	outcome       *Outcome
	repeated      bool // the same call had made the change before
}

func (t *tool) execute(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
	var args arguments
	if err := call.Decode(&args); err != nil {
		return nil, err
	}
	var c change
	err := t.ws.Change(ctx, []string{args.Path}, func(tx *workspace.Tx) error {
		var err error
		if c, err = t.change(ctx, tx, args); err != nil || c.repeated {
			return err
		}
		return tx.Write(args.Path, c.after)
	}, nil)
	if err != nil {
		return nil, err
	}
	if c.repeated {
		res := toolrest.TextResult(workspace.Show(c.path) + " is as these edits left it: the same call was made before. Nothing was changed.")
		res.Details = Details{Path: c.path}
		return res, nil
	}
	t.done.add(c.path, args.Edits, c.after)
	return c.result(len(args.Edits)), nil
}

func (t *tool) change(ctx context.Context, tx *workspace.Tx, args arguments) (change, error) {
	file, err := tx.Read(args.Path)
	if err != nil {
		return change{}, err
	}
	if err := t.check(file); err != nil {
		return change{}, err
	}
	c := change{path: file.Path, before: file.Data}
	c.outcome, err = Apply(ctx, string(file.Data), args.Edits)
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Kind == KindNotFound && t.done.has(file.Path, args.Edits, file.Data) {
			c.repeated = true
			return c, nil
		}
		return change{}, fmt.Errorf("edit %s: %w", workspace.Show(file.Path), err)
	}
	if err != nil {
		return change{}, err
	}
	c.after = []byte(c.outcome.Text)
	return c, nil
}

// check refuses files that are no text: what does not decode cannot be put
// back as it was.
func (t *tool) check(file *workspace.File) error {
	name := workspace.Show(file.Path)
	switch {
	case len(file.Data) > t.opts.MaxBytes:
		return fmt.Errorf("%s has %d bytes, more than the %d that can be edited; change it with exec: sed", name, len(file.Data), t.opts.MaxBytes)
	case !utf8.Valid(file.Data):
		return fmt.Errorf("%s is not valid UTF-8, so it is left alone; convert it with exec (iconv) or change it there", name)
	case bytes.IndexByte(file.Data, 0) >= 0:
		return fmt.Errorf("%s is a binary file, so it is left alone; change it with exec", name)
	}
	return nil
}

func (c *change) result(edits int) *toolrest.Result {
	text := fmt.Sprintf("Edited %s: 1 replacement, in line %d.", workspace.Show(c.path), c.outcome.FirstChangedLine)
	if edits > 1 {
		text = fmt.Sprintf("Edited %s: %d replacements, the first in line %d.", workspace.Show(c.path), edits, c.outcome.FirstChangedLine)
	}
	for _, m := range c.outcome.Tolerant {
		text += fmt.Sprintf("\nedits[%d].oldText differs from line %d in spaces or typography; that place was taken.", m.Edit, m.Line)
	}
	res := toolrest.TextResult(text)
	res.Details = Details{Path: c.path, Diff: workspace.Diff(c.path, c.before, c.after), FirstChangedLine: c.outcome.FirstChangedLine}
	return res
}
