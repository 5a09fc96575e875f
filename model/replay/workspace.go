package replay

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Limits of a workspace that comes with a recording.
const (
	maxWorkspace      = 16 << 20 // bytes
	maxWorkspaceFiles = 1000
)

// CopyWorkspace copies the folder that the recording needs into dir, which
// must exist and be empty, and reports whether there was one to copy. It
// follows no symbolic link out of the recording's folder, and refuses what is
// neither a file nor a folder.
func (r *Recording) CopyWorkspace(dir string) (bool, error) {
	if r.header.Workspace == "" {
		return false, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, fmt.Errorf("copy the workspace of %s: %w", r.file, err)
	}
	if len(entries) > 0 {
		return false, fmt.Errorf("copy the workspace of %s: %s is not empty", r.file, dir)
	}
	if err := r.copyInto(dir); err != nil {
		return false, fmt.Errorf("copy the workspace of %s: %w", r.file, err)
	}
	return true, nil
}

func (r *Recording) copyInto(dir string) error {
	beside, err := os.OpenRoot(filepath.Dir(r.file))
	if err != nil {
		return err
	}
	defer beside.Close()
	from, err := beside.OpenRoot(r.header.Workspace)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer to.Close()
	c := copying{from: from, to: to, bytes: maxWorkspace, files: maxWorkspaceFiles}
	return fs.WalkDir(from.FS(), ".", c.entry)
}

// copying counts down what may still be copied.
type copying struct {
	from, to *os.Root
	bytes    int64
	files    int
}

func (c *copying) entry(path string, d fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case path == ".":
		return nil
	case d.IsDir():
		return c.to.Mkdir(path, 0o755)
	case !d.Type().IsRegular():
		return fmt.Errorf("%s is neither a file nor a folder", path)
	}
	if c.files--; c.files < 0 {
		return fmt.Errorf("more than %d files", maxWorkspaceFiles)
	}
	return c.file(path)
}

func (c *copying) file(path string) error {
	in, err := c.from.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.to.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	n, err := io.Copy(out, io.LimitReader(in, c.bytes+1))
	if c.bytes -= n; c.bytes < 0 {
		return fmt.Errorf("more than %d MiB", maxWorkspace>>20)
	}
	if err != nil {
		return err
	}
	return out.Close()
}
