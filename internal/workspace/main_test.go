package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scene is a workspace with a neighbour that must never be reached.
type scene struct {
	t   *testing.T
	top string // holds all below
	ws  string
	out string
	w   *Workspace
}

const secret = "SECRET"

// newScene makes top/ws and top/out/secret.txt. Home is top.
func newScene(t *testing.T, opts *Options) *scene {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	s := &scene{t: t, top: top, ws: filepath.Join(top, "ws"), out: filepath.Join(top, "out")}
	must(t, os.Mkdir(s.ws, 0o755))
	s.put("out/secret.txt", secret)
	if opts == nil {
		opts = &Options{}
	}
	if opts.Home == "" {
		opts.Home = top
	}
	s.w, err = Open(s.ws, opts)
	must(t, err)
	t.Cleanup(func() { s.w.Close() })
	return s
}

// put writes a file below top, with its folders.
func (s *scene) put(name, content string) string {
	s.t.Helper()
	path := filepath.Join(s.top, name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(s.t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func (s *scene) link(target, name string) {
	s.t.Helper()
	path := filepath.Join(s.top, name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(s.t, os.Symlink(target, path))
}

// tree maps every path below dir to its content, link target or mode.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[rel] = info.Mode().String()
		switch {
		case d.Type()&os.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			out[rel] += " -> " + target
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[rel] += " " + string(data)
		}
		return nil
	})
	must(t, err)
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func contextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}
