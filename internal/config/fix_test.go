package config_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
)

// TestFix holds what Fix says about the edits of testdata/fix. An edit is a
// line "op path value [line:col]"; its place is in the user's own file, or
// with work: before it in the one of the workspace. Where an archive has a
// file "after", that is what the edited config looks like, and it loads.
func TestFix(t *testing.T) {
	eachArchive(t, "fix", func(p *place, archive *txtar.Archive) string {
		c := p.mustLoad()
		edits := editsOf(p, archive)
		if after := find(archive, "after"); after != nil && c.File != "" {
			checkAfter(p, c, edits, after)
		}
		fix := c.Fix(edits)
		if strings.Contains(fix, "hunter2") {
			p.t.Errorf("a secret is shown: %s", fix)
		}
		return fix
	})
}

func find(archive *txtar.Archive, name string) *txtar.File {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			return &archive.Files[i]
		}
	}
	return nil
}

func editsOf(p *place, archive *txtar.Archive) (edits []policy.Edit) {
	for line := range strings.Lines(string(find(archive, "edits").Data)) {
		words := strings.Fields(line)
		e := policy.Edit{Op: policy.EditOp(words[0]), Path: words[1], Value: words[2]}
		if len(words) > 3 {
			e.Pos = posOf(p, words[3])
		}
		edits = append(edits, e)
	}
	return edits
}

// posOf reads line:col, with the file before it where that is not the user's
// own config: work: for the one of the workspace, or its path in the archive.
func posOf(p *place, text string) toolrest.Pos {
	file := filepath.Join(p.home, ".toolrest", config.FileName)
	if rest, ok := strings.CutPrefix(text, "work:"); ok {
		file, text = filepath.Join(p.work, config.FileName), rest
	}
	parts := strings.Split(text, ":")
	if len(parts) == 3 {
		file, parts = filepath.Join(p.root, parts[0]), parts[1:]
	}
	pos := toolrest.Pos{File: file}
	pos.Line, _ = strconv.Atoi(parts[0])
	pos.Col, _ = strconv.Atoi(parts[1])
	return pos
}

func checkAfter(p *place, c *config.Config, edits []policy.Edit, after *txtar.File) {
	p.t.Helper()
	got, err := c.Edited(edits)
	if err != nil {
		p.t.Fatal(err)
	}
	if *update {
		after.Data = []byte(got + "\n")
	} else if got+"\n" != string(after.Data) {
		p.t.Errorf("edited:\n%s\nwant\n%s", got, after.Data)
	}
	p.write(c.File, got)
	again := p.mustLoad()
	for _, e := range edits {
		if err := holds(again, e); err != nil {
			p.t.Error(err)
		}
	}
}

// holds reports whether a config is as the edit wants it.
func holds(c *config.Config, e policy.Edit) error {
	sections := []policy.Section{c.Policy.Tools.Section}
	for _, a := range c.Policy.Agents {
		sections = append(sections, a.Tools.Section)
	}
	for _, s := range sections {
		for _, list := range []policy.List{s.Allow, s.AlsoAllow, s.Deny} {
			has := false
			for _, entry := range list.Entries {
				has = has || entry.Text == e.Value
			}
			if list.Path == e.Path && has != (e.Op == policy.EditAdd) {
				return fmt.Errorf("after %v the list holds %v", e, list.Entries)
			}
		}
		if e.Op == policy.EditSet && s.Path+".profile" == e.Path && s.Profile != e.Value {
			return fmt.Errorf("after %v the profile is %s", e, s.Profile)
		}
	}
	return nil
}

// The file that Fix gives where there is none loads, and says what was wanted.
func TestFixGivesAFileThatLoads(t *testing.T) {
	p := newPlace(t)
	edits := []policy.Edit{
		{Op: policy.EditAdd, Path: "tools.alsoAllow", Value: "message"},
		{Op: policy.EditSet, Path: "tools.profile", Value: "minimal"},
	}
	first, text, _ := strings.Cut(p.mustLoad().Fix(edits), "\n")
	if want := "create " + filepath.Join(p.home, ".toolrest", config.FileName) + " with this text:"; first != want {
		t.Errorf("got %s, want %s", first, want)
	}
	p.own(text)
	for _, e := range edits {
		if err := holds(p.mustLoad(), e); err != nil {
			t.Error(err)
		}
	}
}

func TestFixWithoutAStateFolder(t *testing.T) {
	t.Setenv("HOME", "")
	p := newPlace(t)
	p.home = ""
	fix := p.mustLoad().Fix([]policy.Edit{{Op: policy.EditAdd, Path: "tools.alsoAllow", Value: "message"}})
	if !strings.HasPrefix(fix, "create a file with this text, and name it by --config:\n    {\n") {
		t.Error(fix)
	}
}

// Comments of a file can hold what a terminal obeys.
func TestFixIsHarmless(t *testing.T) {
	p := newPlace(t)
	p.own("{ tools: { deny: ['exec', /* \x1b[2J */ 'a'] } }")
	fix := p.mustLoad().Fix([]policy.Edit{{Op: policy.EditRemove, Path: "tools.deny", Value: "exec"}, {Op: policy.EditAdd, Path: "tools.deny", Value: "\x1b]"}})
	if strings.Contains(fix, "\x1b") || !strings.Contains(fix, "[2J") {
		t.Errorf("%q", fix)
	}
}
