package applypatch

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
	"github.com/toolrest/toolrest/schema"
)

// entry is a file of a case: its text, or an object that says what else it is.
type entry struct {
	Text     string
	Symlink  string
	Hardlink string
	Dir      bool
	Base64   string
}

func (e *entry) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, &e.Text)
	}
	type object entry
	return json.Unmarshal(raw, (*object)(e))
}

type files map[string]entry

// newTool makes the tool for a workspace that holds the files.
func newTool(t *testing.T, content files, opts *Options) (tool toolrest.Tool, dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, e := range content {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case e.Symlink != "":
			must(t, os.Symlink(e.Symlink, path))
		case e.Dir:
			must(t, os.Mkdir(path, 0o755))
		case e.Hardlink == "":
			data := []byte(e.Text)
			if e.Base64 != "" {
				data, err = base64.StdEncoding.DecodeString(e.Base64)
				must(t, err)
			}
			must(t, os.WriteFile(path, data, 0o644))
		}
	}
	for name, e := range content {
		if e.Hardlink != "" {
			must(t, os.Link(filepath.Join(dir, e.Hardlink), filepath.Join(dir, name)))
		}
	}
	ws, err := workspace.Open(dir, nil)
	must(t, err)
	t.Cleanup(func() { ws.Close() })
	return New(ws, opts), dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// call validates as dispatch does, then runs.
func call(ctx context.Context, t *testing.T, tool toolrest.Tool, patch string) (*toolrest.Result, error) {
	t.Helper()
	s, err := schema.Compile(tool.InputSchema)
	must(t, err)
	args, err := json.Marshal(map[string]string{"input": patch})
	must(t, err)
	if err := s.Validate(args); err != nil {
		return nil, err
	}
	return tool.Executor.Execute(ctx, &toolrest.Call{Tool: Name, Args: args})
}

// snapshot maps every path below dir to its mode and content; temporary files
// that were left behind show as well.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		switch {
		case d.IsDir():
			out[rel] = "folder"
		case d.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			out[rel] = "link to " + target
		default:
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[rel] = string(data)
		}
		return nil
	}))
	return out
}

// filesOnly leaves the folders out.
func filesOnly(tree map[string]string) map[string]string {
	for path, what := range tree {
		if what == "folder" {
			delete(tree, path)
		}
	}
	return tree
}

func kindOf(err error) string {
	if _, ok := errors.AsType[*ParseError](err); ok {
		return "parse"
	}
	if e, ok := errors.AsType[*HunkError](err); ok {
		return string(e.Kind)
	}
	if _, ok := errors.AsType[*schema.InvalidError](err); ok {
		return "parse" // the empty string
	}
	if k := workspace.KindOf(err); k != "" || err == nil {
		return string(k)
	}
	if strings.HasPrefix(err.Error(), "the patch changes no file") {
		return "no-operation"
	}
	return err.Error()
}

// TestCases runs testdata/cases.jsonl: files, a patch, and the files
// afterwards or the kind of the refusal, after which nothing may be different.
func TestCases(t *testing.T) {
	f, err := os.Open("testdata/cases.jsonl")
	must(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID, Patch, Kind string
			Files           files
			After           map[string]entry
			Summary         Summary
		}
		must(t, json.Unmarshal(lines.Bytes(), &c))
		t.Run(c.ID, func(t *testing.T) {
			tool, dir := newTool(t, c.Files, nil)
			before := snapshot(t, dir)
			res, err := call(t.Context(), t, tool, strings.ReplaceAll(c.Patch, "$WS", dir))
			if got := kindOf(err); got != c.Kind {
				t.Fatalf("got kind %q (%v), want %q", got, err, c.Kind)
			}
			if c.Kind != "" {
				if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
					t.Errorf("something changed:\n%s", diff)
				}
				return
			}
			want := map[string]string{}
			for path, e := range c.After {
				if want[path] = e.Text; e.Symlink != "" {
					want[path] = "link to " + e.Symlink
				}
			}
			if diff := cmp.Diff(want, filesOnly(snapshot(t, dir))); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.Summary, res.Details.(Details).Summary); diff != "" {
				t.Errorf("summary:\n%s", diff)
			}
		})
	}
}
