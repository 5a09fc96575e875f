package workspace

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// naive is what a tool without confinement does with a path: it undoes the
// usual shorthands and opens the rest.
func (s *scene) naive(path string) string {
	path = strings.TrimPrefix(path, "@")
	path, _, _ = strings.Cut(path, "</")
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(s.top, rest)
	}
	if len(path) > 7 && strings.EqualFold(path[:7], "file://") {
		path = strings.ReplaceAll(path[7:], "%2e", ".")
		path = strings.ReplaceAll(path, "%2F", "/")
		path = strings.TrimPrefix(path, "localhost")
	}
	if strings.HasPrefix(path, "/") {
		return path
	}
	return s.ws + "/" + path
}

type escape struct {
	name string
	// path is what the model sends; make prepares the scene and may compute it.
	path string
	make func(s *scene) string
	kind Kind
	// noControl marks what is no way out without confinement either: it blocks,
	// is malformed, or works on another system only.
	noControl bool
}

var escapes = []escape{
	{name: "parent", path: "../out/secret.txt", kind: KindOutside},
	{name: "parent twice", path: "a/../../out/secret.txt", kind: KindOutside, make: func(s *scene) string { s.put("ws/a/x", ""); return "" }},
	{name: "dot parent", path: "./.././out/secret.txt", kind: KindOutside},
	{name: "double slashes", path: "..//out//secret.txt", kind: KindOutside},
	{name: "many parents", kind: KindOutside, make: func(s *scene) string { return strings.Repeat("../", 40) + s.out[1:] + "/secret.txt" }},
	{name: "absolute", kind: KindOutside, make: func(s *scene) string { return s.out + "/secret.txt" }},
	{name: "absolute, two slashes", kind: KindOutside, make: func(s *scene) string { return "/" + s.out + "/secret.txt" }},
	{name: "absolute, then parent", kind: KindOutside, make: func(s *scene) string { return s.ws + "/../out/secret.txt" }},
	{name: "name that begins like the workspace", kind: KindOutside, make: func(s *scene) string { return s.put("ws-evil/secret.txt", secret) }},
	{name: "at sign", path: "@../out/secret.txt", kind: KindOutside},
	{name: "at sign, absolute", kind: KindOutside, make: func(s *scene) string { return "@" + s.out + "/secret.txt" }},
	{name: "home", path: "~/out/secret.txt", kind: KindOutside},
	{name: "home, then back", path: "~/ws/../out/secret.txt", kind: KindOutside},
	{name: "at sign, home", path: "@~/out/secret.txt", kind: KindOutside},
	{name: "file address", kind: KindOutside, make: func(s *scene) string { return "file://" + s.out + "/secret.txt" }},
	{name: "file address, host", kind: KindOutside, make: func(s *scene) string { return "file://localhost" + s.out + "/secret.txt" }},
	{name: "file address, upper case", kind: KindOutside, make: func(s *scene) string { return "FILE://" + s.out + "/secret.txt" }},
	{name: "file address, escaped dots", kind: KindOutside, make: func(s *scene) string { return "file://" + s.ws + "/%2e%2e/out/secret.txt" }},
	{name: "file address, escaped slash", kind: KindOutside, make: func(s *scene) string { return "file://" + s.ws + "/..%2Fout/secret.txt" }},
	{name: "leaked tag", path: "../out/secret.txt</arg_value>>", kind: KindOutside},
	{name: "link to a file", path: "l", kind: KindLinkOutside, make: func(s *scene) string { s.link(s.out+"/secret.txt", "ws/l"); return "" }},
	{name: "relative link to a file", path: "l", kind: KindLinkOutside, make: func(s *scene) string { s.link("../out/secret.txt", "ws/l"); return "" }},
	{name: "link to a link", path: "a", kind: KindLinkOutside, make: func(s *scene) string {
		s.link("b", "ws/a")
		s.link("d/c", "ws/b")
		s.link("../../out/secret.txt", "ws/d/c")
		return ""
	}},
	{name: "link to a folder", path: "l/secret.txt", kind: KindLinkOutside, make: func(s *scene) string { s.link(s.out, "ws/l"); return "" }},
	{name: "relative link to a folder", path: "d/l/secret.txt", kind: KindLinkOutside, make: func(s *scene) string { s.link("../../out", "ws/d/l"); return "" }},
	{name: "link to the parent", path: "l/out/secret.txt", kind: KindLinkOutside, make: func(s *scene) string { s.link("..", "ws/l"); return "" }},
	{name: "link inside that goes on outside", path: "l/up/out/secret.txt", kind: KindLinkOutside, make: func(s *scene) string {
		s.link(s.ws+"/d", "ws/l")
		s.link("../..", "ws/d/up")
		return ""
	}},
	{name: "link through its own workspace", path: "l", kind: KindLinkOutside, make: func(s *scene) string { s.link(s.ws+"/../out/secret.txt", "ws/l"); return "" }},
	{name: "link that a file address names", kind: KindLinkOutside, make: func(s *scene) string {
		s.link(s.out, "ws/l")
		return "file://" + s.ws + "/l/secret.txt"
	}},
	{name: "root of a process", kind: KindLinkOutside, make: func(s *scene) string {
		s.link("/proc/self/root", "ws/l")
		return "l" + s.out + "/secret.txt"
	}},
	{name: "thread's root", kind: KindLinkOutside, make: func(s *scene) string {
		s.link("/proc/thread-self/root", "ws/l")
		return "l" + s.out + "/secret.txt"
	}},
	{name: "open descriptor", path: "l", kind: KindLinkOutside, make: func(s *scene) string {
		f, err := os.OpenFile(s.out+"/secret.txt", os.O_RDWR, 0)
		must(s.t, err)
		s.t.Cleanup(func() { f.Close() })
		s.link("/proc/self/fd/"+strconv.Itoa(int(f.Fd())), "ws/l")
		return ""
	}},
	{name: "hard link", path: "h", kind: KindHardLink, make: func(s *scene) string {
		must(s.t, os.Link(s.out+"/secret.txt", s.ws+"/h"))
		return ""
	}},
	{name: "hard link behind a link", path: "l", kind: KindHardLink, make: func(s *scene) string {
		s.put("ws/d/x", "")
		must(s.t, os.Link(s.out+"/secret.txt", s.ws+"/d/h"))
		s.link("d/h", "ws/l")
		return ""
	}},
	{name: "NUL byte", path: "../out/secret.txt\x00.md", kind: KindInvalid, noControl: true},
	{name: "escaped NUL byte", kind: KindInvalid, noControl: true, make: func(s *scene) string { return "file://" + s.ws + "/a%00b" }},
	{name: "invalid UTF-8", path: "a\xff\xfe/../../out/secret.txt", kind: KindInvalid, noControl: true},
	{name: "name of 10 kB", path: strings.Repeat("a", 10_000), kind: KindInvalid, noControl: true},
	{name: "path of 10 kB", path: strings.Repeat("a/", 5_000) + "x", kind: KindInvalid, noControl: true},
	{name: "blank", path: " \t\n", kind: KindInvalid, noControl: true},
	{name: "file address of another host", path: "file://server/share/x", kind: KindInvalid, noControl: true},
	{name: "link in a circle", path: "l", kind: KindLink, noControl: true, make: func(s *scene) string {
		s.link("m", "ws/l")
		s.link("l", "ws/m")
		return ""
	}},
	{name: "link to a device", path: "l", kind: KindLinkOutside, noControl: true, make: func(s *scene) string { s.link("/dev/zero", "ws/l"); return "" }},
	{name: "pipe", path: "p", kind: KindSpecial, noControl: true, make: func(s *scene) string { must(s.t, syscall.Mkfifo(s.ws+"/p", 0o666)); return "" }},
	{name: "socket", path: "s", kind: KindSpecial, noControl: true, make: func(s *scene) string {
		l, err := net.Listen("unix", s.ws+"/s")
		must(s.t, err)
		s.t.Cleanup(func() { l.Close() })
		return ""
	}},
	{name: "device", path: "d", kind: KindSpecial, noControl: true, make: func(s *scene) string {
		if err := syscall.Mknod(s.ws+"/d", syscall.S_IFCHR|0o666, 1<<8|5); err != nil { // a second /dev/zero
			s.t.Skip("only root makes devices:", err)
		}
		return ""
	}},
}

// TestEscapes sends every disguise to reading, writing, creating and removing.
// The control shows first that it gets out where nothing confines it.
func TestEscapes(t *testing.T) {
	for _, c := range escapes {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, nil)
			path := c.path
			if c.make != nil {
				if made := c.make(s); made != "" {
					path = made
				}
			}
			if !c.noControl {
				if data, err := os.ReadFile(s.naive(path)); err != nil || string(data) != secret {
					t.Fatalf("the control does not get out: %q, %v", data, err)
				}
			}
			s.refuses(path, c.kind)
		})
	}
}

// refuses checks that neither reading nor changing path gets anywhere, and
// that nothing changes inside or outside.
func (s *scene) refuses(path string, kind Kind) {
	t := s.t
	t.Helper()
	before := tree(t, s.top)
	file, err := s.w.ReadFile(t.Context(), path)
	if file != nil || KindOf(err) != kind {
		t.Errorf("read gave %v, %v; want a refusal of kind %s", file, err, kind)
	}
	if err != nil && strings.Contains(err.Error(), secret) {
		t.Errorf("the error tells the content: %v", err)
	}
	for name, change := range map[string]func(*Tx) error{
		"write":  func(tx *Tx) error { return tx.Write(path, []byte("evil")) },
		"create": func(tx *Tx) error { return tx.Create(path, []byte("evil")) },
		"read":   func(tx *Tx) error { _, err := tx.Read(path); return err },
	} {
		if err := s.w.Change(t.Context(), []string{path}, change, nil); err == nil {
			t.Errorf("%s in a change was allowed", name)
		}
	}
	if diff := cmp.Diff(before, tree(t, s.top)); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
}

// TestRefusalSaysWhatToDo keeps the wording of the refusal that is met most.
func TestRefusalSaysWhatToDo(t *testing.T) {
	s := newScene(t, nil)
	_, err := s.w.ReadFile(t.Context(), "../out/secret.txt")
	want := "path leaves the workspace " + s.ws + ": ../out/secret.txt (only files below the workspace can be used)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// BR-123: a dangling link must not become a way to create its target.
func TestWriteThroughDanglingLink_BR123(t *testing.T) {
	s := newScene(t, nil)
	s.link(s.out+"/new.txt", "ws/new.txt")
	_, err := s.w.WriteFile(t.Context(), "new.txt", []byte("x"))
	if KindOf(err) != KindLinkOutside {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(s.out + "/new.txt"); err == nil {
		t.Error("the file outside exists")
	}
}

// A kernel file system inside the workspace shows other processes' memory and
// environment as regular files.
func TestKernelFileSystems(t *testing.T) {
	if _, err := Open("/proc", nil); KindOf(err) != KindSpecial {
		t.Errorf("a workspace in /proc: %v", err)
	}
	w, err := Open("/", nil)
	must(t, err)
	defer w.Close()
	if data, err := os.ReadFile("/proc/self/environ"); err != nil || len(data) == 0 {
		t.Skip("no /proc here:", err)
	}
	for _, path := range []string{"/proc/self/environ", "proc/self/cmdline", "/proc/self/root/proc/self/environ", "/sys/kernel/notes"} {
		if _, err := w.ReadFile(t.Context(), path); err == nil {
			t.Errorf("%s can be read", path)
		}
	}
	if _, err := w.WriteFile(t.Context(), "/proc/self/comm", []byte("x")); KindOf(err) != KindSpecial {
		t.Errorf("writing to /proc: %v", err)
	}
}
