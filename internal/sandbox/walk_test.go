package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWalk(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, dir := range []string{"a/b", "c"} {
		must(t, os.MkdirAll(filepath.Join(base, dir), 0o700))
	}
	must(t, os.WriteFile(base+"/a/b/f", nil, 0o600))
	must(t, os.Symlink("../a/b", base+"/c/rel"))
	must(t, os.Symlink(base+"/c", base+"/abs"))
	must(t, os.Symlink("b/f", base+"/a/file"))
	for path, want := range map[string]string{
		"a/b/f":             "a a/b a/b/f",
		"a//b/./f":          "a a/b a/b/f",
		"a/b/../../a/b":     "a a/b a a/b",
		"c/rel/f":           "c c/rel@ a a/b a/b/f",
		"abs/rel/f":         "abs@ c c/rel@ a a/b a/b/f",
		"a/file":            "a a/file@ a/b a/b/f",
		"abs/../a/file":     "abs@ c a a/file@ a/b a/b/f",
		"../../../../../..": "",
	} {
		steps, real, err := walk(base + "/" + path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var got []string
		for _, s := range steps {
			name, ours := strings.CutPrefix(s.path, base+"/")
			if s.link {
				name += "@"
			}
			if ours {
				got = append(got, name)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: got %q, want %q", path, text, want)
		}
		if resolved, err := filepath.EvalSymlinks(base + "/" + path); err != nil || resolved != real {
			t.Errorf("%s: leads to %s, the library says %s, %v", path, real, resolved, err)
		}
	}
}

// TestUnescape holds against the kernel's own way of writing paths.
func TestUnescape(t *testing.T) {
	escape := strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`)
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringOf(rapid.SampledFrom([]rune("ab/ \t\n\\0147é"))).Draw(t, "path")
		if got := unescape(escape.Replace(path)); got != path {
			t.Fatalf("%q became %q", path, got)
		}
	})
}

func TestParseMounts(t *testing.T) {
	mounts, err := readMounts()
	must(t, err)
	if !slices.ContainsFunc(mounts, func(m mount) bool { return m.point == "/proc" && m.root == "/" }) {
		t.Errorf("no /proc among %v", mounts)
	}
	if _, err := parseMounts("1 2 3\n"); err == nil {
		t.Error("a short line is accepted")
	}
}

func TestHomeMount(t *testing.T) {
	mounts := []mount{{"8:1", "/", "/"}, {"8:2", "/", "/home"}, {"8:3", "/", "/home"}, {"8:1", "/var", "/home/u"}}
	for path, want := range map[string]int{"/etc": 0, "/homework": 0, "/home": 2, "/home/x": 2, "/home/u/f": 3} {
		if got := homeMount(mounts, path); got != want {
			t.Errorf("%s: mount %d, want %d", path, got, want)
		}
	}
}
