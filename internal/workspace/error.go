package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind classes what this package refuses. The values are stable.
type Kind string

// The classes of refusals.
const (
	KindInvalid     Kind = "invalid-path"    // not a path at all
	KindOutside     Kind = "outside"         // the path leaves the workspace
	KindLinkOutside Kind = "symlink-outside" // a symbolic link leaves the workspace
	KindLink        Kind = "symlink"         // a symbolic link where none is followed
	KindHardLink    Kind = "hard-link"       // the file has further names
	KindSpecial     Kind = "special-file"    // a device, pipe, socket, or a file of the kernel
	KindFolder      Kind = "folder"          // a folder where a file is wanted
	KindNotFolder   Kind = "not-a-folder"    // a file where a folder is wanted
	KindNotFound    Kind = "not-found"       // nothing has this name
	KindExists      Kind = "exists"          // something has this name already
	KindNotEmpty    Kind = "not-empty"       // a folder that is not empty
	KindHidden      Kind = "hidden"          // the owner hid it from tools
	KindReadOnly    Kind = "read-only"       // the owner lets tools only read it
	KindTooLarge    Kind = "too-large"       // more bytes than the limit
	KindChanged     Kind = "changed"         // somebody changed it meanwhile
	KindSystem      Kind = "system"          // the operating system refused
)

// Error says which path was refused, why, and what to do about it. The model
// reads it, so it names nothing that the model did not name, apart from the
// workspace itself.
type Error struct {
	Kind Kind
	// Path is the path as the caller gave it.
	Path string
	// Reason is a lower-case phrase: "path leaves the workspace /srv/ws".
	Reason string
	// Hint is what to do instead. It may be empty.
	Hint string
	// Err is the cause, where there is one.
	Err error
}

// Error gives reason, path and hint in one line.
func (e *Error) Error() string {
	text := e.Reason + ": " + Show(e.Path)
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf gives the kind of the first [*Error] in err, or "" without one.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

func refuse(kind Kind, path, reason, hint string) error {
	return &Error{Kind: kind, Path: path, Reason: reason, Hint: hint}
}

// systemError words what the operating system said. The names that the call
// used are dropped: they may be those of temporary files.
func systemError(op, path string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	} else if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	kind := KindSystem
	if errors.Is(err, fs.ErrNotExist) {
		kind = KindNotFound
	}
	return &Error{Kind: kind, Path: path, Reason: op + ": " + err.Error(), Err: err}
}

const maxShown = 200

// Show gives a path as it may stand in a message: cut when it is very long,
// quoted when it holds anything that does not print.
func Show(path string) string {
	if len(path) > maxShown {
		cut := maxShown
		for cut > 0 && !utf8.RuneStart(path[cut]) {
			cut--
		}
		path = path[:cut] + "…"
	}
	if !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}
