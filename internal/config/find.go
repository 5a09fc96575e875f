package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Found says how the config file was found.
type Found string

// The ways, in the order in which they are tried.
const (
	FoundNamed     Found = "named"     // by --config
	FoundEnv       Found = "env"       // by $TOOLREST_CONFIG
	FoundWorkspace Found = "workspace" // ./toolrest.json5
	FoundHome      Found = "home"      // in the state folder
	FoundNone      Found = "none"      // there is none; the defaults count
)

// source is a config file that was read.
type source struct {
	path  string // absolute
	found Found
	text  []byte
}

// loader holds what stays the same while a config and the one below it load.
type loader struct {
	opts Options
}

// find reads the file that counts, or gives nil where there is none.
func (l *loader) find() (*source, error) {
	if l.opts.Path != "" {
		return l.named(l.opts.Path, "--config", FoundNamed)
	}
	if path := l.opts.Getenv(EnvConfig); path != "" {
		return l.named(path, "$"+EnvConfig, FoundEnv)
	}
	here := filepath.Join(l.opts.Dir, FileName)
	if _, err := os.Lstat(here); errors.Is(err, fs.ErrNotExist) || sameFolder(l.opts.Dir, l.opts.State) {
		return l.own()
	}
	return read(here, FoundWorkspace)
}

// named reads a file that must be there.
func (l *loader) named(path, by string, found Found) (*source, error) {
	abs, err := l.opts.absolute(path, l.opts.Dir)
	if err != nil {
		return nil, &Error{File: path, Text: err.Error(), Hint: "it was named by " + by}
	}
	src, err := read(abs, found)
	if e := (*Error)(nil); errors.As(err, &e) && e.Hint == "" {
		e.Hint = "it was named by " + by
	}
	return src, err
}

// own reads the file in the state folder, if there is one. The folder must be
// the user's alone, or else anybody could have written the file.
func (l *loader) own() (*source, error) {
	if l.opts.State == "" {
		return nil, nil
	}
	path := filepath.Join(l.opts.State, FileName)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err := checkFolder(l.opts.State); err != nil {
		return nil, err
	}
	return read(path, FoundHome)
}

func read(path string, found Found) (*source, error) {
	text, err := readRegular(path, maxConfigSize)
	if err != nil {
		return nil, err
	}
	return &source{path: path, found: found, text: text}, nil
}

func sameFolder(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
