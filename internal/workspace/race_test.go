package workspace

import (
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSwappedFolder lets somebody swap a folder for a link to the outside, and
// back, as fast as he can, while files in it are read and written. A tool that
// checks a path and then opens it loses this race within a few rounds.
func TestSwappedFolder(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/d/secret.txt", "inside")
	s.link(s.out, "ws/trap")
	outside := tree(t, s.out)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, s.ws+"/d", unix.AT_FDCWD, s.ws+"/trap", unix.RENAME_EXCHANGE)
			}
		}
	})
	naiveLost := false
	for i := 0; i < 2000 || (!naiveLost && i < 200_000); i++ {
		if data, err := os.ReadFile(s.ws + "/d/secret.txt"); err == nil && string(data) == secret {
			naiveLost = true
		}
		f, err := s.w.ReadFile(t.Context(), "d/secret.txt")
		if err == nil && string(f.Data) == secret {
			t.Error("read the secret")
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Error("told the secret")
		}
		for _, path := range []string{"d/secret.txt", "d/new.txt", "d/sub/new.txt"} {
			_, _ = s.w.WriteFile(t.Context(), path, []byte("inside"))
		}
	}
	close(stop)
	wg.Wait()
	if !naiveLost {
		t.Error("the control never got out: the race was not run")
	}
	for path, want := range outside {
		if got := tree(t, s.out)[path]; got != want {
			t.Errorf("%s is %q now", path, got)
		}
	}
	if len(tree(t, s.out)) != len(outside) {
		t.Errorf("something was made outside: %v", tree(t, s.out))
	}
}

// TestReadersSeeOldOrNew reads a file without any check while it is replaced
// by contents of two lengths.
func TestReadersSeeOldOrNew(t *testing.T) {
	s := newScene(t, nil)
	long, short := strings.Repeat("a", 1<<16), strings.Repeat("b", 10)
	path := s.put("ws/f", long)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(stop)
		for i := range 100 {
			content := long
			if i%2 == 0 {
				content = short
			}
			if _, err := s.w.WriteFile(t.Context(), "f", []byte(content)); err != nil {
				t.Error(err)
			}
		}
	})
	for reads := 0; ; reads++ {
		data, err := os.ReadFile(path)
		if err != nil || (string(data) != long && string(data) != short) {
			t.Fatalf("read %d bytes, %v", len(data), err)
		}
		select {
		case <-stop:
			wg.Wait()
			return
		default:
		}
	}
}
