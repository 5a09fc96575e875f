package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest/internal/need"
)

// readmeReplay is the line of the README that plays the recording.
func readmeReplay(t *testing.T, root string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^toolrest (run --model replay:\S+)$`).FindSubmatch(raw)
	if line == nil {
		t.Fatal("the README does not show the replay")
	}
	return strings.Fields(string(line[1]))
}

// files are the contents of a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all[path] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReadmeReplay runs the README's second example as it is written, where a
// person would: in the repository, on a terminal.
func TestReadmeReplay(t *testing.T) {
	root := need.ModuleRoot(t)
	for answer, want := range map[string]struct {
		code  int
		asked int
		shows []string // in this order
	}{
		"y": {0, 3, []string{"replaying examples/replay/fix-a-test.jsonl", "--- FAIL: TestOf", "edit", "ok  ", "the tests pass"}},
		"n": {1, 1, []string{"not approved", "the person at the terminal said no", "the conversation until here is in"}},
	} {
		t.Run(answer, func(t *testing.T) {
			before := files(t, filepath.Join(root, "examples"))
			w := newWorld(t, "{}")
			cmd := w.command(readmeReplay(t, root)...)
			temp := t.TempDir()
			cmd.Dir, cmd.Env = root, append(cmd.Env, cached(t), "TMPDIR="+temp)
			screen, code := terminal(t, cmd, answer+"\n")
			if code != want.code {
				t.Errorf("exit code %d, want %d\n%s", code, want.code, screen)
			}
			if asked := strings.Count(screen, "[y/N] "); asked != want.asked {
				t.Errorf("asked %d times, want %d\n%s", asked, want.asked, screen)
			}
			rest := screen
			for _, part := range want.shows {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Errorf("%q is missing, or comes too early, in:\n%s", part, screen)
				}
				rest = after
			}
			if diff := cmp.Diff(before, files(t, filepath.Join(root, "examples"))); diff != "" {
				t.Errorf("the replay changed the repository (-before +after):\n%s", diff)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("the copy of the folder is left behind: %v, %v", left, err)
			}
			w.conversation()
		})
	}
}
