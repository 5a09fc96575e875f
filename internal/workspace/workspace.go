package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Options say what tools must not touch and how much they may read at once.
type Options struct {
	// Hidden are absolute paths of files and folders that no tool may read or
	// write. ReadOnly are those that tools may only read. Both hold wherever
	// the paths lie, together with all that is below them, and whether or not
	// they exist yet.
	Hidden   []string
	ReadOnly []string
	// MaxFileBytes is the size up to which a file is read. 0 is 64 MiB.
	MaxFileBytes int64
	// Home is what ~/ stands for. Empty is the home folder of the user.
	Home string
}

const defaultMaxFileBytes = 64 << 20

// Workspace is an open folder. Its methods may be used by several goroutines
// at once; writers of one file take turns, also across workspaces of this
// process.
type Workspace struct {
	root  *os.Root
	real  string // absolute, without links
	given string // absolute, as it was named
	opts  Options
	// readOnly is set when the whole folder lies in something read-only.
	readOnly bool
	// rename is how names are changed; tests replace it.
	rename renamer
	// fault lets tests fail the steps of a commit. It is nil otherwise.
	fault func(step string) error
}

// Open opens the folder dir. It refuses one that does not exist or is no
// folder, one that lies in a hidden folder, and relative paths in Hidden and
// ReadOnly. Close the workspace when it is no longer used.
func Open(dir string, opts *Options) (*Workspace, error) {
	w := &Workspace{rename: linuxRename{}}
	if opts != nil {
		w.opts = *opts
		w.opts.Hidden = cleaned(opts.Hidden)
		w.opts.ReadOnly = cleaned(opts.ReadOnly)
	}
	if w.opts.MaxFileBytes <= 0 {
		w.opts.MaxFileBytes = defaultMaxFileBytes
	}
	if w.opts.Home == "" {
		w.opts.Home, _ = os.UserHomeDir() // without one, ~/ is refused
	}
	if err := w.open(dir); err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	if err := w.checkReins(); err != nil {
		w.root.Close()
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return w, nil
}

func cleaned(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = filepath.Clean(p)
	}
	return out
}

func (w *Workspace) open(dir string) error {
	var err error
	if w.given, err = filepath.Abs(dir); err != nil {
		return err
	}
	info, err := os.Stat(w.given)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Kind: KindNotFound, Path: w.given, Reason: "the folder does not exist",
			Hint: "create it, or name another one", Err: fs.ErrNotExist}
	case err != nil:
		return systemError("look at the folder", w.given, err)
	case !info.IsDir():
		return refuse(KindNotFolder, w.given, "this is not a folder", "name a folder")
	}
	if w.real, err = filepath.EvalSymlinks(w.given); err != nil {
		return systemError("resolve the folder", w.given, err)
	}
	if w.root, err = os.OpenRoot(w.real); err != nil {
		return systemError("open the folder", w.given, err)
	}
	return nil
}

// Close lets go of the folder. Calls that run meanwhile end in errors.
func (w *Workspace) Close() error { return w.root.Close() }

// Dir is the absolute path of the workspace, without links.
func (w *Workspace) Dir() string { return w.real }
