package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestWriteFile(t *testing.T) {
	s := newScene(t, nil)
	out, err := s.w.WriteFile(t.Context(), "a/b/c.txt", []byte("one"))
	must(t, err)
	if diff := cmp.Diff(&Written{Path: "a/b/c.txt", Created: true}, out); diff != "" {
		t.Error(diff)
	}
	out, err = s.w.WriteFile(t.Context(), "./a/b/c.txt", nil)
	must(t, err)
	if diff := cmp.Diff(&Written{Path: "a/b/c.txt", Before: 3}, out); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{".": "drwxr-xr-x", "a": "drwxr-xr-x", "a/b": "drwxr-xr-x", "a/b/c.txt": "-rw-r--r-- "}
	if diff := cmp.Diff(want, tree(t, s.ws)); diff != "" {
		t.Errorf("and nothing else may be left:\n%s", diff)
	}
}

func TestWriteKeepsPermissions(t *testing.T) {
	s := newScene(t, nil)
	for name, mode := range map[string]os.FileMode{"script": 0o755, "private": 0o600, "shared": 0o664} {
		path := s.put("ws/"+name, "old")
		must(t, os.Chmod(path, mode))
		if os.Geteuid() == 0 {
			must(t, os.Chown(path, 1234, 4321))
		}
		_, err := s.w.WriteFile(t.Context(), name, []byte("new"))
		must(t, err)
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode() != mode {
			t.Errorf("%s has %v now, had %v", name, info.Mode(), mode)
		}
		st := info.Sys().(*syscall.Stat_t)
		if os.Geteuid() == 0 && (st.Uid != 1234 || st.Gid != 4321) {
			t.Errorf("%s belongs to %d:%d now", name, st.Uid, st.Gid)
		}
	}
}

func TestNewFileHonoursUmask(t *testing.T) {
	s := newScene(t, nil)
	old := syscall.Umask(0o027)
	_, err := s.w.WriteFile(t.Context(), "d/new", nil)
	syscall.Umask(old)
	must(t, err)
	got := tree(t, s.ws)
	if got["d"] != "drwxr-x---" || got["d/new"] != "-rw-r----- " {
		t.Errorf("got %v", got)
	}
}

func TestWriteRefuses(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/d/x", "x")
	s.put("ws/file", "x")
	s.link("file", "ws/link")
	s.put("ws/two", "x")
	must(t, os.Link(s.ws+"/two", s.ws+"/names"))
	must(t, syscall.Mkfifo(s.ws+"/pipe", 0o666))
	before := tree(t, s.ws)
	for path, kind := range map[string]Kind{
		"d": KindFolder, ".": KindFolder, "d/": KindFolder, "file/x": KindNotFolder, "new/": KindNotFolder,
		"link": KindLink, "two": KindHardLink, "names": KindHardLink, "pipe": KindSpecial, "new\nname": KindInvalid, "a\x1b[31m/x": KindInvalid,
	} {
		if _, err := s.w.WriteFile(t.Context(), path, []byte("evil")); KindOf(err) != kind {
			t.Errorf("%q: %v", path, err)
		}
	}
	if diff := cmp.Diff(before, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
}

// Replacing a file must not lead around its own permissions.
func TestWriteRefusesUnwritableFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	s := newScene(t, nil)
	must(t, os.Chmod(s.put("ws/a", "old"), 0o444))
	_, err := s.w.WriteFile(t.Context(), "a", []byte("new"))
	if !errors.Is(err, syscall.EACCES) {
		t.Errorf("got %v", err)
	}
}

func TestWriteThroughFolderLink(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/d/a", "old")
	s.link("d", "ws/l")
	out, err := s.w.WriteFile(t.Context(), "l/a", []byte("new"))
	if err != nil || out.Path != "d/a" {
		t.Errorf("got %+v, %v", out, err)
	}
	err = s.w.Change(t.Context(), []string{"l/a"}, func(tx *Tx) error { return tx.Write("l/a", nil) }, &ChangeOptions{NoLinks: true})
	if KindOf(err) != KindLink {
		t.Errorf("with NoLinks: %v", err)
	}
}

func TestChangeSeesItself(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/old", "old")
	must(t, os.Chmod(s.ws+"/old", 0o751))
	paths := []string{"new", "old", "x/moved", "gone"}
	err := s.w.Change(t.Context(), paths, func(tx *Tx) error {
		must(t, tx.Create("new", []byte("1")))
		if f, err := tx.Read("./new"); err != nil || string(f.Data) != "1" {
			t.Errorf("read of a created file: %v, %v", f, err)
		}
		if err := tx.Create("new", nil); KindOf(err) != KindExists {
			t.Errorf("created twice: %v", err)
		}
		must(t, tx.Move("old", "x/moved", []byte("2")))
		if _, err := tx.Read("old"); KindOf(err) != KindNotFound {
			t.Errorf("read of a moved file: %v", err)
		}
		must(t, tx.Create("gone", nil))
		must(t, tx.Remove("gone"))
		if err := tx.Remove("gone"); KindOf(err) != KindNotFound {
			t.Errorf("removed twice: %v", err)
		}
		return nil
	}, nil)
	must(t, err)
	want := map[string]string{".": "drwxr-xr-x", "new": "-rw-r--r-- 1", "x": "drwxr-xr-x", "x/moved": "-rwxr-x--x 2"}
	if diff := cmp.Diff(want, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
}

func TestMove(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "a")
	s.put("ws/b", "b")
	s.put("ws/d/x", "")
	s.link("b", "ws/l")
	tests := []struct {
		from, to string
		kind     Kind
	}{
		{"a", "b", KindExists}, {"a", "d", KindExists}, {"a", "l", KindLink}, {"none", "new", KindNotFound},
		{"d", "new", KindFolder}, {"l", "new", KindLink}, {"a", "../out/new", KindOutside}, {"a", "./a", ""}, {"a", "d/a", ""},
	}
	for _, c := range tests {
		err := s.w.Change(t.Context(), []string{c.from, c.to}, func(tx *Tx) error { return tx.Move(c.from, c.to, []byte("A")) }, nil)
		if KindOf(err) != c.kind {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
	got := tree(t, s.ws)
	if _, still := got["a"]; still || got["d/a"] != "-rw-r--r-- A" || got["b"] != "-rw-r--r-- b" {
		t.Errorf("got %v", got)
	}
}

func TestRemove(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "a")
	s.put("ws/full/x", "")
	must(t, os.Mkdir(s.ws+"/empty", 0o755))
	s.link(s.out, "ws/away")
	must(t, os.Link(s.out+"/secret.txt", s.ws+"/hard"))
	for path, kind := range map[string]Kind{"a": "", "full": KindNotEmpty, "empty": "", "away": "", "hard": "", "none": KindNotFound, ".": KindFolder} {
		err := s.w.Change(t.Context(), []string{path}, func(tx *Tx) error { return tx.Remove(path) }, nil)
		if KindOf(err) != kind || (err == nil) != (kind == "") {
			t.Errorf("%s: %v", path, err)
		}
	}
	want := map[string]string{".": "drwxr-xr-x", "full": "drwxr-xr-x", "full/x": "-rw-r--r-- "}
	if diff := cmp.Diff(want, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
	if data, _ := os.ReadFile(s.out + "/secret.txt"); string(data) != secret {
		t.Error("what a link led to is gone")
	}
}

// A change of files that it did not name is a mistake that cannot be locked.
func TestChangeOfUnnamedFile(t *testing.T) {
	s := newScene(t, nil)
	err := s.w.Change(t.Context(), []string{"a"}, func(tx *Tx) error { return tx.Write("b", nil) }, nil)
	if KindOf(err) != KindChanged {
		t.Errorf("got %v", err)
	}
}

// Somebody else writes between our reading and our writing: his work stays.
func TestChangeNoticesOthers(t *testing.T) {
	others := map[string]func(path string) error{
		"writes": func(p string) error { return os.WriteFile(p, []byte("theirs!"), 0o644) },
		"saves anew": func(p string) error {
			return errors.Join(os.WriteFile(p+"~", []byte("theirs!"), 0o644), os.Rename(p+"~", p))
		},
		"removes": os.Remove,
		"puts a link": func(p string) error {
			return errors.Join(os.Remove(p), os.Symlink("other", p))
		},
		"puts a folder": func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) },
	}
	ours := map[string]func(*Tx) error{
		"write": func(tx *Tx) error { return tx.Write("a", []byte("ours")) },
		"move":  func(tx *Tx) error { return tx.Move("a", "b", []byte("ours")) },
	}
	for theirs, other := range others {
		for name, change := range ours {
			t.Run(theirs+"/"+name, func(t *testing.T) {
				s := newScene(t, nil)
				path := s.put("ws/a", "old")
				var between map[string]string
				err := s.w.Change(t.Context(), []string{"a", "b"}, func(tx *Tx) error {
					_, err := tx.Read("a")
					must(t, err)
					must(t, change(tx))
					must(t, other(path))
					between = tree(t, s.ws)
					return nil
				}, nil)
				if KindOf(err) != KindChanged {
					t.Errorf("got %v", err)
				}
				if diff := cmp.Diff(between, tree(t, s.ws)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestCreateNoticesOthers(t *testing.T) {
	s := newScene(t, nil)
	err := s.w.Change(t.Context(), []string{"a"}, func(tx *Tx) error {
		must(t, tx.Create("a", []byte("ours")))
		s.put("ws/a", "theirs")
		return nil
	}, nil)
	if KindOf(err) != KindChanged || tree(t, s.ws)["a"] != "-rw-r--r-- theirs" {
		t.Errorf("got %v, %v", err, tree(t, s.ws))
	}
}

func TestFailedChangeDoesNothing(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "a")
	before := tree(t, s.ws)
	stop := errors.New("stop")
	err := s.w.Change(t.Context(), []string{"a", "b/c"}, func(tx *Tx) error {
		must(t, tx.Write("a", nil))
		must(t, tx.Create("b/c", nil))
		return stop
	}, nil)
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
}

func TestCancelledChangeDoesNothing(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "a")
	before := tree(t, s.ws)
	ctx, cancel := contextWithCancel(t)
	err := s.w.Change(ctx, []string{"a", "b/c"}, func(tx *Tx) error {
		must(t, tx.Write("a", nil))
		must(t, tx.Create("b/c", nil))
		cancel()
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, tree(t, s.ws)); diff != "" {
		t.Error(diff)
	}
}

// Many goroutines count in one file, through two workspaces that share it.
func TestWritersTakeTurns(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/d/count", "0")
	inner, err := Open(filepath.Join(s.ws, "d"), nil)
	must(t, err)
	defer inner.Close()
	var wg sync.WaitGroup
	const each = 20
	for i := range each * 2 {
		w, path := s.w, "d/count"
		if i%2 == 0 {
			w, path = inner, "count"
		}
		wg.Go(func() {
			err := w.Change(t.Context(), []string{path}, func(tx *Tx) error {
				f, err := tx.Read(path)
				if err != nil {
					return err
				}
				n, err := strconv.Atoi(string(f.Data))
				if err != nil {
					return err
				}
				return tx.Write(path, []byte(strconv.Itoa(n+1)))
			}, nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if data, _ := os.ReadFile(s.ws + "/d/count"); string(data) != strconv.Itoa(each*2) {
		t.Errorf("counted %s", data)
	}
	if len(writers.held) != 0 {
		t.Errorf("locks are left: %v", writers.held)
	}
}

func TestLocksInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := lockTable{held: map[string]*lock{}}
		var wg sync.WaitGroup
		inside := 0
		for i := range 50 {
			keys := []string{"a", "b", "c", "a"}
			if i%2 == 0 {
				keys = []string{"c", "b"}
			}
			wg.Go(func() {
				release, err := table.acquire(t.Context(), keys)
				if err != nil {
					t.Error(err)
					return
				}
				if inside++; inside != 1 { // both lists hold b
					t.Error("two at once")
				}
				inside--
				release()
			})
		}
		wg.Wait()
		if len(table.held) != 0 {
			t.Errorf("left: %v", table.held)
		}
	})
}

func TestWaitingEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := lockTable{held: map[string]*lock{}}
		release, err := table.acquire(t.Context(), []string{"b"})
		must(t, err)
		ctx, cancel := contextWithCancel(t)
		done := make(chan error)
		go func() {
			_, err := table.acquire(ctx, []string{"a", "b"})
			done <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		release()
		if len(table.held) != 0 {
			t.Errorf("left: %v", table.held)
		}
	})
}
