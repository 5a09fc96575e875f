package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxConfigSize is far above any config that a person writes, in bytes.
const maxConfigSize = 4 << 20

// ReadText reads a file that lies beside a config, of the size that a config
// may have. It refuses what is no regular file, and does not wait for it; a file
// that is not there is [fs.ErrNotExist].
func ReadText(path string) ([]byte, error) { return readRegular(path, maxConfigSize) }

// readRegular reads a regular file of at most so many bytes. Anything else is
// refused before it is opened, because opening a device has effects and
// opening a pipe can wait for ever.
func readRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, readError(path, err)
	}
	if err := mustBeRegular(path, info); err != nil {
		return nil, err
	}
	text, _, err := readOpened(path, 0, most)
	return text, err
}

// readOpened opens and reads; what it opened must be a regular file, also when
// the path was changed meanwhile.
func readOpened(path string, flags int, most int64) ([]byte, fs.FileInfo, error) {
	f, err := os.OpenFile(path, readFlags|flags, 0)
	if err != nil {
		return nil, nil, readError(path, err)
	}
	return readClosing(f, path, most)
}

const readFlags = os.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY

// readBelow reads a file of a config below a folder, without following a link.
// A file with a second name is refused: that one may lie anywhere.
func readBelow(dir, path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, readError(path, err)
	}
	if err := mustBeRegular(path, info); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, readError(dir, err)
	}
	defer root.Close()
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(rel, readFlags|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, readError(path, err)
	}
	text, info, err := readClosing(f, path, maxConfigSize)
	if err != nil {
		return nil, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Nlink > 1 {
		return nil, &Error{File: path, Text: "the file has a second name (a hard link)"}
	}
	return text, nil
}

func readClosing(f *os.File, path string, most int64) ([]byte, fs.FileInfo, error) {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, readError(path, err)
	}
	if err := mustBeRegular(path, info); err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, nil, readError(path, err)
	}
	if int64(len(text)) > most {
		return nil, nil, &Error{File: path, Text: fmt.Sprintf("the file is larger than %d KiB", most>>10)}
	}
	return text, info, nil
}

func mustBeRegular(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &Error{File: path, Text: "this is a folder, not a file"}
	case !info.Mode().IsRegular():
		return &Error{File: path, Text: "this is not a regular file"}
	}
	return nil
}

func readError(path string, err error) error {
	text := "read it: " + reason(err)
	if errors.Is(err, fs.ErrNotExist) {
		text = "there is no such file"
	}
	return &Error{File: path, Text: text, cause: err}
}
