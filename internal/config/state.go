package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// State is the user's state folder. Its methods may be called by several
// goroutines and by several processes at once.
type State struct {
	dir string
}

// StateDir says where the state folder is, without looking at the disk. It is
// an error when neither $TOOLREST_STATE nor a home folder says so.
func StateDir(opts *Options) (string, error) {
	o, err := opts.filled()
	if err != nil {
		return "", err
	}
	if o.State == "" {
		return "", &Error{Text: "no place for the state folder: no home folder is known", Hint: "set $" + EnvState + " to an absolute path"}
	}
	return o.State, nil
}

// OpenState opens the state folder, and makes it on first need with mode 0700.
// It refuses a folder that belongs to another user or that others have any
// right to.
func OpenState(opts *Options) (*State, error) {
	dir, err := StateDir(opts)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, &Error{File: dir, Text: "make the state folder: " + reason(err), cause: err}
	}
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	return &State{dir: dir}, nil
}

// Dir is the folder. All of it is to be hidden from tools.
func (s *State) Dir() string { return s.dir }

// Path is the place of a file or folder in it.
func (s *State) Path(name string) string { return filepath.Join(s.dir, name) }

// checkFolder wants a folder that is this user's alone. A link to one is fine
// when it is the user's too.
func checkFolder(dir string) error {
	link, err := os.Lstat(dir)
	if err != nil {
		return &Error{File: dir, Text: "look at the state folder: " + reason(err), cause: err}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return &Error{File: dir, Text: "look at the state folder: " + reason(err), cause: err}
	}
	if !info.IsDir() {
		return &Error{File: dir, Text: "the state folder is no folder", Hint: "move it away, or set $" + EnvState}
	}
	for _, i := range []fs.FileInfo{link, info} {
		if !isOurs(i) {
			return foreign(dir, "the state folder", i)
		}
	}
	return checkMode(dir, "the state folder", info, "700")
}

func isOurs(info fs.FileInfo) bool { return ownerOf(info) == os.Geteuid() }

func ownerOf(info fs.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1
	}
	return int(stat.Uid)
}

func foreign(path, what string, info fs.FileInfo) error {
	return &Error{
		File: path, Text: fmt.Sprintf("%s belongs to user %d, not to you (%d)", what, ownerOf(info), os.Geteuid()),
		Hint: "run as that user, or set $" + EnvState + " to a folder of your own",
	}
}

func checkMode(path, what string, info fs.FileInfo, want string) error {
	mode := info.Mode().Perm()
	if mode&0o077 == 0 {
		return nil
	}
	return &Error{
		File: path, Text: fmt.Sprintf("others may use %s (mode %04o)", what, mode),
		Hint: "run chmod " + want + " " + shellWord(path),
	}
}

// readPrivate reads a file that must be the user's alone, and no link.
func readPrivate(path, what string, most int64) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &Error{File: path, Text: what + " is not a regular file", Hint: "remove it"}
	}
	text, info, err := readOpened(path, unix.O_NOFOLLOW, most)
	if err != nil {
		return nil, err
	}
	if !isOurs(info) {
		return nil, foreign(path, what, info)
	}
	if err := checkMode(path, what, info, "600"); err != nil {
		return nil, err
	}
	return text, nil
}

// stage writes a new file of mode 0600 beside its future place, and gives its
// name. The caller moves or removes it.
func (s *State) stage(name string, content []byte) (path string, err error) {
	return stageBeside(s.Path(name), content, nil)
}

// sync makes a change of names last.
func (s *State) sync() error { return syncFolder(s.dir) }

// locked runs change while no other process changes the folder's files by
// this same method.
func (s *State) locked(change func() error) error {
	d, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	defer d.Close() // lets go of the lock
	for {
		err = unix.Flock(int(d.Fd()), unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("lock the state folder: %w", err)
	}
	return change()
}

// shellWord writes a path so that a shell takes it as one word.
func shellWord(path string) string {
	safe := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !safe(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
