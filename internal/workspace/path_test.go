package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadings tells what the text of a model means, by the file it reaches.
func TestReadings(t *testing.T) {
	s := newScene(t, nil)
	for _, name := range []string{"a.txt", "sub/b.txt", "with space.txt", "@scope/pkg/c.txt", "narrow\u202fspace.txt", "plain name.txt", "~x/d.txt", "e</arg_value>"} {
		s.put("ws/"+name, name)
	}
	s.put("ws/plain\u00a0name.txt", "literal")
	s.link("sub", "ws/in")
	s.link(s.ws+"/sub/b.txt", "ws/abs")
	s.link("../ws/sub", "ws/around") // leaves the folder and comes back
	tests := []struct{ path, want string }{
		{"a.txt", "a.txt"},
		{"./sub//b.txt", "sub/b.txt"},
		{"sub/../a.txt", "a.txt"},
		{"nowhere/../a.txt", "a.txt"},
		{s.ws + "/a.txt", "a.txt"},
		{s.ws + "/sub/../a.txt", "a.txt"},
		{"@a.txt", "a.txt"},
		{"@" + s.ws + "/a.txt", "a.txt"},
		{"@scope/pkg/c.txt", "@scope/pkg/c.txt"},
		{"~/ws/a.txt", "a.txt"},
		{"~x/d.txt", "~x/d.txt"},
		{"file://" + s.ws + "/with%20space.txt", "with space.txt"},
		{"file://localhost" + s.ws + "/a.txt", "a.txt"},
		{"with\u00a0space.txt", "with space.txt"},
		{"with\u3000space.txt", "with space.txt"},
		{"narrow\u202fspace.txt", "narrow\u202fspace.txt"},
		{"plain\u00a0name.txt", "literal"},
		{"a.txt</arg_value>>", "a.txt"},
		{"with\u2009space.txt</parameter>\n", "with space.txt"},
		{"e</arg_value>", "e</arg_value>"},
		{"in/b.txt", "sub/b.txt"},
		{"in/../a.txt", "a.txt"},
		{"abs", "sub/b.txt"},
	}
	for _, c := range tests {
		f, err := s.w.ReadFile(t.Context(), c.path)
		if err != nil || string(f.Data) != c.want {
			t.Errorf("%q: got %v, %v; want %q", c.path, f, err, c.want)
		}
	}
	if _, err := s.w.ReadFile(t.Context(), "around/b.txt"); KindOf(err) != KindLinkOutside {
		t.Errorf("a link that leaves and comes back: %v", err)
	}
}

func TestNewFilesGetTheRepairedName(t *testing.T) {
	tests := []struct{ path, want string }{
		{"@new.txt", "new.txt"},
		{"a\u00a0b.txt", "a b.txt"},
		{"c.txt</arg_value>>", "c.txt"},
		{"x/y/../z.txt", "x/z.txt"},
	}
	for _, c := range tests {
		s := newScene(t, nil)
		out, err := s.w.WriteFile(t.Context(), c.path, []byte("x"))
		if err != nil || out.Path != c.want || !out.Created {
			t.Errorf("%q: %+v, %v", c.path, out, err)
		}
		if _, err := os.Stat(filepath.Join(s.ws, c.want)); err != nil {
			t.Error(err)
		}
	}
}

func TestWorkspaceGivenThroughLink(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a.txt", "a")
	s.link("ws", "alias")
	s.link(s.top+"/alias/a.txt", "ws/l")
	w, err := Open(filepath.Join(s.top, "alias"), nil)
	must(t, err)
	defer w.Close()
	for _, path := range []string{"a.txt", s.ws + "/a.txt", s.top + "/alias/a.txt", "l"} {
		f, err := w.ReadFile(t.Context(), path)
		if err != nil || f.Path != "a.txt" {
			t.Errorf("%s: %v, %v", path, f, err)
		}
	}
	if w.Dir() != s.ws {
		t.Errorf("Dir is %s", w.Dir())
	}
}

func TestOpenRefuses(t *testing.T) {
	s := newScene(t, nil)
	file := s.put("file", "")
	tests := []struct {
		dir  string
		opts *Options
		kind Kind
	}{
		{filepath.Join(s.top, "missing"), nil, KindNotFound},
		{file, nil, KindNotFolder},
		{s.ws, &Options{Hidden: []string{"relative"}}, KindInvalid},
		{s.ws, &Options{Hidden: []string{s.top}}, KindHidden},
		{s.ws, &Options{Hidden: []string{s.ws + "/"}}, KindHidden},
	}
	for _, c := range tests {
		w, err := Open(c.dir, c.opts)
		if w != nil || KindOf(err) != c.kind {
			t.Errorf("%s %+v: %v", c.dir, c.opts, err)
		}
	}
	_, err := Open(filepath.Join(s.top, "missing"), nil)
	if want := "the folder does not exist: " + s.top + "/missing (create it, or name another one)"; !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestStatAndResolve(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/d/a.txt", "abc")
	s.link("d", "ws/l")
	info, err := s.w.Stat("l/a.txt")
	if err != nil || info.Size() != 3 {
		t.Errorf("stat: %v, %v", info, err)
	}
	if _, err := s.w.Stat("none"); KindOf(err) != KindNotFound {
		t.Errorf("stat of nothing: %v", err)
	}
	if _, err := s.w.Stat("../out"); KindOf(err) != KindOutside {
		t.Errorf("stat outside: %v", err)
	}
	for path, want := range map[string]string{".": ".", "l/a.txt": "d/a.txt", "l": "d", "l/new/x": "d/new/x", "d/": "d", "l/../d": "d"} {
		got, err := s.w.Resolve(path)
		if err != nil || got != want {
			t.Errorf("resolve %s: %q, %v; want %q", path, got, err, want)
		}
	}
	if _, err := s.w.Resolve("l/../../out"); KindOf(err) != KindOutside {
		t.Errorf("resolve outside: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	s := newScene(t, &Options{MaxFileBytes: 10})
	s.put("ws/big", "12345678901")
	s.put("ws/fits", "1234567890")
	s.put("ws/d/x", "")
	tests := []struct {
		path string
		kind Kind
	}{
		{"big", KindTooLarge}, {"fits", ""}, {"d", KindFolder}, {".", KindFolder}, {"none", KindNotFound},
		{"none/none", KindNotFound}, {"fits/x", KindNotFolder}, {"fits/", KindNotFolder}, {"none/", KindNotFolder},
	}
	for _, c := range tests {
		f, err := s.w.ReadFile(t.Context(), c.path)
		if KindOf(err) != c.kind || (f == nil) != (c.kind != "") {
			t.Errorf("%s: %v, %v", c.path, f, err)
		}
	}
}

func TestReadHonoursContext(t *testing.T) {
	s := newScene(t, nil)
	s.put("ws/a", "x")
	ctx, cancel := contextWithCancel(t)
	cancel()
	if _, err := s.w.ReadFile(ctx, "a"); err != ctx.Err() {
		t.Errorf("got %v", err)
	}
}

// FuzzPath feeds arbitrary text to the walk: it neither panics nor leaves.
func FuzzPath(f *testing.F) {
	for _, c := range escapes {
		f.Add(c.path)
	}
	f.Add("@~/x")
	f.Add("l/../x\u00a0</a>")
	f.Fuzz(func(t *testing.T, path string) {
		if strings.Count(path, "/") > 100 {
			return // deep trees only take time
		}
		s := newScene(t, nil)
		s.link("../out", "ws/l")
		s.link("d", "ws/m")
		s.put("ws/d/x", "inside")
		file, err := s.w.ReadFile(t.Context(), path)
		if (file == nil) == (err == nil) {
			t.Fatalf("%q: %v and %v", path, file, err)
		}
		if file != nil && string(file.Data) != "inside" {
			t.Fatalf("%q read %q", path, file.Data)
		}
		before := tree(t, s.out)
		out, err := s.w.WriteFile(t.Context(), path, []byte("inside"))
		if err == nil && !filepath.IsLocal(out.Path) {
			t.Fatalf("%q wrote %s", path, out.Path)
		}
		if after := tree(t, s.out); len(after) != len(before) || after["secret.txt"] != before["secret.txt"] {
			t.Fatalf("%q changed what lies outside", path)
		}
		if entries, _ := os.ReadDir(s.top); len(entries) != 2 {
			t.Fatalf("%q made something outside: %v", path, entries)
		}
	})
}
