package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reinScene has a read-only config and a hidden state folder, both inside the
// workspace, where they are easiest to reach.
func reinScene(t *testing.T) *scene {
	s := newScene(t, nil)
	config := s.put("ws/conf/toolrest.json5", "{}")
	s.put("ws/.state/token", secret)
	s.put("ws/.state/sub/db", secret)
	s.reopen(&Options{Hidden: []string{s.ws + "/.state"}, ReadOnly: []string{config}})
	return s
}

func (s *scene) reopen(opts *Options) {
	s.t.Helper()
	w, err := Open(s.ws, opts)
	must(s.t, err)
	s.t.Cleanup(func() { w.Close() })
	s.w = w
}

// attempts are all ways of the package to change path.
func (s *scene) attempts(path string) map[string]func(*Tx) error {
	return map[string]func(*Tx) error{
		"write":     func(tx *Tx) error { return tx.Write(path, []byte("evil")) },
		"create":    func(tx *Tx) error { return tx.Create(path, []byte("evil")) },
		"remove":    func(tx *Tx) error { return tx.Remove(path) },
		"move away": func(tx *Tx) error { return tx.Move(path, "free.txt", []byte("evil")) },
		"move onto": func(tx *Tx) error { return tx.Move("mine.txt", path, []byte("evil")) },
	}
}

func (s *scene) allChangesRefused(path string, kinds ...Kind) {
	s.t.Helper()
	s.put("ws/mine.txt", "mine")
	before := tree(s.t, s.top)
	for name, change := range s.attempts(path) {
		err := s.w.Change(s.t.Context(), []string{path, "free.txt", "mine.txt"}, change, nil)
		found := false
		for _, k := range kinds {
			found = found || KindOf(err) == k
		}
		if !found {
			s.t.Errorf("%s %s: %v", name, path, err)
		}
	}
	if diff := cmp.Diff(before, tree(s.t, s.top)); diff != "" {
		s.t.Errorf("%s: something changed:\n%s", path, diff)
	}
}

func TestHidden(t *testing.T) {
	disguises := []struct {
		name, path string
		make       func(s *scene)
	}{
		{"plain", ".state/token", nil},
		{"deep", ".state/sub/db", nil},
		{"new file", ".state/new", nil},
		{"new folder", ".state/a/b/new", nil},
		{"the folder", ".state", nil},
		{"around", "conf/../.state/token", nil},
		{"at sign", "@.state/token", nil},
		{"home", "~/ws/.state/token", func(s *scene) {
			s.reopen(&Options{Home: s.top, Hidden: s.w.opts.Hidden})
		}},
		{"link to the folder", "l/token", func(s *scene) { s.link(".state", "ws/l") }},
		{"link to the file", "l", func(s *scene) { s.link(".state/token", "ws/l") }},
		{"absolute link", "l/sub/db", func(s *scene) { s.link(s.ws+"/.state", "ws/l") }},
		{"link to a link", "m/db", func(s *scene) { s.link("l/sub", "ws/m"); s.link(".state", "ws/l") }},
		{"hard link", "h", func(s *scene) { must(s.t, os.Link(s.ws+"/.state/token", s.ws+"/h")) }},
		{"other case", ".STATE/token", func(s *scene) {}},
		{"moved elsewhere by somebody", "moved/.state/token", func(s *scene) {
			// The owner's path is a link now; the folder behind it is still his.
			must(s.t, os.Mkdir(s.ws+"/moved", 0o755))
			must(s.t, os.Rename(s.ws+"/.state", s.ws+"/moved/.state"))
			s.link("moved/.state", "ws/.state")
		}},
	}
	for _, c := range disguises {
		t.Run(c.name, func(t *testing.T) {
			s := reinScene(t)
			if c.make != nil {
				c.make(s)
			}
			file, err := s.w.ReadFile(t.Context(), c.path)
			if file != nil || (KindOf(err) != KindHidden && KindOf(err) != KindHardLink) {
				t.Errorf("read: %v, %v", file, err)
			}
			if c.name == "link to the file" || c.name == "hard link" {
				return // the name itself is the agent's own and may go; see below
			}
			s.allChangesRefused(c.path, KindHidden)
		})
	}
}

func TestNameOfHiddenFileMayGo(t *testing.T) {
	s := reinScene(t)
	s.link(".state/token", "ws/l")
	before := tree(t, s.ws+"/.state")
	err := s.w.Change(t.Context(), []string{"l"}, func(tx *Tx) error { return tx.Remove("l") }, nil)
	if err != nil {
		t.Errorf("removing one's own link: %v", err)
	}
	must(t, os.Link(s.ws+"/.state/token", s.ws+"/h"))
	for name, change := range s.attempts("h") {
		if name == "remove" {
			continue
		}
		if err := s.w.Change(t.Context(), []string{"h", "free.txt", "mine.txt"}, change, nil); err == nil {
			t.Errorf("%s of a hard link to a hidden file was allowed", name)
		}
	}
	if diff := cmp.Diff(before, tree(t, s.ws+"/.state")); diff != "" {
		t.Error(diff)
	}
}

func TestReadOnly(t *testing.T) {
	disguises := []struct {
		name, path string
		make       func(s *scene)
	}{
		{"plain", "conf/toolrest.json5", nil},
		{"absolute", "", nil},
		{"through a link to the folder", "l/toolrest.json5", func(s *scene) { s.link("conf", "ws/l") }},
		{"saved anew by an editor", "conf/toolrest.json5", func(s *scene) {
			s.put("ws/conf/new", "{}")
			must(s.t, os.Rename(s.ws+"/conf/new", s.ws+"/conf/toolrest.json5"))
		}},
	}
	for _, c := range disguises {
		t.Run(c.name, func(t *testing.T) {
			s := reinScene(t)
			if c.make != nil {
				c.make(s)
			}
			if c.path == "" {
				c.path = s.ws + "/conf/toolrest.json5"
			}
			file, err := s.w.ReadFile(t.Context(), c.path)
			if err != nil || string(file.Data) != "{}" {
				t.Errorf("read: %v, %v", file, err)
			}
			s.allChangesRefused(c.path, KindReadOnly)
		})
	}
}

// A protected file that does not exist yet is known by its folder and by every
// spelling that some file system takes for its name.
func TestProtectedBeforeItExists(t *testing.T) {
	for _, name := range []string{
		"toolrest.json5", "TOOLREST.JSON5", "Toolrest.Json5", "tool\u200drest.json5", "toolre\u017ft.json5", "\uff54oolrest.json5", "too\u00adlrest.json5",
	} {
		s := newScene(t, nil)
		s.put("ws/conf/x", "")
		s.reopen(&Options{ReadOnly: []string{s.ws + "/conf/toolrest.json5"}})
		_, err := s.w.WriteFile(t.Context(), "conf/"+name, []byte("evil"))
		if KindOf(err) != KindReadOnly {
			t.Errorf("%+q: %v", name, err)
		}
		if _, err := s.w.WriteFile(t.Context(), "conf/other.json5", nil); err != nil {
			t.Errorf("a neighbour: %v", err)
		}
	}
}

// The folder of the protected file does not exist either: it appears together
// with the file.
func TestProtectedInFolderToBeMade(t *testing.T) {
	s := newScene(t, nil)
	s.reopen(&Options{ReadOnly: []string{s.ws + "/a/b/conf"}, Hidden: []string{s.ws + "/a/state"}})
	before := tree(t, s.ws)
	for path, kind := range map[string]Kind{"a/b/conf": KindReadOnly, "a/b/CONF": KindReadOnly, "a/b/conf/x": KindReadOnly, "a/state/token": KindHidden} {
		if _, err := s.w.WriteFile(t.Context(), path, []byte("evil")); KindOf(err) != kind {
			t.Errorf("%s: %v", path, err)
		}
	}
	if diff := cmp.Diff(before, tree(t, s.ws)); diff != "" {
		t.Errorf("folders were left behind:\n%s", diff)
	}
}

// Whoever takes a folder or a link on the way away makes the path lead
// elsewhere.
func TestWayToProtectedStays(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/real/deep/conf", "{}")
	s.link("real", "ws/alias")
	must(t, os.MkdirAll(s.ws+"/empty/deep", 0o755))
	s.reopen(&Options{ReadOnly: []string{s.ws + "/alias/deep/conf", s.ws + "/empty/deep/conf"}})
	for _, path := range []string{"alias", "real", "real/deep", "empty", "empty/deep"} {
		before := tree(t, s.ws)
		err := s.w.Change(t.Context(), []string{path}, func(tx *Tx) error { return tx.Remove(path) }, nil)
		if KindOf(err) != KindReadOnly {
			t.Errorf("removing %s: %v", path, err)
		}
		if diff := cmp.Diff(before, tree(t, s.ws)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReadOnlyFolderAroundTheWorkspace(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "a")
	s.reopen(&Options{ReadOnly: []string{s.top}})
	if _, err := s.w.ReadFile(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"a", "new", "d/new"} {
		if _, err := s.w.WriteFile(t.Context(), path, nil); KindOf(err) != KindReadOnly {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A protected path outside the workspace is not in anybody's way.
func TestProtectedElsewhere(t *testing.T) {
	s := newScene(t, nil)
	s.put("elsewhere/conf", "{}")
	s.reopen(&Options{Hidden: []string{filepath.Join(s.top, "elsewhere"), "/nowhere/at/all"}})
	if _, err := s.w.WriteFile(t.Context(), "conf", []byte("mine")); err != nil {
		t.Error(err)
	}
}
