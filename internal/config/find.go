package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
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

// source is a config that was read: a file with those that it includes.
type source struct {
	path  string // absolute
	found Found
	text  []byte
	// parts are the files, each once: this one, then those that it includes in
	// the order in which they were met.
	parts []part
	// tree is the content of all, put together; nil where the first file is no
	// JSON5. wrong is what is wrong with the texts and the includes.
	tree  *json5.Node
	wrong Errors
	// looked are the paths at which included files were looked for.
	looked []string
}

// part is one file of a config.
type part struct {
	path string
	text []byte
}

func (p part) equal(other part) bool { return p.path == other.path && bytes.Equal(p.text, other.text) }

// digest stands for the content of all files. That of a single file is the
// hash of its text.
func (src *source) digest() string {
	if len(src.parts) == 1 {
		return hashOf(src.text)
	}
	var all strings.Builder
	for _, p := range src.parts {
		name, err := filepath.Rel(filepath.Dir(src.path), p.path)
		if err != nil {
			name = p.path
		}
		fmt.Fprintf(&all, "%s %q\n", hashOf(p.text), name)
	}
	return hashOf([]byte(all.String()))
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
	return l.read(here, FoundWorkspace)
}

// named reads a file that must be there.
func (l *loader) named(path, by string, found Found) (*source, error) {
	abs, err := l.opts.absolute(path, l.opts.Dir)
	if err != nil {
		return nil, &Error{File: path, Text: err.Error(), Hint: "it was named by " + by}
	}
	src, err := l.read(abs, found)
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
	return l.read(path, FoundHome)
}

func (l *loader) read(path string, found Found) (*source, error) {
	var roots []string
	if filepath.Base(path) == OpenClawFileName && found != FoundWorkspace {
		roots = l.includeRoots()
	}
	return readSource(path, found, roots...)
}

// readSource reads a file and what it includes from its own folder, or from
// the given ones. Only a file that cannot be read is an error; what is wrong
// with its content is noted in the source.
func readSource(path string, found Found, roots ...string) (*source, error) {
	text, err := readRegular(path, maxConfigSize)
	if err != nil {
		return nil, err
	}
	src := &source{path: path, found: found, text: text}
	src.assemble(roots...)
	return src, nil
}

// includeRoots gives the folders that OpenClaw lets its config include files
// from. What is no absolute path is dropped, as there.
func (l *loader) includeRoots() []string {
	var roots []string
	for _, entry := range filepath.SplitList(l.opts.Getenv(envIncludeRoots)) {
		if root, err := l.opts.expandHome(strings.TrimSpace(entry)); err == nil && filepath.IsAbs(root) {
			roots = append(roots, filepath.Clean(root))
		}
	}
	return roots
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
