package applypatch

import (
	"fmt"
	"strings"
)

// Kind is what an operation of a patch does.
type Kind string

// The kinds of operations.
const (
	Add    Kind = "add"
	Update Kind = "update"
	Delete Kind = "delete"
)

// Op is one operation of a patch.
type Op struct {
	Kind Kind
	Path string
	// Line is the operation's first line in the patch, 1-based.
	Line int
	// Content is the text of an added file.
	Content string
	// MoveTo is where an updated file goes, empty when it stays.
	MoveTo string
	// Hunks are the changes of an updated file: at least one.
	Hunks []Hunk
}

// Hunk is one change of a file.
type Hunk struct {
	// Line is the hunk's first line in the patch, 1-based.
	Line int
	// Anchors are lines that stand above the change, from the outside in.
	Anchors []string
	Lines   []Line
	// AtEnd says that the last line of the hunk is the last of the file.
	AtEnd bool
}

// Line is one line of a hunk: context (' '), one that goes ('-') or one that
// comes ('+').
type Line struct {
	Op   byte
	Text string
}

// ParseError says where a patch is not one.
type ParseError struct {
	// Line is the place in the patch, 1-based; 0 is the patch as a whole.
	Line int
	Text string
	Hint string
}

// Error gives line, reason and hint in one sentence.
func (e *ParseError) Error() string {
	text := "the patch cannot be read: " + e.Text
	if e.Line > 0 {
		text = fmt.Sprintf("the patch cannot be read, line %d: %s", e.Line, e.Text)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

const (
	beginMark  = "*** Begin Patch"
	endMark    = "*** End Patch"
	addMark    = "*** Add File:"
	updateMark = "*** Update File:"
	deleteMark = "*** Delete File:"
	moveMark   = "*** Move to:"
	eofMark    = "*** End of File"
)

// parser reads line by line.
type parser struct {
	lines []string
	at    int // the line that comes next, an index
	first int // how many lines of the input stand before lines
}

// Parse reads a patch. It forgives Windows line endings, space around the
// patch and its marks, and a shell's here-document around it. Its error is a
// [*ParseError]. A patch without operations is none.
func Parse(input string) ([]Op, error) {
	p, err := open(input)
	if err != nil {
		return nil, err
	}
	var ops []Op
	for p.at < len(p.lines) {
		op, err := p.op()
		if err != nil {
			return nil, err
		}
		ops = append(ops, op)
	}
	return ops, nil
}

// open takes the patch out of its envelope.
func open(input string) (*parser, error) {
	body := strings.TrimSpace(input)
	if body == "" {
		return nil, &ParseError{Text: "it is empty", Hint: "send the whole patch, from " + beginMark + " to " + endMark}
	}
	skipped := strings.Count(input[:strings.Index(input, body)], "\n")
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	if isHereDocument(lines) {
		lines = lines[1 : len(lines)-1]
		skipped++
	}
	if err := checkMarks(lines, skipped); err != nil {
		return nil, err
	}
	return &parser{lines: lines[1 : len(lines)-1], first: skipped + 1}, nil
}

func isHereDocument(lines []string) bool {
	if len(lines) < 4 || strings.TrimSpace(lines[len(lines)-1]) != "EOF" {
		return false
	}
	switch strings.TrimSpace(lines[0]) {
	case "<<EOF", "<<'EOF'", `<<"EOF"`:
		return true
	}
	return false
}

func checkMarks(lines []string, skipped int) error {
	first, last := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[len(lines)-1])
	switch {
	case first != beginMark && strings.HasPrefix(first, beginMark):
		return &ParseError{Line: skipped + 1, Text: "there is no line break after " + beginMark + ", the patch stands on one line",
			Hint: "send real line breaks, not \\n or `n"}
	case first != beginMark:
		return &ParseError{Line: skipped + 1, Text: "it does not begin with " + beginMark, Hint: "make that the first line"}
	case last != endMark:
		return &ParseError{Line: skipped + len(lines), Text: "it does not end with " + endMark, Hint: "make that the last line, and see that the patch is not cut off"}
	}
	return nil
}

func (p *parser) fail(text, hint string) error {
	return &ParseError{Line: p.first + p.at + 1, Text: text, Hint: hint}
}

// peek gives the next line, trimmed; "" at the end.
func (p *parser) peek() string {
	if p.at == len(p.lines) {
		return ""
	}
	return strings.TrimSpace(p.lines[p.at])
}

func (p *parser) op() (Op, error) {
	op := Op{Line: p.first + p.at + 1}
	head := p.peek()
	for _, form := range []struct {
		mark string
		kind Kind
		rest func(*Op) error
	}{
		{addMark, Add, p.content},
		{updateMark, Update, p.hunks},
		{deleteMark, Delete, func(*Op) error { return nil }},
	} {
		path, found := strings.CutPrefix(head, form.mark)
		if !found {
			continue
		}
		if op.Path = strings.TrimSpace(path); op.Path == "" {
			return op, p.fail("the name of the file is missing", "write it after "+form.mark)
		}
		op.Kind = form.kind
		p.at++
		return op, form.rest(&op)
	}
	return op, p.failHead(head)
}

func (p *parser) failHead(head string) error {
	switch {
	case head == "":
		return p.fail("an empty line stands where a file operation should", "leave out empty lines between the files")
	case strings.HasPrefix(head, moveMark):
		return p.fail("a move stands alone", "write it right below an "+updateMark+" line, with at least one hunk")
	case strings.HasPrefix(head, endMark), strings.HasPrefix(head, beginMark):
		return p.fail("the patch begins or ends a second time", "put all files into one patch")
	}
	return p.fail("this is no file operation", "a section begins with "+addMark+", "+updateMark+" or "+deleteMark+
		", and each line of an added file with +")
}

// content reads the lines of an added file.
func (p *parser) content(op *Op) error {
	var b strings.Builder
	for p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], "+") {
		b.WriteString(p.lines[p.at][1:] + "\n")
		p.at++
	}
	op.Content = b.String()
	return nil
}
