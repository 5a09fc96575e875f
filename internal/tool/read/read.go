// Package read is the tool that shows a file to the model: text in pages,
// images as images. It changes nothing, and it refuses what would mislead the
// model: binary data, text in another encoding than UTF-8, and lines that are
// not there.
package read

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

// Name is the tool's name.
const Name = "read"

//go:embed read.md
var description string

const inputSchema = `{
  "type": "object",
  "properties": {
    "path": {
      "type": "string",
      "minLength": 1,
      "description": "The file, relative to the workspace or absolute inside it."
    },
    "offset": {
      "type": "integer",
      "description": "The line to begin with, counted from 1. Left out: the first."
    },
    "limit": {
      "type": "integer",
      "description": "How many lines to show at most. Left out: as many as fit on a page."
    }
  },
  "required": ["path"],
  "additionalProperties": false
}`

// Options bound what one call gives back.
type Options struct {
	// MaxLines and MaxBytes bound a page of text. 0 is 2000 lines and 51,200 bytes.
	MaxLines int
	MaxBytes int
	// MaxImageBytes is the size up to which an image is given. 0 is 3,750,000:
	// encoded for a model, it is then below 5 MB.
	MaxImageBytes int
}

// Details are for people and logs.
type Details struct {
	Path string `json:"path"`
	// Bytes is the size of the file.
	Bytes int `json:"bytes"`
	// MIME is set for images.
	MIME string `json:"mime,omitempty"`
	// Lines is the number of lines of the file, From and To are those shown.
	Lines int `json:"lines,omitempty"`
	From  int `json:"from,omitempty"`
	To    int `json:"to,omitempty"`
	// CutBy says why the page ends before the file: "lines", "bytes" or "limit".
	CutBy string `json:"cutBy,omitempty"`
}

type tool struct {
	ws   *workspace.Workspace
	opts Options
}

// Describe gives the tool's descriptor without making the tool.
func Describe() toolrest.Descriptor {
	return toolrest.Descriptor{
		Name: Name, Title: "Read a file", Description: strings.TrimSpace(description),
		InputSchema: json.RawMessage(inputSchema), Owner: toolrest.Owner{Kind: toolrest.OwnerCore},
	}
}

// New makes the tool for a workspace. It panics without one.
func New(ws *workspace.Workspace, opts *Options) toolrest.Tool {
	if ws == nil {
		panic("read: New needs a workspace")
	}
	t := &tool{ws: ws}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.MaxLines <= 0 {
		t.opts.MaxLines = 2000
	}
	if t.opts.MaxBytes <= 0 {
		t.opts.MaxBytes = 50 << 10
	}
	if t.opts.MaxImageBytes <= 0 {
		t.opts.MaxImageBytes = 3_750_000
	}
	return toolrest.Tool{
		Descriptor: Describe(),
		Executor:   toolrest.Handler(t.execute),
	}
}

// arguments hold numbers as floats: to JSON Schema, 10.0 is an integer too.
type arguments struct {
	Path   string   `json:"path"`
	Offset *float64 `json:"offset"`
	Limit  *float64 `json:"limit"`
}

func (t *tool) execute(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
	var args arguments
	if err := call.Decode(&args); err != nil {
		return nil, err
	}
	file, err := t.ws.ReadFile(ctx, args.Path)
	if err != nil {
		return nil, err
	}
	if mime := imageType(file.Data); mime != "" {
		return t.image(file, mime)
	}
	if err := checkText(file); err != nil {
		return nil, err
	}
	return t.text(file, whole(args.Offset), whole(args.Limit))
}

// whole gives the number of an argument, 0 where there is none or it is not
// positive.
func whole(f *float64) int {
	if f == nil || !(*f >= 1) {
		return 0
	}
	return int(min(*f, math.MaxInt32))
}

// imageType decides by content, because names lie.
func imageType(data []byte) string {
	switch mime := http.DetectContentType(data); mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return mime
	}
	return ""
}

func (t *tool) image(file *workspace.File, mime string) (*toolrest.Result, error) {
	if len(file.Data) > t.opts.MaxImageBytes {
		return nil, fmt.Errorf("%s is an image of %s, more than the %s that can be shown; make a smaller copy with exec and read that",
			workspace.Show(file.Path), size(len(file.Data)), size(t.opts.MaxImageBytes))
	}
	caption := fmt.Sprintf("[%s: %s, %s.]", workspace.Show(file.Path), mime, size(len(file.Data)))
	return &toolrest.Result{
		Content: []toolrest.Content{toolrest.Text(caption), toolrest.Image(file.Data, mime)},
		Details: Details{Path: file.Path, Bytes: len(file.Data), MIME: mime},
	}, nil
}

// size words a number of bytes.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
