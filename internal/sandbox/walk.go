package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// step is one name on the way to a file.
type step struct {
	path string // in a folder without links: what a rename would name
	link bool
}

// maxLinks is where the kernel gives up as well.
const maxLinks = 40

// walk goes along path as the kernel does and gives every name on the way,
// that of the file included, and the path without links. Whoever can replace
// one of them can make path lead elsewhere.
func walk(path string) (steps []step, real string, err error) {
	rest := names(path)
	at, links := "/", 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		if err != nil {
			return nil, "", err
		}
		if info.Mode()&os.ModeSymlink == 0 {
			steps = append(steps, step{path: next})
			at = next
			continue
		}
		if links++; links > maxLinks {
			return nil, "", &os.PathError{Op: "follow", Path: path, Err: unix.ELOOP}
		}
		target, err := os.Readlink(next)
		if err != nil {
			return nil, "", err
		}
		steps = append(steps, step{path: next, link: true})
		if filepath.IsAbs(target) {
			at = "/"
		}
		rest = append(names(target), rest...)
	}
	return steps, at, nil
}

func names(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// writable reports whether names in a folder can be changed with our rights.
// A sticky folder counts, since some of its names are ours.
func writable(dir string) bool {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK, unix.AT_EACCESS) == nil
}
