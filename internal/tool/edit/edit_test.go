package edit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
	"github.com/toolrest/toolrest/schema"
)

// newTool makes the tool for a workspace that holds f.txt.
func newTool(t *testing.T, content string, opts *Options) (tool toolrest.Tool, file string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "f.txt")
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return New(ws, opts), file
}

// call validates as dispatch does, then runs.
func call(ctx context.Context, t *testing.T, tool toolrest.Tool, args string) (*toolrest.Result, error) {
	t.Helper()
	s, err := schema.Compile(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(json.RawMessage(args)); err != nil {
		return nil, err
	}
	return tool.Executor.Execute(ctx, &toolrest.Call{Tool: Name, Args: json.RawMessage(args)})
}

func one(old, fresh string) string {
	raw, err := json.Marshal(arguments{Path: "f.txt", Edits: []Edit{{OldText: old, NewText: fresh}}})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func content(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCases runs testdata/edits.jsonl: file, arguments, and what the file
// holds afterwards or the kind of the refusal.
func TestCases(t *testing.T) {
	f, err := os.Open("testdata/edits.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c struct {
			ID, File, Kind, After string
			Line                  int
			Args                  json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, func(t *testing.T) {
			tool, file := newTool(t, c.File, nil)
			res, err := call(t.Context(), t, tool, string(c.Args))
			if got := kindOf(err); got != c.Kind {
				t.Fatalf("got kind %q (%v), want %q", got, err, c.Kind)
			}
			want := c.After
			if c.Kind != "" {
				want = c.File
			}
			if got := content(t, file); got != want {
				t.Errorf("the file holds %q, want %q", got, want)
			}
			if c.Kind != "" {
				return
			}
			d := res.Details.(Details)
			if d.FirstChangedLine != c.Line || !strings.HasPrefix(d.Diff, "--- a/f.txt\n+++ b/f.txt\n@@") {
				t.Errorf("details: %+v, want line %d", d, c.Line)
			}
		})
	}
}

func kindOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return string(e.Kind)
	}
	if _, ok := errors.AsType[*schema.InvalidError](err); ok {
		return "arguments"
	}
	if err != nil && workspace.KindOf(err) == "" {
		return err.Error()
	}
	return string(workspace.KindOf(err))
}

func TestResultTexts(t *testing.T) {
	tool, _ := newTool(t, "a\nb “x”\nc\n", nil)
	res, err := call(t.Context(), t, tool, `{"path":"f.txt","edits":[{"oldText":"c","newText":"C"},{"oldText":"b \"x\"","newText":"B"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := toolrest.TextResult("Edited f.txt: 2 replacements, the first in line 2.\n" +
		"edits[1].oldText differs from line 2 in spaces or typography; that place was taken.")
	want.Details = Details{Path: "f.txt", FirstChangedLine: 2, Diff: "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n a\n-b “x”\n-c\n+B\n+C\n"}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Error(diff)
	}
}

func TestRefusalTexts(t *testing.T) {
	code := "func a() {\n\tone()\n\ttwo()\n}\n\nfunc b() {\n\tone()\n\tthree(\"four\")\n}\n"
	tests := []struct{ old, fresh, want string }{
		{"\tone()", "x", "edit f.txt: edits[0].oldText stands in several places, which begin in lines 2, 7; take in more lines around the one that is meant"},
		{"one()  \n", "x", "edit f.txt: edits[0].oldText can be meant in several places, apart from spaces and typography, which begin in lines 2, 7; take in more lines around the one that is meant"},
		{"func b() {\n\tone()\n\tthree('four')\n}", "x", "edit f.txt: edits[0].oldText is not in the file; lines 6 to 9 are most like it:\n" +
			"     6| func b() {\n     7| \tone()\n     8| \tthree(\"four\")\n     9| }\nread that part again and copy the text from it"},
		{"    three(\"four\", \"five\")", "x", "edit f.txt: edits[0].oldText is not in the file; lines 8 to 8 are most like it:\n" +
			"     8| \tthree(\"four\")\nread that part again and copy the text from it"},
		{"nothing of the kind", "x", "edit f.txt: edits[0].oldText is not in the file; read the file again and copy the text from it"},
		{"nothing of the kind", "\ttwo()\n", "edit f.txt: edits[0].oldText is not in the file; its newText stands in line 3 already, so it may have been made before; read the file again and copy the text from it"},
		{"two()", "two()", "edit f.txt: nothing would change: each newText is what stands there already"},
		{" \n\t", "x", "edit f.txt: edits[0].oldText is blank; take in the lines around the place"},
	}
	for _, c := range tests {
		tool, file := newTool(t, code, nil)
		_, err := call(t.Context(), t, tool, one(c.old, c.fresh))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n%v\nwant\n%s", c.old, err, c.want)
		}
		if content(t, file) != code {
			t.Errorf("%q: the file changed", c.old)
		}
	}
	tool, _ := newTool(t, code, nil)
	_, err := call(t.Context(), t, tool, `{"path":"f.txt","edits":[{"oldText":"two()","newText":"x"},{"oldText":"one()\n\ttwo","newText":"y"}]}`)
	if want := "edit f.txt: edits[0] and edits[1] overlap in line 3; make one edit of them"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// Neither the model's text nor the file makes a refusal long.
func TestRefusalsAreBounded(t *testing.T) {
	long := strings.Repeat("word ", 10_000)
	files := []string{strings.Repeat("x\n", 5000), long + "\n" + long, strings.Repeat("é", 3000) + " word"}
	for _, file := range files {
		for _, old := range []string{"x", long + "missing", strings.Repeat("x\n", 3000) + "y", "missing word"} {
			_, err := Apply(t.Context(), file, []Edit{{OldText: old, NewText: "z"}})
			if err == nil || len(err.Error()) > 4000 {
				t.Errorf("%.10q in %.10q: %d bytes", old, file, len(fmt.Sprint(err)))
			}
		}
	}
}

// BR-128: the new text contains the old one and was there before.
func TestNewTextContainsOld_BR128(t *testing.T) {
	tool, file := newTool(t, "foo\nbar foobar\n", nil)
	res, err := call(t.Context(), t, tool, one("foo\nbar", "foobar\nbar"))
	if err != nil || res.IsError || content(t, file) != "foobar\nbar foobar\n" {
		t.Errorf("got %v, %v; %q", res, err, content(t, file))
	}
}

// BR-131: bytes that are no UTF-8 are never decoded and written back.
func TestNotText_BR131(t *testing.T) {
	for _, data := range []string{"\xb1\xe0\xc2\xeb\n", "x\xff", "x\x00"} {
		tool, file := newTool(t, data, nil)
		_, err := call(t.Context(), t, tool, one("x", "y"))
		if err == nil || !strings.Contains(err.Error(), "left alone") || content(t, file) != data {
			t.Errorf("%q: %v, %q", data, err, content(t, file))
		}
	}
}

// BR-133: line breaks of the model match those of the file.
func TestLineEndings_BR133(t *testing.T) {
	tool, file := newTool(t, "one\r\ntwo\r\nthree\r\n", nil)
	_, err := call(t.Context(), t, tool, one("one\ntwo", "one\nTWO"))
	if err != nil || content(t, file) != "one\r\nTWO\r\nthree\r\n" {
		t.Errorf("%v, %q", err, content(t, file))
	}
}

// The answer of a call can get lost, and the model sends it again.
func TestRepeatedCall(t *testing.T) {
	tool, file := newTool(t, "a\nb\n", nil)
	for i := range 3 {
		res, err := call(t.Context(), t, tool, one("a", "c"))
		if err != nil {
			t.Fatal(err)
		}
		d := res.Details.(Details)
		if (d.Diff == "") != (i > 0) || content(t, file) != "c\nb\n" {
			t.Errorf("call %d: %+v, %q", i, d, content(t, file))
		}
	}
	// Certain no longer: somebody changed the file since.
	if err := os.WriteFile(file, []byte("c\nb\nd\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := call(t.Context(), t, tool, one("a", "c")); kindOf(err) != "text-not-found" {
		t.Errorf("got %v", err)
	}
	// Another call with the same outcome is no repetition.
	if _, err := call(t.Context(), t, tool, one("z", "c")); kindOf(err) != "text-not-found" {
		t.Errorf("got %v", err)
	}
}

// What can be made once more is made once more.
func TestSameEditAgain(t *testing.T) {
	tool, file := newTool(t, "END\n", nil)
	for range 2 {
		if _, err := call(t.Context(), t, tool, one("END", "x\nEND")); err != nil {
			t.Fatal(err)
		}
	}
	if content(t, file) != "x\nx\nEND\n" {
		t.Errorf("got %q", content(t, file))
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range 3 * maxRemembered {
		m.add("f", []Edit{{OldText: fmt.Sprint(i)}}, nil)
	}
	if len(m.after) != maxRemembered || len(m.order) != maxRemembered {
		t.Errorf("%d and %d are kept", len(m.after), len(m.order))
	}
	last := []Edit{{OldText: fmt.Sprint(3*maxRemembered - 1)}}
	if !m.has("f", last, nil) || m.has("g", last, nil) || m.has("f", last, []byte("x")) || m.has("f", []Edit{{OldText: "0"}}, nil) {
		t.Error("the wrong calls are remembered")
	}
}

func TestEditRefuses(t *testing.T) {
	tool, file := newTool(t, "123456", &Options{MaxBytes: 5})
	tests := map[string]string{
		one("1", "2"): "f.txt has 6 bytes, more than the 5 that can be edited; change it with exec: sed",
		`{"path":"none","edits":[{"oldText":"a","newText":"b"}]}`:          "no such file: none (check the path; exec can list the folder)",
		`{"path":".","edits":[{"oldText":"a","newText":"b"}]}`:             "this is the workspace itself: . (name a file in it)",
		`{"path":"f.txt","edits":[]}`:                                      "edits: got 0 items, want at least 1",
		`{"path":"f.txt","edits":"[{\"oldText\":\"1\"}]"}`:                 "edits: got string, want array",
		`{"path":"f.txt","edits":[{"oldText":"1"}]}`:                       "edits[0].newText: required, but missing",
		`{"path":"f.txt","edits":[{"oldText":"","newText":""}]}`:           "edits[0].oldText: got 0 characters, want at least 1",
		`{"path":"f.txt","edits":[{"oldText":"1","newText":"","all":1}]}`:  "edits[0].all: no such argument",
		`{"path":"f.txt","oldText":"1","newText":"2"}`:                     "edits: required, but missing; newText: no such argument; oldText: no such argument",
		`{"path":"../f.txt","edits":[{"oldText":"1","newText":"2"}]}`:      "outside",
		`{"path":"f.txt/x","edits":[{"oldText":"1","newText":"2"}]}`:       "not-a-folder",
		`{"path":"f.txt\u0000","edits":[{"oldText":"1","newText":"2"}]}`:   "invalid-path",
		`{"path":"/proc/self/mem","edits":[{"oldText":"1","newText":""}]}`: "outside",
	}
	for args, want := range tests {
		_, err := call(t.Context(), t, tool, args)
		if err == nil || (err.Error() != want && string(workspace.KindOf(err)) != want) {
			t.Errorf("%s: got %v, want %s", args, err, want)
		}
	}
	if content(t, file) != "123456" {
		t.Error("the file changed")
	}
}

func TestCancelled(t *testing.T) {
	tool, file := newTool(t, "a", nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := call(ctx, t, tool, one("a", "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := Apply(ctx, "a", []Edit{{OldText: "a"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if content(t, file) != "a" {
		t.Error("the file changed")
	}
}

// Each of many concurrent edits is in the file afterwards.
func TestConcurrentEdits(t *testing.T) {
	var b bytes.Buffer
	for i := range 20 {
		fmt.Fprintf(&b, "old %02d.\n", i)
	}
	tool, file := newTool(t, b.String(), nil)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			args := one(fmt.Sprintf("old %02d.", i), fmt.Sprintf("new %02d.", i))
			if _, err := tool.Executor.Execute(t.Context(), &toolrest.Call{Tool: Name, Args: json.RawMessage(args)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if want := strings.ReplaceAll(b.String(), "old", "new"); content(t, file) != want {
		t.Errorf("got %s", content(t, file))
	}
}

func TestDescriptor(t *testing.T) {
	tool, _ := newTool(t, "", nil)
	if tool.Name != "edit" || tool.Owner.Kind != toolrest.OwnerCore || len(tool.Description) < 100 || !json.Valid(tool.InputSchema) {
		t.Errorf("got %+v", tool.Descriptor)
	}
	defer func() {
		if recover() == nil {
			t.Error("New without a workspace must panic")
		}
	}()
	New(nil, nil)
}
