package read

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
	"github.com/toolrest/toolrest/schema"
)

// newTool makes the tool for a workspace that holds the files.
func newTool(t *testing.T, files map[string]string, opts *Options) toolrest.Tool {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return New(ws, opts)
}

// call validates as dispatch does, then runs.
func call(t *testing.T, tool toolrest.Tool, args string) (*toolrest.Result, error) {
	t.Helper()
	s, err := schema.Compile(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(json.RawMessage(args)); err != nil {
		return nil, err
	}
	return tool.Executor.Execute(t.Context(), &toolrest.Call{Tool: Name, Args: json.RawMessage(args)})
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestReadText(t *testing.T) {
	files := map[string]string{
		"three.txt": "one\ntwo\nthree\n", "open.txt": "one\ntwo", "crlf.txt": "one\r\ntwo\r\n", "bom.txt": "\ufeffone\n",
		"empty.txt": "", "blank.txt": "\n", "fake.png": "no image at all\n", "d/deep.txt": "deep\n", "long.txt": numbered(5000),
	}
	tests := []struct {
		args, want, err string
	}{
		{`{"path":"three.txt"}`, "one\ntwo\nthree", ""},
		{`{"path":"open.txt"}`, "one\ntwo", ""},
		{`{"path":"crlf.txt"}`, "one\r\ntwo\r", ""},
		{`{"path":"bom.txt"}`, "one", ""},
		{`{"path":"empty.txt"}`, "[The file is empty.]", ""},
		{`{"path":"blank.txt"}`, "", ""},
		{`{"path":"fake.png"}`, "no image at all", ""},
		{`{"path":"@d/deep.txt"}`, "deep", ""},
		{`{"path":"three.txt","offset":2}`, "two\nthree", ""},
		{`{"path":"three.txt","offset":3}`, "three", ""},
		{`{"path":"three.txt","offset":2,"limit":1}`, "two\n\n[These are lines 2 to 2 of 3. Go on with offset=3.]", ""},
		{`{"path":"three.txt","limit":3}`, "one\ntwo\nthree", ""},
		{`{"path":"three.txt","limit":1e300}`, "one\ntwo\nthree", ""},
		{`{"path":"three.txt","offset":2.0,"limit":1.0}`, "two\n\n[These are lines 2 to 2 of 3. Go on with offset=3.]", ""},
		{`{"path":"three.txt","offset":0,"limit":0}`, "one\ntwo\nthree", ""},
		{`{"path":"three.txt","offset":-7,"limit":-1}`, "one\ntwo\nthree", ""},
		{`{"path":"three.txt","offset":4}`, "", "line 4 is past the end: three.txt has 3 lines"},
		{`{"path":"three.txt","offset":1e300}`, "", "line 2147483647 is past the end: three.txt has 3 lines"},
		{`{"path":"blank.txt","offset":2}`, "", "line 2 is past the end: blank.txt has 1 line"},
		{`{"path":"empty.txt","offset":2}`, "", "line 2 is past the end: empty.txt has 0 lines"},
		{`{"path":"none.txt"}`, "", "no such file: none.txt (check the path; exec can list the folder)"},
		{`{"path":"d"}`, "", "this is a folder, not a file: d (list it with exec: ls -la)"},
		{`{"path":""}`, "", "path: got 0 characters, want at least 1"},
		{`{"path":"three.txt","encoding":"base64"}`, "", "encoding: no such argument"},
		{`{"offset":1}`, "", "path: required, but missing"},
		{`{"path":"three.txt","offset":1.5}`, "", "offset: got number, want integer"},
	}
	tool := newTool(t, files, nil)
	for _, c := range tests {
		res, err := call(t, tool, c.args)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: got %v, want %s", c.args, err, c.err)
			}
			continue
		}
		if err != nil || res.AllText() != c.want {
			t.Errorf("%s: got %v, %v; want %q", c.args, res, err, c.want)
		}
	}
}

func TestEscapeIsRefused(t *testing.T) {
	tool := newTool(t, nil, nil)
	_, err := call(t, tool, `{"path":"../../etc/passwd"}`)
	if workspace.KindOf(err) != workspace.KindOutside {
		t.Errorf("got %v", err)
	}
}

// Following the notes from page to page gives the whole file, once.
func TestPagesMakeTheFile(t *testing.T) {
	lines := map[string]string{
		"by lines": numbered(4500),
		"by bytes": strings.Repeat(strings.Repeat("x", 999)+"\n", 120),
		"umlauts":  strings.Repeat(strings.Repeat("ä", 333)+"\n", 200),
	}
	for name, content := range lines {
		tool := newTool(t, map[string]string{"f": content}, nil)
		var got strings.Builder
		pages := 0
		for offset := 1; offset > 0; pages++ {
			res, err := call(t, tool, fmt.Sprintf(`{"path":"f","offset":%d}`, offset))
			if err != nil {
				t.Fatal(err)
			}
			text, note, more := strings.Cut(res.AllText(), "\n\n[")
			if len(text) > 51200 || strings.Count(text, "\n") >= 2000 {
				t.Errorf("%s: a page of %d bytes and %d lines", name, len(text), strings.Count(text, "\n")+1)
			}
			got.WriteString(text + "\n")
			offset = 0
			if more {
				_, after, _ := strings.Cut(note, "offset=")
				fmt.Sscanf(after, "%d", &offset)
			}
		}
		if got.String() != content || pages < 3 {
			t.Errorf("%s: %d pages make %d bytes of %d", name, pages, got.Len(), len(content))
		}
	}
}

func TestDetails(t *testing.T) {
	tool := newTool(t, map[string]string{"f": "a\nbb\nccc\n"}, &Options{MaxLines: 2, MaxBytes: 4})
	tests := []struct {
		args string
		want Details
	}{
		{`{"path":"f"}`, Details{Path: "f", Bytes: 9, Lines: 3, From: 1, To: 2, CutBy: "lines"}},
		{`{"path":"f","offset":2}`, Details{Path: "f", Bytes: 9, Lines: 3, From: 2, To: 2, CutBy: "bytes"}},
		{`{"path":"f","limit":1}`, Details{Path: "f", Bytes: 9, Lines: 3, From: 1, To: 1, CutBy: "limit"}},
		{`{"path":"f","offset":3}`, Details{Path: "f", Bytes: 9, Lines: 3, From: 3, To: 3}},
	}
	for _, c := range tests {
		res, err := call(t, tool, c.args)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, res.Details); diff != "" {
			t.Errorf("%s:\n%s", c.args, diff)
		}
	}
}

func TestLongLine(t *testing.T) {
	tool := newTool(t, map[string]string{"f": "short\n" + strings.Repeat("ä", 10) + "\nlast\n"}, &Options{MaxBytes: 7})
	tests := []struct{ args, want string }{
		{`{"path":"f"}`, "short\n\n[These are lines 1 to 1 of 3 (a page holds 7 B). Go on with offset=2.]"},
		{`{"path":"f","offset":2}`, "äää\n\n[Line 2 is cut: it has 21 B, and these are the first 6 B. See the rest with exec: sed -n 2p FILE | tail -c +7. Go on with offset=3 of 3 lines.]"},
		{`{"path":"f","offset":3}`, "last"},
	}
	for _, c := range tests {
		res, err := call(t, tool, c.args)
		if err != nil || res.AllText() != c.want {
			t.Errorf("%s: got %v, %v", c.args, res, err)
		}
	}
}

// BR-131: text in another encoding is named as such, never shown garbled.
func TestNotText_BR131(t *testing.T) {
	tool := newTool(t, map[string]string{
		"g.txt": "\xb1\xe0\xc2\xeb\n", "late.txt": "fine\n\xe4", "b.bin": "ab\x00cd", "u16.txt": "\xff\xfea\x00", "elf": "\x7fELF\x02\x01\x01\x00",
	}, nil)
	tests := map[string]string{
		"g.txt":    "g.txt is not valid UTF-8: byte 0xB1 at offset 0; if it is text in another encoding, convert it with exec: iconv -f ENCODING -t UTF-8, else look at it with xxd",
		"late.txt": "late.txt is not valid UTF-8: byte 0xE4 at offset 5; if it is text in another encoding, convert it with exec: iconv -f ENCODING -t UTF-8, else look at it with xxd",
		"b.bin":    "b.bin is a binary file (5 B, the first NUL byte is at offset 2); look at it with exec: file, xxd, strings",
		"u16.txt":  "u16.txt looks like UTF-16 text, not UTF-8; convert it with exec: iconv -f UTF-16 -t UTF-8",
		"elf":      "elf is a binary file (8 B, the first NUL byte is at offset 7); look at it with exec: file, xxd, strings",
	}
	for path, want := range tests {
		_, err := call(t, tool, fmt.Sprintf(`{"path":%q}`, path))
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestImages(t *testing.T) {
	images := map[string]string{
		"image/png":  "\x89PNG\r\n\x1a\n\x00\x00",
		"image/jpeg": "\xff\xd8\xff\xe0\x00\x10",
		"image/gif":  "GIF89a\x01\x00",
		"image/webp": "RIFF\x00\x00\x00\x00WEBPVP8 ",
	}
	for mime, data := range images {
		// The name says nothing: the content decides.
		tool := newTool(t, map[string]string{"pic.txt": data}, &Options{MaxImageBytes: 20})
		res, err := call(t, tool, `{"path":"pic.txt"}`)
		if err != nil {
			t.Fatal(err)
		}
		want := &toolrest.Result{
			Content: []toolrest.Content{toolrest.Text(fmt.Sprintf("[pic.txt: %s, %d B.]", mime, len(data))), toolrest.Image([]byte(data), mime)},
			Details: Details{Path: "pic.txt", Bytes: len(data), MIME: mime},
		}
		if diff := cmp.Diff(want, res); diff != "" {
			t.Error(diff)
		}
	}
	tool := newTool(t, map[string]string{"big.png": images["image/png"] + strings.Repeat("x", 20)}, &Options{MaxImageBytes: 20})
	_, err := call(t, tool, `{"path":"big.png"}`)
	if want := "big.png is an image of 30 B, more than the 20 B that can be shown; make a smaller copy with exec and read that"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	tool := newTool(t, map[string]string{"f": "x"}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := tool.Executor.Execute(ctx, &toolrest.Call{Tool: Name, Args: json.RawMessage(`{"path":"f"}`)})
	if err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestDescriptor(t *testing.T) {
	tool := newTool(t, nil, nil)
	if tool.Name != "read" || tool.Owner.Kind != toolrest.OwnerCore || len(tool.Description) < 100 || !json.Valid(tool.InputSchema) {
		t.Errorf("got %+v", tool.Descriptor)
	}
	defer func() {
		if recover() == nil {
			t.Error("New without a workspace must panic")
		}
	}()
	New(nil, nil)
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KB", 51200: "50.0 KB", 3 << 20: "3.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// FuzzRead shows arbitrary bytes: whatever comes back as text is a part of the
// file and valid UTF-8, and no page is larger than its bounds.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a\nb\n\nc"), 2, 1)
	f.Add([]byte("\xef\xbb\xbfä\r\n\r\n"), 0, 0)
	f.Add([]byte("GIF89a"), 1, 1)
	f.Add([]byte{0xff, 0xfe}, -1, 3)
	dir := f.TempDir()
	ws, err := workspace.Open(dir, nil)
	if err != nil {
		f.Fatal(err)
	}
	tool := New(ws, &Options{MaxLines: 4, MaxBytes: 16, MaxImageBytes: 64})
	f.Fuzz(func(t *testing.T, data []byte, offset, limit int) {
		if err := os.WriteFile(filepath.Join(dir, "f"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		res, err := call(t, tool, fmt.Sprintf(`{"path":"f","offset":%d,"limit":%d}`, offset, limit))
		if err != nil {
			return
		}
		d := res.Details.(Details)
		if d.MIME != "" || d.Lines == 0 {
			return
		}
		text := res.AllText()
		if i := strings.LastIndex(text, "\n\n["); d.CutBy != "" && i >= 0 {
			text = text[:i]
		}
		if len(text) > 16 || d.To-d.From >= 4 || !bytes.Contains(data, []byte(text)) {
			t.Fatalf("%q of %q: %+v", text, data, d)
		}
	})
}
