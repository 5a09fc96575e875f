package config_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/internal/config"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// place is a home folder, a current folder and an environment of one test.
type place struct {
	t    testing.TB
	root string // holds the two folders
	home string
	work string
	env  map[string]string
}

func newPlace(t testing.TB) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, root: root, home: filepath.Join(root, "home"), work: filepath.Join(root, "work"), env: map[string]string{}}
	p.mkdir(p.home, 0o755)
	p.mkdir(p.work, 0o755)
	return p
}

func (p *place) options() *config.Options {
	return &config.Options{Dir: p.work, Home: p.home, Getenv: func(name string) string { return p.env[name] }}
}

func (p *place) load() (*config.Config, error) { return config.Load(p.options()) }

func (p *place) mustLoad() *config.Config {
	p.t.Helper()
	c, err := p.load()
	if err != nil {
		p.t.Fatalf("load: %v", err)
	}
	return c
}

// state opens the state folder, which makes it.
func (p *place) state() *config.State {
	p.t.Helper()
	s, err := config.OpenState(p.options())
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p *place) mkdir(path string, mode os.FileMode) {
	p.t.Helper()
	if err := os.MkdirAll(path, mode); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) write(path, text string) string {
	p.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// here writes ./toolrest.json5, and own the user's own.
func (p *place) here(text string) string {
	return p.write(filepath.Join(p.work, config.FileName), text)
}
func (p *place) own(text string) string { return p.write(p.state().Path(config.FileName), text) }

func (p *place) trust(path string) {
	p.t.Helper()
	if _, err := p.state().Trust(path); err != nil {
		p.t.Fatal(err)
	}
}

// names gives a text with the folders of this run replaced by $HOME and $WORK.
func (p *place) names(text string) string {
	return strings.NewReplacer(p.home, "$HOME", p.work, "$WORK", p.root, "$ROOT").Replace(text)
}

// unpack writes the files of an archive: those below home/ and work/ into the
// two folders.
func (p *place) unpack(files []txtar.File) {
	p.t.Helper()
	for _, f := range files {
		var path string
		switch top, rest, _ := strings.Cut(f.Name, "/"); top {
		case "home":
			path = filepath.Join(p.home, rest)
		case "work":
			path = filepath.Join(p.work, rest)
		default:
			continue
		}
		if dir := filepath.Dir(path); dir != p.home && dir != p.work {
			p.mkdir(dir, 0o700)
		}
		p.write(path, strings.TrimSuffix(string(f.Data), "\n"))
	}
}

// eachArchive runs one test for each txtar file in a folder of testdata. The
// file "want" of the archive is what run must give; lines of its comment that
// begin with "env " set variables.
func eachArchive(t *testing.T, dir string, run func(p *place, archive *txtar.Archive) string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata/%s: %v", dir, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := newPlace(t)
			for line := range strings.Lines(string(archive.Comment)) {
				if setting, ok := strings.CutPrefix(strings.TrimSpace(line), "env "); ok {
					name, value, _ := strings.Cut(setting, "=")
					p.env[name] = value
				}
			}
			p.unpack(archive.Files)
			compare(t, path, archive, p.names(run(p, archive)))
		})
	}
}

func compare(t *testing.T, path string, archive *txtar.Archive, got string) {
	t.Helper()
	got = strings.TrimSuffix(got, "\n") + "\n"
	for i := range archive.Files {
		if archive.Files[i].Name != "want" {
			continue
		}
		if *update {
			archive.Files[i].Data = []byte(got)
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want := string(archive.Files[i].Data); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		return
	}
	t.Fatal("the archive has no file want")
}

func asErrors(t testing.TB, err error) config.Errors {
	t.Helper()
	var all config.Errors
	if !errors.As(err, &all) {
		t.Fatalf("got %v (%T), want config.Errors", err, err)
	}
	return all
}
