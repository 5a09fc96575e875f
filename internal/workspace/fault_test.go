package workspace

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errFault = errors.New("no space left on this test")

// TestFaults fails a change at each of its steps in turn. Whatever fails,
// every byte, name and permission is as it was; when nothing does, all is new.
func TestFaults(t *testing.T) {
	for name, rename := range map[string]renamer{"renameat2": linuxRename{}, "links": plainRename{}} {
		t.Run(name, func(t *testing.T) {
			for k := 0; ; k++ {
				if done := failAt(t, k, rename); done {
					if k < 15 {
						t.Errorf("only %d steps were failed", k)
					}
					return
				}
			}
		})
	}
}

func failAt(t *testing.T, k int, rename renamer) (done bool) {
	s := newScene(t, nil)
	s.put("ws/keep", "keep")
	s.put("ws/change", "old")
	s.put("ws/gone", "gone")
	s.put("ws/from", "from")
	s.link("keep", "ws/link")
	must(t, os.Mkdir(s.ws+"/empty", 0o750))
	must(t, os.Chmod(s.ws+"/from", 0o755))
	before := tree(t, s.ws)
	steps := 0
	s.w.rename = rename
	s.w.fault = func(string) error {
		if steps++; steps > k {
			return errFault
		}
		return nil
	}
	paths := []string{"change", "gone", "from", "a/to", "a/b/new", "link", "empty"}
	err := s.w.Change(t.Context(), paths, func(tx *Tx) error {
		return errors.Join(
			tx.Write("change", []byte("new")), tx.Remove("gone"), tx.Move("from", "a/to", []byte("moved")),
			tx.Create("a/b/new", nil), tx.Remove("link"), tx.Remove("empty"),
		)
	}, nil)
	want := before
	if done = steps <= k; done {
		must(t, err)
		want = map[string]string{
			".": "drwxr-xr-x", "keep": "-rw-r--r-- keep", "change": "-rw-r--r-- new", "a": "drwxr-xr-x", "a/b": "drwxr-xr-x",
			"a/to": "-rwxr-xr-x moved", "a/b/new": "-rw-r--r-- ",
		}
	} else if !errors.Is(err, errFault) {
		t.Errorf("step %d: got %v", k, err)
	}
	if diff := cmp.Diff(want, tree(t, s.ws)); diff != "" {
		t.Errorf("step %d:\n%s", k, diff)
	}
	return done
}

// stuck renames nothing back: the second half of a rollback goes wrong.
type stuck struct {
	linuxRename
	left int
}

func (s *stuck) exchange(dir *os.Root, a, b string) error {
	if s.left--; s.left < 0 {
		return errFault
	}
	return s.linuxRename.exchange(dir, a, b)
}

func TestFailedRollbackIsReported(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "old")
	s.w.rename = &stuck{left: 1}
	placed := errors.New("stop here")
	s.w.fault = func(step string) error {
		if step == "done" {
			return placed
		}
		return nil
	}
	_, err := s.w.WriteFile(t.Context(), "a", []byte("new"))
	if !errors.Is(err, placed) || !errors.Is(err, errFault) || !strings.Contains(err.Error(), "the old content of a is in .toolrest-") {
		t.Errorf("got %v", err)
	}
	kept := false
	for _, entry := range tree(t, s.ws) {
		kept = kept || entry == "-rw-r--r-- old"
	}
	if !kept {
		t.Errorf("the old content is lost: %v", tree(t, s.ws))
	}
}

// The fallback for file systems without renameat2 flags.
func TestPlainRename(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "a")
	s.put("ws/b", "b")
	must(t, plainRename{}.exchange(s.w.root, "a", "b"))
	if err := (plainRename{}).noReplace(s.w.root, "a", "b"); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v", err)
	}
	must(t, plainRename{}.noReplace(s.w.root, "a", "c"))
	want := map[string]string{".": "drwxr-xr-x", "b": "-rw-r--r-- a", "c": "-rw-r--r-- b"}
	if diff := cmp.Diff(want, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
	if err := (plainRename{}).exchange(s.w.root, "b", "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(want, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
}
