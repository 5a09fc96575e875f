package applypatch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

// TestReported holds what users of such tools reported. Want is a file and its
// content; err is a part of the refusal, after which nothing is different.
func TestReported(t *testing.T) {
	goFile := "func drain(a []int) {\n\tif len(a) > 0 {\n\t\tcloseAll()\n\t\treturn\n\t}\n}\n\n" +
		"func stop(m map[int]bool) {\n\tfor k := range m {\n\t\tif m[k] {\n\t\t\tcloseAll()\n\t\t\treturn\n\t\t}\n\t}\n}\n"
	tests := []struct {
		name, file, content, patch string
		want, err                  string
	}{
		{name: "BR-134 add overwrites", file: "cfg.toml", content: "keep=1\n",
			patch: "*** Begin Patch\n*** Add File: cfg.toml\n+new=1\n*** End Patch",
			err:   "nothing was changed: line 2, add: this exists already: cfg.toml (change the file that is there, or choose another name)"},
		{name: "BR-137 later file is missing", file: "other", content: "x",
			patch: "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: missing.txt\n@@\n-q\n+r\n*** End Patch",
			err:   "nothing was changed: line 4, update: no such file: missing.txt"},
		{name: "BR-138 mark, line ending, open end", file: "m.txt", content: "\ufeffa\r\nb\nc",
			patch: "*** Begin Patch\n*** Update File: m.txt\n@@\n a\n-b\n+B\n c\n*** End Patch",
			want:  "\ufeffa\r\nB\r\nc"},
		{name: "BR-139 two tolerant places", file: "pool.go", content: goFile,
			patch: "*** Begin Patch\n*** Update File: pool.go\n@@\n-    closeAll()\n-    return\n*** End Patch",
			err:   "pool.go: hunk of patch line 3: ambiguous: apart from spaces and typography it fits at lines 3, 11 of the file"},
		{name: "BR-140 Windows file", file: "c.txt", content: "foo\r\nbar\r\nbaz\r\n",
			patch: "*** Begin Patch\n*** Update File: c.txt\n@@\n foo\n-bar\n+qux\n*** End Patch",
			want:  "foo\r\nqux\r\nbaz\r\n"},
		{name: "BR-140 Windows file and patch", file: "c.txt", content: "foo\r\nbar\r\nbaz\r\n",
			patch: "*** Begin Patch\r\n*** Update File: c.txt\r\n@@\r\n foo\r\n-bar\r\n+qux\r\n*** End Patch\r\n",
			want:  "foo\r\nqux\r\nbaz\r\n"},
		{name: "BR-142 stacked anchors", file: "k.go", content: "type A struct{}\n\nfunc (A) F() int {\n\treturn 1\n}\n",
			patch: "*** Begin Patch\n*** Update File: k.go\n@@ type A struct{}\n@@ func (A) F() int {\n-\treturn 1\n+\treturn 2\n*** End Patch",
			want:  "type A struct{}\n\nfunc (A) F() int {\n\treturn 2\n}\n"},
		{name: "BR-143 one line", file: "a.kt", content: "x\n",
			patch: "*** Begin Patch`n*** Update File: a.kt`n@@`n-x`n+y`n*** End Patch",
			err:   "the patch cannot be read, line 1: there is no line break after *** Begin Patch, the patch stands on one line; send real line breaks, not \\n or `n"},
		{name: "BR-144 outside", file: "other", content: "x",
			patch: "*** Begin Patch\n*** Add File: ok.txt\n+x\n*** Add File: ../evil.txt\n+x\n*** Add File: /srv/evil2.txt\n+x\n*** End Patch",
			err:   ": ../evil.txt (only files below the workspace can be used)"},
		{name: "BR-144 absolute outside", file: "other", content: "x",
			patch: "*** Begin Patch\n*** Add File: ok.txt\n+x\n*** Add File: /srv/evil2.txt\n+x\n*** End Patch",
			err:   ": /srv/evil2.txt (only files below the workspace can be used)"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			tool, dir := newTool(t, files{c.file: {Text: c.content}}, nil)
			before := snapshot(t, dir)
			_, err := call(t.Context(), t, tool, c.patch)
			if c.err == "" {
				before[c.file] = c.want
			}
			if (err == nil) != (c.err == "") || (err != nil && !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got %v, want %s", err, c.err)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Error(diff)
			}
			if _, err := os.Lstat(filepath.Join(dir, "../evil.txt")); err == nil {
				t.Error("a file outside was made")
			}
		})
	}
}

// BR-135: both files are as they were.
func TestMoveOverwrites_BR135(t *testing.T) {
	tool, dir := newTool(t, files{"a.txt": {Text: "a\n"}, "b.txt": {Text: "b\n"}}, nil)
	before := snapshot(t, dir)
	_, err := call(t.Context(), t, tool, "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-a\n+A\n*** End Patch")
	if want := "nothing was changed: line 2, update: this exists already: b.txt (change the file that is there, or choose another name)"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestResult(t *testing.T) {
	tool, dir := newTool(t, files{"a.txt": {Text: "“a”\nb\n"}, "old/m.sh": {Text: "x\n"}, "gone": {Text: "g\n"}}, nil)
	must(t, os.Chmod(filepath.Join(dir, "old/m.sh"), 0o755))
	res, err := call(t.Context(), t, tool, "*** Begin Patch\n*** Add File: n/new.txt\n+n\n*** Update File: ./a.txt\n@@\n-\"a\"\n+c\n"+
		"*** Update File: old/m.sh\n*** Move to: m.sh\n@@\n-x\n+y\n*** Delete File: gone\n*** End Patch")
	must(t, err)
	want := toolrest.TextResult("The patch is applied:\nA n/new.txt\nM a.txt\nM m.sh\nD gone\n" +
		"a.txt: the hunk of patch line 5 differs from the file in spaces or typography; the only place like it was taken.")
	want.Details = Details{
		Summary: Summary{Added: []string{"n/new.txt"}, Modified: []string{"a.txt", "m.sh"}, Deleted: []string{"gone"}},
		Diff: "--- /dev/null\n+++ b/n/new.txt\n@@ -0,0 +1 @@\n+n\n" +
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-“a”\n+c\n b\n" +
			"--- a/old/m.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" +
			"--- /dev/null\n+++ b/m.sh\n@@ -0,0 +1 @@\n+y\n" +
			"--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n",
	}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "m.sh")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the moved script is %v, %v", info, err)
	}
}

// What is no text stays; deleting it is not a question of text.
func TestNotText(t *testing.T) {
	for name, content := range map[string]string{"invalid": "a\n\xff\n", "binary": "a\n\x00\n", "long": "a\n" + strings.Repeat("x", 100)} {
		tool, dir := newTool(t, files{"f": {Text: content}}, &Options{MaxFileBytes: 50})
		_, err := call(t.Context(), t, tool, "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch")
		if err == nil || snapshot(t, dir)["f"] != content {
			t.Errorf("%s: %v", name, err)
		}
		_, err = call(t.Context(), t, tool, "*** Begin Patch\n*** Delete File: f\n*** End Patch")
		if _, still := snapshot(t, dir)["f"]; err != nil || still {
			t.Errorf("%s: delete: %v", name, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	tool, dir := newTool(t, files{"a": {Text: "a\n"}}, nil)
	before := snapshot(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := call(ctx, t, tool, "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** Add File: b\n*** End Patch")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// The owner's files are as safe from a patch as from a write.
func TestProtected(t *testing.T) {
	_, dir := newTool(t, files{"conf/toolrest.json5": {Text: "{}\n"}, "state/token": {Text: "t\n"}}, nil)
	ws, err := workspace.Open(dir, &workspace.Options{
		ReadOnly: []string{filepath.Join(dir, "conf/toolrest.json5")}, Hidden: []string{filepath.Join(dir, "state")},
	})
	must(t, err)
	defer ws.Close()
	tool := New(ws, nil)
	before := snapshot(t, dir)
	for op, kind := range map[string]workspace.Kind{
		"*** Update File: conf/toolrest.json5\n@@\n-{}\n+{tools: {}}":             workspace.KindReadOnly,
		"*** Update File: conf/toolrest.json5\n*** Move to: away\n@@\n-{}\n+{ }":  workspace.KindReadOnly,
		"*** Delete File: conf/toolrest.json5":                                    workspace.KindReadOnly,
		"*** Delete File: conf/toolrest.json5\n*** Add File: conf/toolrest.json5": workspace.KindReadOnly,
		"*** Delete File: conf":                    workspace.KindReadOnly,
		"*** Update File: state/token\n@@\n-t\n+u": workspace.KindHidden,
		"*** Add File: state/new\n+x":              workspace.KindHidden,
		"*** Add File: ok\n+x\n*** Update File: ok\n*** Move to: state/n\n@@\n-x\n+y": workspace.KindHidden,
	} {
		_, err := call(t.Context(), t, tool, "*** Begin Patch\n"+op+"\n*** End Patch")
		if workspace.KindOf(err) != kind {
			t.Errorf("%s: %v", op, err)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestDescriptor(t *testing.T) {
	tool, _ := newTool(t, nil, nil)
	if tool.Name != "apply_patch" || tool.Owner.Kind != toolrest.OwnerCore || len(tool.Description) < 100 {
		t.Errorf("got %+v", tool.Descriptor)
	}
	defer func() {
		if recover() == nil {
			t.Error("New without a workspace must panic")
		}
	}()
	New(nil, nil)
}

// The example of the description has to work.
func TestDescriptionExample(t *testing.T) {
	tool, dir := newTool(t, files{
		"src/main.go": {Text: "package main\n\nfunc main() {\n\tsetup()\n\trun()\n}\n"}, "old/name.txt": {Text: "before\n"}, "obsolete.txt": {},
	}, nil)
	_, after, _ := strings.Cut(tool.Description, "```\n")
	patch, _, _ := strings.Cut(after, "```")
	_, err := call(t.Context(), t, tool, patch)
	must(t, err)
	want := map[string]string{
		"docs/new.md": "first line\nsecond line\n", "src/main.go": "package main\n\nfunc main() {\n\tsetup()\n\terr := run()\n}\n", "new/name.txt": "after\n",
	}
	if diff := cmp.Diff(want, filesOnly(snapshot(t, dir))); diff != "" {
		t.Error(diff)
	}
}
