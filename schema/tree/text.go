package tree

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Append adds the compact JSON text of n to dst.
func Append(dst []byte, n *Node) []byte {
	if n.text != "" {
		return append(dst, n.text...)
	}
	switch n.kind {
	case Object:
		dst = append(dst, '{')
		for i := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, n.kids[i].Key), ':')
			dst = Append(dst, n.kids[i].Value)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		for i := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(dst, n.kids[i].Value)
		}
		return append(dst, ']')
	}
	return dst
}

// Encode gives the compact JSON text of n.
func Encode(n *Node) json.RawMessage { return Append(make([]byte, 0, n.Size()), n) }

// String is the compact JSON text.
func (n *Node) String() string {
	if n == nil {
		return ""
	}
	return string(Append(nil, n))
}

// Size is the length of the compact text in bytes.
func (n *Node) Size() int {
	switch {
	case n == nil:
		return 0
	case n.text != "":
		return len(n.text)
	}
	size := 2 + max(0, len(n.kids)-1)
	for i := range n.kids {
		if n.kind == Object {
			size += len(n.kids[i].Key) + 3
		}
		size += n.kids[i].Value.Size()
	}
	return size
}

// appendQuoted writes s as a JSON string. Bytes that are no UTF-8 become the
// replacement character.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		dst = append(append(dst, s[from:i]...), escape(c)...)
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

func escape(c byte) string {
	const hex = "0123456789abcdef"
	switch {
	case c == '"' || c == '\\':
		return `\` + string(rune(c))
	case c == '\n':
		return `\n`
	case c == '\t':
		return `\t`
	case c >= utf8.RuneSelf:
		return "\uFFFD"
	}
	return `\u00` + string(hex[c>>4]) + string(hex[c&15])
}

// unquote reads the JSON text of a string that was parsed before.
func unquote(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	var s string
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return text[1 : len(text)-1] // cannot be: the parser checked it
	}
	return s
}
