package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// File is a regular file as it was when it was read.
type File struct {
	// Path is where it lies below the workspace, without links.
	Path string
	Data []byte
	Info fs.FileInfo
}

// ReadFile reads a whole file. A symbolic link is followed as long as it stays
// inside the workspace. Refused are folders, whatever is not a regular file,
// files with more than one hard link, hidden ones, and those above the
// workspace's size limit; the error is an [*Error].
func (w *Workspace) ReadFile(ctx context.Context, path string) (*File, error) {
	p, err := w.locate(path, true)
	if err != nil {
		return nil, err
	}
	defer p.close()
	return w.read(ctx, p)
}

// Stat describes what has the name, without looking at a final link's target.
// It refuses what ReadFile refuses to reach.
func (w *Workspace) Stat(path string) (fs.FileInfo, error) {
	p, err := w.locate(path, false)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if p.info == nil {
		return nil, notFound(path)
	}
	return p.info, nil
}

// Resolve gives the path below the workspace, without links, that path means.
// Nothing needs to be there yet. What it answers can be compared and shown; to
// act on the file, use the path that was given, because names change.
func (w *Workspace) Resolve(path string) (string, error) {
	p, err := w.locate(path, true)
	if err != nil {
		return "", err
	}
	defer p.close()
	return p.rel, nil
}

func (w *Workspace) read(ctx context.Context, p *place) (*File, error) {
	f, info, err := w.openFile(p, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readAll(ctx, f, p.path, info.Size(), w.opts.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	return &File{Path: p.rel, Data: data, Info: info}, nil
}

// openFile opens the regular file at p and makes sure that it is the one that
// the walk looked at. It never waits: not for the other end of a pipe, and not
// for a device.
func (w *Workspace) openFile(p *place, flag int) (*os.File, fs.FileInfo, error) {
	if err := checkRegular(p); err != nil {
		return nil, nil, err
	}
	if err := w.checkFileSystem(p.dir, p.path); err != nil {
		return nil, nil, err
	}
	f, err := p.dir.OpenFile(p.name, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, systemError("open the file", p.path, err)
	}
	info, err := f.Stat()
	if err != nil || !sameThing(info, p.info) || links(info) > 1 {
		f.Close()
		return nil, nil, changedError(p.path)
	}
	return f, info, nil
}

// checkRegular refuses everything but a regular file with one name.
func checkRegular(p *place) error {
	switch {
	case p.info == nil:
		return notFound(p.path)
	case p.info.IsDir():
		return refuse(KindFolder, p.path, "this is a folder, not a file", "list it with exec: ls -la")
	case p.info.Mode()&fs.ModeSymlink != 0:
		return refuse(KindLink, p.path, "this is a symbolic link", "use the path of the file that it leads to")
	case !p.info.Mode().IsRegular():
		return refuse(KindSpecial, p.path, "this is a device, pipe or socket, not a file", "only regular files can be used")
	case links(p.info) > 1:
		return refuse(KindHardLink, p.path, "this file has further names (hard links), which may lie outside the workspace",
			"make a copy of it with exec: cp")
	}
	return nil
}

func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

func notFound(path string) error {
	return &Error{Kind: KindNotFound, Path: path, Reason: "no such file", Hint: "check the path; exec can list the folder",
		Err: fs.ErrNotExist}
}

const readChunk = 1 << 20

// readAll reads to the end or to the limit, whatever size the file claimed.
func readAll(ctx context.Context, r io.Reader, path string, size, limit int64) ([]byte, error) {
	data := make([]byte, 0, min(max(size, 0), limit)+1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if int64(len(data)) > limit {
			return nil, refuse(KindTooLarge, path, fmt.Sprintf("the file is larger than the limit of %d bytes", limit),
				"look at parts of it with exec: head, tail, sed -n, grep")
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):min(cap(data), len(data)+readChunk)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, systemError("read the file", path, err)
		}
	}
}
