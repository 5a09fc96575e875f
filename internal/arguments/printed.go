package arguments

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/schema"
)

// marks are the quotation marks of print.
const marks = "“”„‟"

// expected says which names of members may come next: a text between marks of
// print ends where one of them follows, and nowhere else, because it may hold
// such marks itself.
type expected struct {
	next func(current, name string) bool
	// lists are the members whose lists hold objects with such marks; nil is
	// all.
	lists []string
	// sure refuses texts that look as if more than one of them had been read
	// as one.
	sure bool
}

// common are the names of members that tools have in common.
var common = strings.Fields(`path file_path filePath filepath file paths content oldText newText old_string new_string
	old_str new_str edits replacement command cmd args workdir cwd text query url urls message to from pattern lines title`)

// prose members hold texts in which anything may stand: only their other half
// ends them.
var proseMembers = map[string]string{
	"content": "", "text": "", "message": "", "newText": "", "new_string": "",
	"oldText": "newText", "old_string": "new_string", "old_str": "new_str", "new_str": "old_str",
}

// followers gives what to expect of a tool. By default its schema says what
// members there are.
func followers(tool string, s *schema.Schema, dialect policy.Dialect) expected {
	if dialect != policy.OpenClaw {
		var known []string
		if s != nil {
			known = s.Members()
		}
		return expected{next: func(_, name string) bool { return slices.Contains(known, name) }, sure: true}
	}
	return expected{lists: []string{"edits"}, next: func(current, name string) bool {
		if other, ok := proseMembers[current]; ok {
			return name == other && name != ""
		}
		reads := tool == "read" && current == "path" && (name == "offset" || name == "limit")
		return reads || slices.Contains(common, name)
	}}
}

// printed reads an object whose quotation marks are those of print.
func printed(body string, want expected) (Mended, bool) {
	if !strings.ContainsAny(body, marks) {
		return Mended{}, false
	}
	p := printReader{text: body, want: want}
	if !p.object() {
		return Mended{}, false
	}
	object := []byte(p.out.String())
	if !json.Valid(object) {
		return Mended{}, false
	}
	return after(object, body[p.at:])
}

// printReader reads an object and writes it as JSON.
type printReader struct {
	text string
	at   int
	out  strings.Builder
	want expected
}

func (p *printReader) space() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.text[p.at:], func(r rune) bool { return names.Trim(string(r)) == "" }))
}

// take moves past c, white space before it, and writes it.
func (p *printReader) take(c byte) bool {
	p.space()
	if p.at >= len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	p.out.WriteByte(c)
	return true
}

func (p *printReader) object() bool {
	if !p.take('{') {
		return false
	}
	if p.take('}') {
		return true
	}
	seen := map[string]bool{}
	for {
		p.space()
		name, end, ok := quotedName(p.text, p.at)
		if !ok || seen[name] {
			return false
		}
		seen[name] = true
		p.at = end
		p.writeText(name)
		if !p.take(':') || !p.value(name) {
			return false
		}
		if p.take('}') {
			return true
		}
		if !p.take(',') {
			return false
		}
	}
}

// quotedName reads the name of a member: between marks of print, or between
// two of JSON.
func quotedName(text string, at int) (name string, end int, ok bool) {
	r, size := utf8.DecodeRuneInString(text[at:])
	closing := marks
	if r == '"' {
		closing = `"`
	} else if !isMark(r) {
		return "", 0, false
	}
	start := at + size
	n := strings.IndexAny(text[start:], marks+`"`)
	if n < 0 {
		return "", 0, false
	}
	r, size = utf8.DecodeRuneInString(text[start+n:])
	return text[start : start+n], start + n + size, strings.ContainsRune(closing, r)
}

func isMark(r rune) bool { return r != utf8.RuneError && strings.ContainsRune(marks, r) }

func (p *printReader) value(name string) bool {
	p.space()
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	switch {
	case isMark(r):
		p.at += size
		return p.string(name)
	case r == '[' && (p.want.lists == nil || slices.Contains(p.want.lists, name)):
		return p.list()
	}
	return p.plain()
}

// list reads a list of objects; of a tool whose schema is known it may be one
// that is JSON already.
func (p *printReader) list() bool {
	at, written := p.at, p.out.Len()
	if p.objects() {
		return true
	}
	if p.want.lists != nil {
		return false
	}
	p.at = at
	text := p.out.String()[:written]
	p.out.Reset()
	p.out.WriteString(text)
	return p.plain()
}

func (p *printReader) objects() bool {
	if !p.take('[') {
		return false
	}
	if p.take(']') {
		return true
	}
	for {
		if !p.object() {
			return false
		}
		if p.take(']') {
			return true
		}
		if !p.take(',') {
			return false
		}
	}
}

// plain reads a value that is JSON already.
func (p *printReader) plain() bool {
	rest := p.text[p.at:]
	end := 0
	switch {
	case strings.HasPrefix(rest, "{"), strings.HasPrefix(rest, "["):
		end = objectEnd([]byte(rest))
	case strings.HasPrefix(rest, `"`):
		end = stringEnd(rest)
	default:
		end = strings.IndexAny(rest, ",}] \t\r\n")
	}
	if end <= 0 || !json.Valid([]byte(rest[:end])) {
		return false
	}
	p.out.WriteString(rest[:end])
	p.at += end
	return true
}

func stringEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// string reads a text up to the mark that surely ends it.
func (p *printReader) string(member string) bool {
	start := p.at
	for i, r := range p.text[start:] {
		if !isMark(r) {
			continue
		}
		end := start + i
		if !p.ends(end+utf8.RuneLen(r), member) {
			continue
		}
		body := p.text[start:end]
		p.at = end + utf8.RuneLen(r)
		p.writeText(body)
		return !p.want.sure || !doubtful(body)
	}
	return false
}

// ends reports whether what follows at a place can only follow a text: the end
// of its object, or another member that is expected.
func (p *printReader) ends(at int, member string) bool {
	rest := names.Trim(p.text[at:])
	if strings.HasPrefix(rest, "}") {
		return true
	}
	if !strings.HasPrefix(rest, ",") {
		return false
	}
	rest = names.Trim(rest[1:])
	name, end, ok := quotedName(rest, 0)
	return ok && strings.HasPrefix(names.Trim(rest[end:]), ":") && p.want.next(member, name)
}

// doubtful reports whether a text holds what may be the end of one and the
// beginning of another.
func doubtful(body string) bool {
	for i, r := range body {
		if isMark(r) {
			rest := names.Trim(body[i+utf8.RuneLen(r):])
			if strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, ":") {
				return true
			}
		}
	}
	return false
}

// writeText writes a text as JSON. Escapes keep their meaning; a backslash that
// begins none stands for itself.
func (p *printReader) writeText(body string) {
	p.out.WriteByte('"')
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '\\':
			if n := escapeLen(body[i:]); n > 0 {
				p.out.WriteString(body[i : i+n])
				i += n - 1
				continue
			}
			p.out.WriteString(`\\`)
		case c == '"':
			p.out.WriteString(`\"`)
		case c < ' ':
			p.out.WriteString(escaped(c))
		default:
			p.out.WriteByte(c)
		}
	}
	p.out.WriteByte('"')
}

func escaped(c byte) string {
	raw, err := json.Marshal(string(rune(c)))
	if err != nil {
		return ""
	}
	return string(raw[1 : len(raw)-1])
}
