package write

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
	"github.com/toolrest/toolrest/schema"
)

func newTool(t *testing.T, opts *Options) (toolrest.Tool, string) {
	t.Helper()
	dir := t.TempDir()
	ws, err := workspace.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return New(ws, opts), dir
}

// call validates as dispatch does, then runs.
func call(ctx context.Context, t *testing.T, tool toolrest.Tool, args string) (*toolrest.Result, error) {
	t.Helper()
	s, err := schema.Compile(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(json.RawMessage(args)); err != nil {
		return nil, err
	}
	return tool.Executor.Execute(ctx, &toolrest.Call{Tool: Name, Args: json.RawMessage(args)})
}

// TestWrite runs its calls in order, in one workspace.
func TestWrite(t *testing.T) {
	tool, dir := newTool(t, &Options{MaxBytes: 20})
	tests := []struct {
		args, want, file, content string
		details                   Details
	}{
		{`{"path":"a.txt","content":"one\n"}`, "Created a.txt with 4 bytes.", "a.txt", "one\n", Details{"a.txt", 4, true}},
		{`{"path":"./a.txt","content":"zwölf"}`, "Replaced a.txt: 6 bytes now, 4 before.", "a.txt", "zwölf", Details{"a.txt", 6, false}},
		{`{"path":"a.txt","content":""}`, "Replaced a.txt: 0 bytes now, 6 before.", "a.txt", "", Details{"a.txt", 0, false}},
		{`{"path":"d/e/f","content":"\ufeffx\r\n\ry"}`, "Created d/e/f with 8 bytes.", "d/e/f", "\ufeffx\r\n\ry", Details{"d/e/f", 8, true}},
		{`{"path":"empty","content":""}`, "Created empty with 0 bytes.", "empty", "", Details{"empty", 0, true}},
		{`{"path":"@at.txt","content":"😀"}`, "Created at.txt with 4 bytes.", "at.txt", "😀", Details{"at.txt", 4, true}},
		{`{"path":"full","content":"12345678901234567890"}`, "Created full with 20 bytes.", "full", "12345678901234567890", Details{"full", 20, true}},
	}
	for _, c := range tests {
		res, err := call(t.Context(), t, tool, c.args)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		want := toolrest.TextResult(c.want)
		want.Details = c.details
		if diff := cmp.Diff(want, res); diff != "" {
			t.Errorf("%s:\n%s", c.args, diff)
		}
		if data, err := os.ReadFile(filepath.Join(dir, c.file)); err != nil || string(data) != c.content {
			t.Errorf("%s: the file holds %q, %v", c.args, data, err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	tool, dir := newTool(t, &Options{MaxBytes: 20})
	if err := os.MkdirAll(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ args, err string }{
		{`{"path":"a"}`, "content: required, but missing"},
		{`{"path":"a","content":null}`, "content: got null, want string"},
		{`{"path":"a","content":5}`, "content: got number, want string"},
		{`{"path":"a","content":"x","append":true}`, "append: no such argument"},
		{`{"path":"","content":"x"}`, "path: got 0 characters, want at least 1"},
		{`{"path":" ","content":"x"}`, "the path is empty:   (name a file, relative to the workspace)"},
		{`{"path":"d","content":"x"}`, "this is a folder, not a file: d (list it with exec: ls -la)"},
		{`{"path":"../a","content":"x"}`, "path leaves the workspace " + real(t, dir) + ": ../a (only files below the workspace can be used)"},
		{`{"path":"a","content":"` + strings.Repeat("x", 21) + `"}`, "the content has 21 bytes, more than the 20 that one call may write; write it in parts, or with exec"},
	}
	for _, c := range tests {
		_, err := call(t.Context(), t, tool, c.args)
		if err == nil || err.Error() != c.err {
			t.Errorf("%s: got %v, want %s", c.args, err, c.err)
		}
	}
	// A caller that did not validate must not empty a file either.
	_, err := tool.Executor.Execute(t.Context(), &toolrest.Call{Tool: Name, Args: json.RawMessage(`{"path":"a"}`)})
	if err == nil || !strings.Contains(err.Error(), "content is missing") {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was written: %v", entries)
	}
}

func real(t *testing.T, dir string) string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCancelledWritesNothing(t *testing.T) {
	tool, dir := newTool(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := call(ctx, t, tool, `{"path":"d/a","content":"x"}`)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}

func TestDescriptor(t *testing.T) {
	tool, _ := newTool(t, nil)
	if tool.Name != "write" || tool.Owner.Kind != toolrest.OwnerCore || len(tool.Description) < 100 || !json.Valid(tool.InputSchema) {
		t.Errorf("got %+v", tool.Descriptor)
	}
	defer func() {
		if recover() == nil {
			t.Error("New without a workspace must panic")
		}
	}()
	New(nil, nil)
}
