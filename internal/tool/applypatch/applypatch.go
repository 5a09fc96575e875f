// Package applypatch is the tool that changes several files by one patch.
//
// Reading a patch ([Parse]) and applying its hunks to a text ([Apply]) are
// pure; the files are the workspace's, which makes all changes or none. The
// tool never overwrites a file that a patch adds or moves to, never guesses
// between two places, and does not read the output of diff or git: the format
// is its own.
package applypatch

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

// Name is the tool's name.
const Name = "apply_patch"

//go:embed applypatch.md
var description string

const inputSchema = `{
  "type": "object",
  "properties": {
    "input": {
      "type": "string",
      "minLength": 1,
      "description": "The whole patch, from *** Begin Patch to *** End Patch."
    }
  },
  "required": ["input"],
  "additionalProperties": false
}`

// Options bound the work of one call.
type Options struct {
	// MaxFileBytes is the size up to which a file is updated. 0 is 10 MiB.
	MaxFileBytes int
}

// Summary lists the paths of a patch, each once, in its order. A moved file is
// listed as modified, by its new path.
type Summary struct {
	Added    []string `json:"added"`
	Modified []string `json:"modified"`
	Deleted  []string `json:"deleted"`
}

// Details are for people and logs.
type Details struct {
	Summary Summary `json:"summary"`
	// Diff is the unified diff of all files.
	Diff string `json:"diff"`
}

type tool struct {
	ws   *workspace.Workspace
	opts Options
}

// Describe gives the tool's descriptor without making the tool.
func Describe() toolrest.Descriptor {
	return toolrest.Descriptor{
		Name: Name, Title: "Apply a patch", Description: strings.TrimSpace(description),
		InputSchema: json.RawMessage(inputSchema), Owner: toolrest.Owner{Kind: toolrest.OwnerCore},
	}
}

// New makes the tool for a workspace. It panics without one.
func New(ws *workspace.Workspace, opts *Options) toolrest.Tool {
	if ws == nil {
		panic("applypatch: New needs a workspace")
	}
	t := &tool{ws: ws}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.MaxFileBytes <= 0 {
		t.opts.MaxFileBytes = 10 << 20
	}
	return toolrest.Tool{
		Descriptor: Describe(),
		Executor:   toolrest.Handler(t.execute),
	}
}

func (t *tool) execute(ctx context.Context, call *toolrest.Call) (*toolrest.Result, error) {
	var args struct {
		Input string `json:"input"`
	}
	if err := call.Decode(&args); err != nil {
		return nil, err
	}
	ops, err := Parse(args.Input)
	if err != nil {
		return nil, err
	}
	if len(ops) == 0 {
		return nil, errors.New("the patch changes no file; write *** Add File:, *** Update File: or *** Delete File: between its first and last line")
	}
	p := &patching{tool: t}
	err = t.ws.Change(ctx, Paths(ops), func(tx *workspace.Tx) error { return p.run(ctx, tx, ops) }, &workspace.ChangeOptions{NoLinks: true})
	if err != nil {
		return nil, fmt.Errorf("nothing was changed: %w", err)
	}
	return p.result(), nil
}

// Paths lists the files that a patch names, as it names them.
func Paths(ops []Op) []string {
	var out []string
	for _, op := range ops {
		out = append(out, op.Path)
		if op.MoveTo != "" {
			out = append(out, op.MoveTo)
		}
	}
	return out
}

func (p *patching) result() *toolrest.Result {
	var b strings.Builder
	b.WriteString("The patch is applied:")
	for _, list := range []struct {
		letter string
		paths  []string
	}{{"A", p.summary.Added}, {"M", p.summary.Modified}, {"D", p.summary.Deleted}} {
		for _, path := range list.paths {
			b.WriteString("\n" + list.letter + " " + workspace.Show(path))
		}
	}
	for _, note := range p.notes {
		b.WriteString("\n" + note)
	}
	res := toolrest.TextResult(b.String())
	res.Details = Details{Summary: p.summary.filled(), Diff: p.diff()}
	return res
}

// filled makes lists of what would be null in JSON.
func (s Summary) filled() Summary {
	for _, list := range []*[]string{&s.Added, &s.Modified, &s.Deleted} {
		if *list == nil {
			*list = []string{}
		}
	}
	return s
}
