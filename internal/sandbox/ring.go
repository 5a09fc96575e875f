package sandbox

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/toolrest/toolrest/internal/process"
	"golang.org/x/sys/unix"
)

// boxName is the name under which Init registers the ring.
const boxName = "ring"

// Ring is the least confinement of a command. It may be used by several
// goroutines at once.
type Ring struct {
	// Hide are the folders and files that do not exist for a command: it sees
	// an empty folder or file. Absolute, and they must exist, since what is
	// not there cannot be kept from being made.
	Hide []string
	// ReadOnly are the folders and files that a command may read and not
	// change, replace, rename or delete. Absolute and existing. The running
	// program itself always is one of them.
	ReadOnly []string
	// Keep are folders that a command may change and fill, and not rename or
	// replace. Absolute and existing.
	Keep []string
	// Brokers leaves the sockets in reach that start processes outside the
	// ring, such as Docker's. Whoever may use those can undo the ring.
	Brokers bool
}

// PathError says which path cannot be protected, and what to do about it.
type PathError struct {
	Path string
	Text string
	Hint string
	Err  error // may be nil
}

func (e *PathError) Error() string { return fmt.Sprintf("protect %s: %s (%s)", e.Path, e.Text, e.Hint) }

// Unwrap gives the cause.
func (e *PathError) Unwrap() error { return e.Err }

// Box prepares the ring for one command, on the machine that s describes. It
// looks at the file system each time, because a config file that was saved
// anew is another file. The error is a [*PathError] where a path cannot be
// protected. Box panics when s has no ring or a path is not absolute.
func (r Ring) Box(s Support) (*process.Box, error) {
	if !s.Ring {
		panic("sandbox: Box without support for the ring")
	}
	v, err := r.view(s)
	if err != nil {
		return nil, err
	}
	var config bytes.Buffer
	if err := gob.NewEncoder(&config).Encode(v); err != nil {
		return nil, fmt.Errorf("encode the ring: %w", err)
	}
	b := &process.Box{Name: boxName, Config: config.Bytes(), NoNewPrivs: true}
	b.Outer, b.Inner, err = namespaces()
	if err != nil {
		return nil, err
	}
	if s.PIDs {
		b.Outer.Flags |= unix.CLONE_NEWPID
	}
	return b, nil
}

// view is what the supervisor mounts, in this order. All paths are resolved,
// except for those of links.
type view struct {
	Proc      bool     // a /proc of the new PID namespace
	Pins      []string // folders that get a mount, so that they cannot be renamed
	Links     []string // symbolic links, likewise
	HideDirs  []string
	HideFiles []string
	ReadOnly  []string
	Adopt     []string // folders whose files get copies that belong to this user
	Root      bool     // the command has the machine's root user
}

func (r Ring) view(s Support) (*view, error) {
	d := &draft{view: view{Proc: s.PIDs, Root: os.Geteuid() == 0}, seen: map[string]bool{}}
	var err error
	if d.mounts, err = readMounts(); err != nil {
		return nil, err
	}
	for _, path := range r.Hide {
		if err := d.protect(path, hidden); err != nil {
			return nil, err
		}
	}
	for _, path := range r.ReadOnly {
		if err := d.protect(path, readOnly); err != nil {
			return nil, err
		}
	}
	if exe, m, ok := ownFile(); ok {
		if err := d.protect(exe, m); err != nil {
			return nil, err
		}
	}
	for _, path := range r.Keep {
		if err := d.keep(path); err != nil {
			return nil, err
		}
	}
	if !r.Brokers {
		d.HideFiles = append(d.HideFiles, brokers()...)
	}
	d.HideFiles = append(d.HideFiles, rawDevices()...)
	if !d.Root {
		d.Adopt = ownerMatters
	}
	return &d.view, nil
}

// started is where the program lay when it was started.
var started, _ = os.Readlink("/proc/self/exe")

// OwnFile is where the program lay when it was started, or empty where that
// is not known. What lies there is what the next start runs.
func OwnFile() string {
	if !filepath.IsAbs(started) {
		return ""
	}
	return started
}

// ownFile gives the place of the program, unless nothing is there any more. A
// file that has replaced the running one is only read-only: the kernel keeps
// nobody from writing to it.
func ownFile() (path string, m mode, ok bool) {
	path = OwnFile()
	if _, err := os.Stat(path); path == "" || err != nil {
		return "", running, false
	}
	if now, err := os.Readlink("/proc/self/exe"); err != nil || now != path {
		return path, readOnly, true
	}
	return path, running, true
}

// keep plans that a folder and the way to it cannot be renamed or replaced.
func (d *draft) keep(path string) error {
	real, err := d.pin(path)
	if err != nil {
		return err
	}
	if !d.seen[real] && writable(filepath.Dir(real)) && !d.isHidden(real) {
		d.seen[real] = true
		d.Pins = append(d.Pins, real)
	}
	return nil
}

// mode is how a path is protected.
type mode int

const (
	hidden mode = iota
	readOnly
	running // read-only, and the kernel lets nobody write to it under any name
)

// ownerMatters are folders whose files programs take only from root or from
// their own user. For an ordinary user the ring has no root, and what belongs
// to root seems to belong to nobody: ssh would refuse to start.
var ownerMatters = []string{"/etc/ssh/ssh_config.d"}

// draft is a view that is being planned.
type draft struct {
	view
	mounts []mount
	seen   map[string]bool // pins and links that are planned already
}

// protect plans the masks and pins of one path and of all its other names.
func (d *draft) protect(path string, m mode) error {
	if !filepath.IsAbs(path) || filepath.Clean(path) == "/" {
		panic("sandbox: a protected path must be absolute and not the root: " + path)
	}
	real, err := d.pin(path)
	if err != nil {
		return err
	}
	info, err := os.Lstat(real)
	if err != nil {
		return cannotProtect(path, err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && info.Mode().IsRegular() && st.Nlink > 1 && m != running {
		return manyNames(path)
	}
	d.mask(real, info, m)
	for _, alias := range aliases(d.mounts, real) {
		if _, err := d.pin(alias); err != nil {
			return err
		}
		if info, err := os.Lstat(alias); err == nil {
			d.mask(alias, info, m)
		}
	}
	return nil
}

// mask plans what lies over one resolved path. What lies in a hidden folder
// needs no mask, and there is no place for one.
func (d *draft) mask(path string, info fs.FileInfo, m mode) {
	switch {
	case d.isHidden(path):
	case m != hidden:
		d.ReadOnly = append(d.ReadOnly, path)
	case info.IsDir():
		d.HideDirs = append(d.HideDirs, path)
	default:
		d.HideFiles = append(d.HideFiles, path)
	}
}

func (d *draft) isHidden(path string) bool {
	for _, dir := range d.HideDirs {
		if within(path, dir) {
			return true
		}
	}
	return false
}

// pin plans the pins of the way to path and gives the path it leads to.
func (d *draft) pin(path string) (real string, err error) {
	steps, real, err := walk(path)
	if err != nil {
		return "", cannotProtect(path, err)
	}
	for _, s := range steps {
		if s.path == real || d.seen[s.path] || !writable(filepath.Dir(s.path)) {
			continue
		}
		d.seen[s.path] = true
		if s.link {
			d.Links = append(d.Links, s.path)
		} else {
			d.Pins = append(d.Pins, s.path)
		}
	}
	return real, nil
}

func cannotProtect(path string, err error) error {
	e := &PathError{Path: path, Text: err.Error(), Hint: "make it readable for this user, or name another place", Err: err}
	if errors.Is(err, fs.ErrNotExist) {
		e.Text = "it does not exist"
		e.Hint = "create it first: a command could otherwise make it"
	}
	return e
}

func manyNames(path string) error {
	return &PathError{Path: path, Text: "the file has more than one hard link",
		Hint: "copy it to a file of its own: a command could change it under its other name"}
}

// within reports whether path is dir or lies in it.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
