package applypatch

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

var modelPaths = []string{"a", "b", "d/c", "d/e/f"}

// section draws one operation. It gives its text in a patch and what it does
// to files, which is false where it has to fail.
func section(t *rapid.T, files map[string]string) (text string, ok bool) {
	path := rapid.SampledFrom(modelPaths).Draw(t, "path")
	content, exists := files[path]
	word := rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "word")
	switch rapid.SampledFrom([]string{"add", "add", "update", "move", "delete", "wrong"}).Draw(t, "operation") {
	case "add":
		if !exists {
			files[path] = word + "\nend\n"
		}
		return fmt.Sprintf("*** Add File: %s\n+%s\n+end\n", path, word), !exists
	case "update":
		first, rest, _ := strings.Cut(content, "\n")
		if exists {
			files[path] = word + "\n" + rest
		}
		return fmt.Sprintf("*** Update File: %s\n@@\n-%s\n+%s\n", path, first, word), exists
	case "move":
		to := rapid.SampledFrom(modelPaths).Draw(t, "to")
		_, taken := files[to]
		ok = exists && (!taken || to == path)
		if ok {
			delete(files, path)
			files[to] = content + word + "\n"
		}
		return fmt.Sprintf("*** Update File: %s\n*** Move to: %s\n@@\n+%s\n", path, to, word), ok
	case "delete":
		delete(files, path)
		return fmt.Sprintf("*** Delete File: %s\n", path), exists
	}
	return fmt.Sprintf("*** Update File: %s\n@@\n-NOT THERE\n+x\n", path), false
}

// TestPatchesFollowModel applies random patches, many of which have to fail,
// and compares the disk with a map after each.
func TestPatchesFollowModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "model")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		ws, err := workspace.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		tool := New(ws, nil)
		files := map[string]string{}
		for range rapid.IntRange(1, 5).Draw(t, "patches") {
			next, good := maps.Clone(files), true
			patch := "*** Begin Patch\n"
			for range rapid.IntRange(1, 4).Draw(t, "sections") {
				text, ok := section(t, next)
				patch += text
				if good = good && ok; !good {
					break
				}
			}
			err := apply(tool, patch+"*** End Patch")
			if good != (err == nil) {
				t.Fatalf("%s\nof %v: %v", patch, files, err)
			}
			if good {
				files = next
			}
			if diff := cmp.Diff(files, onDisk(t, dir)); diff != "" {
				t.Fatalf("%s\n%s", patch, diff)
			}
		}
	})
}

func apply(tool toolrest.Tool, patch string) error {
	args, err := json.Marshal(map[string]string{"input": patch})
	if err != nil {
		return err
	}
	_, err = tool.Executor.Execute(context.Background(), &toolrest.Call{Tool: Name, Args: args})
	return err
}

func onDisk(t *rapid.T, dir string) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
