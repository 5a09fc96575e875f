package read

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/workspace"
)

const byteOrderMark = "\ufeff"

// checkText refuses what is not UTF-8 text, and says what it may be.
func checkText(file *workspace.File) error {
	name := workspace.Show(file.Path)
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(file.Data, []byte(mark)) {
			return fmt.Errorf("%s looks like UTF-16 text, not UTF-8; convert it with exec: iconv -f UTF-16 -t UTF-8", name)
		}
	}
	if i := bytes.IndexByte(file.Data, 0); i >= 0 {
		return fmt.Errorf("%s is a binary file (%s, the first NUL byte is at offset %d); look at it with exec: file, xxd, strings", name, size(len(file.Data)), i)
	}
	if !utf8.Valid(file.Data) {
		i := invalidAt(file.Data)
		return fmt.Errorf("%s is not valid UTF-8: byte 0x%02X at offset %d; if it is text in another encoding, convert it with exec: iconv -f ENCODING -t UTF-8, else look at it with xxd",
			name, file.Data[i], i)
	}
	return nil
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// text gives the page that begins at line offset. Both numbers are 0 where the
// model named none.
func (t *tool) text(file *workspace.File, offset, limit int) (*toolrest.Result, error) {
	text := strings.TrimPrefix(string(file.Data), byteOrderMark)
	total := countLines(text)
	from := max(offset, 1)
	switch {
	case total == 0 && from == 1:
		return &toolrest.Result{Content: []toolrest.Content{toolrest.Text("[The file is empty.]")}, Details: Details{Path: file.Path}}, nil
	case from > total:
		return nil, fmt.Errorf("line %d is past the end: %s has %s", from, workspace.Show(file.Path), plural(total, "line"))
	}
	p := t.cut(text, from, total, limit)
	return &toolrest.Result{
		Content: []toolrest.Content{toolrest.Text(p.text + p.note)},
		Details: Details{Path: file.Path, Bytes: len(file.Data), Lines: total, From: from, To: p.to, CutBy: p.cutBy},
	}, nil
}

// countLines counts a last line without a line break, and none after the last
// line break.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

type page struct {
	text  string
	note  string
	to    int // the last line shown
	cutBy string
}

// cut takes whole lines until one of the bounds is met.
func (t *tool) cut(text string, from, total, limit int) page {
	for range from - 1 {
		text = text[strings.IndexByte(text, '\n')+1:]
	}
	maxLines, cutBy := t.opts.MaxLines, "lines"
	if limit > 0 && limit < maxLines {
		maxLines, cutBy = limit, "limit"
	}
	end, to := 0, from-1
	for to < total && to-from+1 < maxLines {
		next := len(text)
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			next = end + i + 1
		}
		if len(strings.TrimSuffix(text[:next], "\n")) > t.opts.MaxBytes {
			if to < from {
				return t.longLine(text[:next], from, total)
			}
			cutBy = "bytes"
			break
		}
		end = next
		to++
	}
	p := page{text: strings.TrimSuffix(text[:end], "\n"), to: to}
	if to < total {
		p.cutBy = cutBy
		p.note = t.note(from, to, total, cutBy)
	}
	return p
}

func (t *tool) note(from, to, total int, cutBy string) string {
	why := ""
	if cutBy == "bytes" {
		why = " (a page holds " + size(t.opts.MaxBytes) + ")"
	}
	return fmt.Sprintf("\n\n[These are lines %d to %d of %d%s. Go on with offset=%d.]", from, to, total, why, to+1)
}

// longLine shows the beginning of a line that does not fit on a page.
func (t *tool) longLine(line string, n, total int) page {
	end := t.opts.MaxBytes
	for !utf8.RuneStart(line[end]) {
		end--
	}
	note := fmt.Sprintf("\n\n[Line %d is cut: it has %s, and these are the first %s. See the rest with exec: sed -n %dp FILE | tail -c +%d.",
		n, size(len(line)), size(end), n, end+1)
	if n < total {
		note += fmt.Sprintf(" Go on with offset=%d of %d lines.", n+1, total)
	}
	return page{text: line[:end], note: note + "]", to: n, cutBy: "bytes"}
}
