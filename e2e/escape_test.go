package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const secret = "the secret outside of the workspace"

// disguises are ways to write the path of ../outside/secret.txt, or of what
// lies beside it, with what has to be laid out before. Those with plain set
// lead there where nothing confines them, which the test shows first.
var disguises = map[string]struct {
	path  func(*world) string
	lay   func(*world) error
	plain bool
	// inside is set where the name has a reading that stays in the workspace,
	// which may be used.
	inside bool
}{
	"dots":                {path: at("../outside/secret.txt"), plain: true},
	"dots behind":         {path: at("sub/../../outside/secret.txt"), plain: true},
	"dots and slashes":    {path: at(".//..///outside/./secret.txt"), plain: true},
	"absolute":            {path: outside, plain: true},
	"absolute and dots":   {path: func(w *world) string { return w.workspace + "/../outside/secret.txt" }, plain: true},
	"slashes first":       {path: func(w *world) string { return "//" + outside(w) }, plain: true},
	"process root":        {path: func(w *world) string { return "/proc/self/root" + outside(w) }, plain: true},
	"process folder":      {path: at("/proc/self/cwd/../outside/secret.txt"), plain: true},
	"thread folder":       {path: at("/proc/thread-self/cwd/../outside/secret.txt"), plain: true},
	"a mention":           {path: at("@../outside/secret.txt")},
	"an absolute mention": {path: func(w *world) string { return "@" + outside(w) }},
	"a file URL":          {path: func(w *world) string { return "file://" + outside(w) }},
	"an escaped URL":      {path: func(w *world) string { return "file://" + strings.ReplaceAll(outside(w), "/outside", "/%6futside") }},
	"home":                {path: at("~/../outside/secret.txt")},
	"wide dots":           {path: at("．．/outside/secret.txt")},
	"backslashes":         {path: at(`..\outside\secret.txt`)},
	"percent":             {path: at("%2e%2e/outside/secret.txt")},
	"a zero byte":         {path: at("../outside/secret.txt\x00.md")},
	"spaces":              {path: at(" ../outside/secret.txt ")},
	"a link": {
		path: at("link.txt"), plain: true,
		lay: func(w *world) error { return os.Symlink("../outside/secret.txt", w.path("link.txt")) },
	},
	"an absolute link": {
		path: at("link.txt"), plain: true,
		lay: func(w *world) error { return os.Symlink(outside(w), w.path("link.txt")) },
	},
	"a link to a link": {
		path: at("sub/second.txt"), plain: true,
		lay: func(w *world) error {
			if err := os.Symlink("../../outside/secret.txt", w.path("sub/first.txt")); err != nil {
				return err
			}
			return os.Symlink("first.txt", w.path("sub/second.txt"))
		},
	},
	"a linked folder": {
		path: at("folder/secret.txt"), plain: true,
		lay: func(w *world) error { return os.Symlink("../outside", w.path("folder")) },
	},
	"out of a linked folder": {
		path: at("folder/../outside/secret.txt"), plain: true, inside: true,
		lay: func(w *world) error { return os.Symlink("../outside", w.path("folder")) },
	},
	"a hard link": {
		path: at("hard.txt"), plain: true,
		lay: func(w *world) error { return os.Link(outside(w), w.path("hard.txt")) },
	},
}

// at is a path that is the same in every world.
func at(path string) func(*world) string { return func(*world) string { return path } }

func outside(w *world) string {
	return filepath.Join(filepath.Dir(w.workspace), "outside", "secret.txt")
}

// layOut makes what lies around the disguise and shows that it is one.
func layOut(t *testing.T, w *world, name string) (path string) {
	t.Helper()
	for _, dir := range []string{filepath.Dir(outside(w)), w.path("sub")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(outside(w), secret)
	d := disguises[name]
	if d.lay != nil {
		if err := d.lay(w); err != nil {
			t.Fatal(err)
		}
	}
	path = d.path(w)
	if !d.plain {
		return path
	}
	cat := w.command()
	cat.Path, cat.Args = "/bin/cat", []string{"cat", path}
	if out := w.finish(cat); out.stdout != secret {
		t.Fatalf("%q is no escape even where nothing confines it: %q %s", path, out.stdout, out.stderr)
	}
	return path
}

func TestPathsOutOfTheWorkspace(t *testing.T) {
	for name := range disguises {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, askOff)
			path := layOut(t, w, name)
			c := w.stdio()
			for tool, a := range map[string]args{
				"read":  {"path": path},
				"write": {"path": path, "content": "overwritten"},
				"edit":  {"path": path, "edits": []args{{"oldText": "secret", "newText": "overwritten"}}},
				"exec":  {"command": "cat secret.txt", "workdir": filepath.Dir(path)},
			} {
				text, failed := c.call(t, tool, a)
				if strings.Contains(text, secret) {
					t.Errorf("%s %q gave the secret: %s", tool, path, text)
				}
				// Some are names that are merely odd, and may be written.
				if d := disguises[name]; d.plain && !d.inside && tool != "exec" && !failed {
					t.Errorf("%s %q is no error: %s", tool, path, text)
				}
			}
			for _, patch := range []string{
				"*** Add File: " + path + ".new\n+overwritten\n",
				"*** Update File: " + path + "\n@@\n-" + secret + "\n+overwritten\n",
				"*** Delete File: " + path + "\n",
				"*** Add File: fine.txt\n+fine\n*** Update File: fine.txt\n*** Move to: " + path + "\n",
			} {
				c.call(t, "apply_patch", args{"input": "*** Begin Patch\n" + patch + "*** End Patch\n"})
			}
			unharmed(t, w)
			if out := c.must(t, "exec", args{"command": "echo goes on"}); !strings.Contains(out, "goes on") {
				t.Errorf("the next call gave %q", out)
			}
		})
	}
}

// unharmed wants what lies outside the workspace as it was laid out.
func unharmed(t *testing.T, w *world) {
	t.Helper()
	if got := w.read(outside(w)); got != secret {
		t.Errorf("the file outside holds %q", got)
	}
	entries, err := os.ReadDir(filepath.Dir(outside(w)))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the file outside lies something new: %v, %v", entries, err)
	}
}

// TestFilesThatAreNone: opening these would block or never end.
func TestFilesThatAreNone(t *testing.T) {
	w := newWorld(t, askOff)
	if err := syscall.Mkfifo(w.path("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"zero", "stdin", "tty"} {
		if err := os.Symlink("/dev/"+link, w.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	c := w.stdio()
	for _, path := range []string{"fifo", "zero", "stdin", "tty", "/dev/zero", "/dev/stdin", ".", "sub/missing", strings.Repeat("n", 10_000), ""} {
		if text, failed := c.call(t, "read", args{"path": path}); !failed {
			t.Errorf("read %.20q is no error: %.200s", path, text)
		}
		if path == "sub/missing" {
			continue // its folder is made
		}
		if text, failed := c.call(t, "write", args{"path": path, "content": "x"}); !failed {
			t.Errorf("write %.20q is no error: %.200s", path, text)
		}
	}
}
