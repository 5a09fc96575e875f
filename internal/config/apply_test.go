package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
)

// TestApply holds the diffs of the edits in testdata/apply, and that the files
// then load and have what the edits say.
func TestApply(t *testing.T) {
	eachArchive(t, "apply", func(p *place, archive *txtar.Archive) string {
		c := p.mustLoad()
		changes, err := c.Apply(editsOf(p, archive))
		if err != nil {
			return err.Error()
		}
		var diffs strings.Builder
		for _, change := range changes {
			diffs.WriteString(change.Diff())
			if err := change.Write(); err != nil {
				p.t.Error(err)
			}
			if got, err := os.ReadFile(change.File); err != nil || string(got) != string(change.After) {
				p.t.Errorf("%s holds %q, %v", change.File, got, err)
			}
		}
		if after, err := p.load(); err != nil {
			p.t.Errorf("the result does not load: %v", err)
		} else if again, err := after.Apply(nil); err != nil || len(again) > 0 {
			p.t.Errorf("no edits change %v, %v", again, err)
		}
		return diffs.String()
	})
}

func denyExec() []policy.Edit {
	return []policy.Edit{{Op: policy.EditAdd, Path: "tools.deny", Value: "exec"}}
}

func TestWriteKeepsTheMode(t *testing.T) {
	p := newPlace(t)
	real := p.write(filepath.Join(p.home, "real.json5"), "{ /* mine */ }")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(p.work, "link.json5")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	opts := p.options()
	opts.Path = link
	c, err := config.Load(opts)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := c.Apply(denyExec())
	if err != nil || len(changes) != 1 {
		t.Fatalf("%v, %v", changes, err)
	}
	if err := changes[0].Write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(real)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if to, err := os.Readlink(link); err != nil || to != real {
		t.Errorf("the link is gone: %v", err)
	}
	if text, _ := os.ReadFile(real); !strings.Contains(string(text), "/* mine */") || !strings.Contains(string(text), "exec") {
		t.Errorf("written: %s", text)
	}
	left, err := filepath.Glob(filepath.Join(p.home, ".real*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A change is never written over another one.
func TestWriteRefusesWhatHasChanged(t *testing.T) {
	p := newPlace(t)
	file := p.own("{}")
	change := applied(t, p)
	p.write(file, "{ }")
	if err := change.Write(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := change.Write(); err == nil {
		t.Error("a file that is gone is written")
	}
	fresh := applied(t, p)
	if fresh.Before != nil || fresh.File != file {
		t.Errorf("%+v", fresh)
	}
	p.write(file, "{ }")
	if err := fresh.Write(); err == nil || !strings.Contains(err.Error(), "appeared meanwhile") {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "{ }" {
		t.Errorf("overwritten with %s", text)
	}
}

func applied(t *testing.T, p *place) config.FileChange {
	t.Helper()
	changes, err := p.mustLoad().Apply(denyExec())
	if err != nil || len(changes) != 1 {
		t.Fatalf("%v, %v", changes, err)
	}
	return changes[0]
}

// The first file is the user's alone, in a folder of the same kind.
func TestApplyWithoutAFile(t *testing.T) {
	p := newPlace(t)
	change := applied(t, p)
	if err := change.Write(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{change.File: 0o600, filepath.Dir(change.File): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if c := p.mustLoad(); c.File != change.File || c.Policy.Tools.Deny.Entries[0].Text != "exec" {
		t.Errorf("loaded %+v", c)
	}
}
