package config

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
)

// Error is one thing that is wrong with a config or with a file of the state
// folder.
type Error struct {
	File      string
	Line, Col int    // 1-based; 0 where the file as a whole is meant
	Path      string // the key: "agents.list[0].tools.deny"
	Text      string
	// Hint says what to do about it.
	Hint string

	cause error // what the system said, or nil
}

// Error gives file:line:col: path: text, and the hint in a line of its own.
func (e *Error) Error() string {
	var parts []string
	for _, part := range []string{e.pos().String(), e.Path, e.Text} {
		if part != "" {
			parts = append(parts, harmless(part))
		}
	}
	text := strings.Join(parts, ": ")
	if e.Hint != "" {
		text += "\n  " + harmless(e.Hint)
	}
	return text
}

// harmless takes out what a terminal would obey: names of files and folders
// can hold anything.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Unwrap gives the system's error where there was one.
func (e *Error) Unwrap() error { return e.cause }

func (e *Error) pos() toolrest.Pos { return toolrest.Pos{File: e.File, Line: e.Line, Col: e.Col} }

// Errors is all that is wrong, file by file, in the order of the lines.
type Errors []*Error

// Error joins the lines of all errors.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single errors.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// maxErrors bounds what is said about one file.
const maxErrors = 100

// findings collects the errors of one config.
type findings struct {
	file string // its own file
	list Errors
}

func (f *findings) add(n *json5.Node, path, text, hint string) {
	f.addAt(f.pos(n), path, text, hint)
}

// addKey notes an error at a key.
func (f *findings) addKey(m json5.Member, path, text, hint string) {
	f.addAt(toolrest.Pos{File: m.File(), Line: m.Line, Col: m.Col}, path, text, hint)
}

// full reports whether what is found from now on is not listed.
func (f *findings) full() bool { return len(f.list) > maxErrors }

func (f *findings) pos(n *json5.Node) toolrest.Pos {
	return toolrest.Pos{File: n.File(), Line: n.Line, Col: n.Col}
}

func (f *findings) addAt(pos toolrest.Pos, path, text, hint string) {
	switch {
	case f.full():
		return
	case len(f.list) == maxErrors:
		text, hint = "too many errors; the rest is not listed", ""
	}
	f.list = append(f.list, &Error{File: pos.File, Line: pos.Line, Col: pos.Col, Path: path, Text: text, Hint: hint})
}

// addSyntax takes over what the parser said.
func (f *findings) addSyntax(err error) {
	var all json5.Errors
	if !errors.As(err, &all) {
		return
	}
	for _, e := range all {
		f.addAt(toolrest.Pos{File: e.File, Line: e.Line, Col: e.Col}, e.Path, e.Text, e.Hint)
	}
}

// sorted gives the errors of the config's own file, then those of the files
// that it includes.
func (f *findings) sorted() Errors {
	slices.SortStableFunc(f.list, func(a, b *Error) int { return f.compare(a.pos(), b.pos()) })
	return f.list
}

func (f *findings) compare(a, b toolrest.Pos) int {
	own := func(p toolrest.Pos) int {
		if p.File == f.file {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// reason gives what the system said, or an error of ours, without the path that
// the error around it names already.
func reason(err error) string {
	var own *Error
	if errors.As(err, &own) {
		return own.Text
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}
