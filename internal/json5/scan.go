package json5

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// place is a position in the source.
type place struct {
	offset, line, col int
}

const end = rune(-1)

// scanner reads characters and knows where it is. A line ends with LF, CR or
// CR LF, as editors count; U+2028 and U+2029 end a line comment, but start no
// new line.
type scanner struct {
	file string
	doc  *document
	at   place // of the next character
	path []Step
}

// peek gives the next character, or end.
func (s *scanner) peek() rune {
	r, _ := decode(s.doc.src, s.at.offset)
	return r
}

func decode(src []byte, offset int) (rune, int) {
	if offset >= len(src) {
		return end, 0
	}
	if c := src[offset]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRune(src[offset:])
}

// next takes one character.
func (s *scanner) next() rune {
	r, size := decode(s.doc.src, s.at.offset)
	s.at.offset += size
	switch {
	case r == '\n', r == '\r' && s.peek() != '\n':
		s.at.line++
		s.at.col = 1
	case size > 0 && r != '\r':
		s.at.col++
	}
	return r
}

// accept takes the next character if it is r.
func (s *scanner) accept(r rune) bool {
	if s.peek() != r {
		return false
	}
	s.next()
	return true
}

func (s *scanner) errorAt(at place, text, hint string) *Error {
	return &Error{
		File: s.file, Line: at.line, Col: at.col, Offset: at.offset,
		Path: FormatPath(s.path), Text: text, Hint: hint,
	}
}

// expected says what the grammar wants here and what stands here instead.
func (s *scanner) expected(what, hint string) *Error {
	return s.errorAt(s.at, "expected "+what+", found "+found(s.peek()), hint)
}

func found(r rune) string {
	switch {
	case r == end:
		return "the end of the file"
	case isLineEnd(r):
		return "the end of the line"
	case r == '\'' || r == '"':
		return "a quote"
	case unicode.IsPrint(r):
		return "'" + string(r) + "'"
	}
	return fmt.Sprintf("the character U+%04X", r)
}

// skip passes white space and comments, and notes the comments.
func (s *scanner) skip() error {
	for {
		switch r := s.peek(); {
		case isSpace(r):
			s.next()
		case r == '/':
			if err := s.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (s *scanner) comment() error {
	start := s.at
	s.next()
	var err error
	switch s.peek() {
	case '/':
		for r := s.peek(); r != end && !isLineEnd(r); r = s.peek() {
			s.next()
		}
	case '*':
		s.next()
		err = s.blockComment(start)
	default:
		err = s.errorAt(start, "expected a comment after '/', found "+found(s.peek()), "comments are // to the end of the line, or /* … */")
	}
	if err != nil {
		return err
	}
	s.doc.comments = append(s.doc.comments, Comment{
		Line: start.line, Col: start.col, Offset: start.offset, End: s.at.offset,
		Text: string(s.doc.src[start.offset:s.at.offset]),
	})
	return nil
}

func (s *scanner) blockComment(start place) error {
	for {
		switch s.next() {
		case end:
			return s.errorAt(start, "this comment is not closed", "end it with */")
		case '*':
			if s.accept('/') {
				return nil
			}
		}
	}
}

func isLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029'
}

func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\v', '\f', '\u00a0', '\ufeff':
		return true
	}
	return isLineEnd(r) || r > 0x7f && unicode.Is(unicode.Zs, r)
}
