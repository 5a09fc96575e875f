package sandbox

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"

	"github.com/toolrest/toolrest/internal/process"
	"golang.org/x/sys/unix"
)

// init begins the life of a supervisor. A large program needs longer for its
// initialisation than a supervisor for all of its work, and the packages that
// take the time come after this one as long as it, and package process, do
// without regexp and the like.
func init() { Init() }

// Init lets this program be the supervisor of a command in the ring: in a
// process that was started as one it never returns. It has run when the
// package is initialised; calling it again in main says to the reader that it
// has, and does nothing more. See [process.Init].
func Init() { process.Init(map[string]process.Enter{boxName: enter}) }

// enter builds the ring around the supervisor, which is root of its own user
// and mount namespace.
func enter(config []byte) error {
	var v view
	if err := gob.NewDecoder(bytes.NewReader(config)).Decode(&v); err != nil {
		return fmt.Errorf("read the ring: %w", err)
	}
	// Nothing that is mounted outside from now on shall appear in here.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	for _, f := range []func(*view) error{(*view).mountProc, (*view).mountPins, (*view).mountMasks, (*view).mountReadOnly, (*view).mountCopies, (*view).mountTerminals} {
		if err := f(&v); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) mountProc() error {
	if v.Proc {
		if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
			return fmt.Errorf("mount proc: %w", err)
		}
	}
	return nil
}

// mountPins makes folders and links mount points of themselves.
func (v *view) mountPins() error {
	for _, path := range v.Pins {
		if err := bind(path, path); err != nil {
			return err
		}
	}
	for _, path := range v.Links {
		if err := bindLink(path); err != nil {
			return err
		}
	}
	return nil
}

// bindLink mounts a symbolic link on itself. The path of a mount call would
// be followed; an open file is not.
func bindLink(path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open the link %s: %w", path, err)
	}
	defer unix.Close(fd)
	opened := fmt.Sprintf("/proc/self/fd/%d", fd)
	if err := unix.Mount(opened, opened, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("pin the link %s: %w", path, err)
	}
	return nil
}

func (v *view) mountMasks() error {
	for _, dir := range v.HideDirs {
		if err := mountTmpfs(dir, unix.MS_RDONLY, "mode=0555,size=4k,nr_inodes=1"); err != nil {
			return err
		}
	}
	for _, file := range v.HideFiles {
		if err := bind("/dev/null", file); err != nil {
			return err
		}
	}
	return nil
}

// kernelSwitches are files of /proc and /sys with which root changes the whole
// machine, for example by naming a program that the kernel starts outside the
// ring. Others may not write them anyway.
var kernelSwitches = []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/sys"}

func (v *view) mountReadOnly() error {
	paths := v.ReadOnly
	if v.Root {
		for _, path := range kernelSwitches {
			if _, err := os.Stat(path); err == nil {
				paths = append(paths, path)
			}
		}
	}
	for _, path := range paths {
		if err := bind(path, path); err != nil {
			return err
		}
		attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
		if err := unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, attr); err != nil {
			return fmt.Errorf("make %s read-only: %w", path, err)
		}
	}
	return nil
}

// mountCopies lays copies over the files of folders that only matter with the
// right owner.
func (v *view) mountCopies() error {
	for _, dir := range v.Adopt {
		files, err := readFiles(dir)
		if err != nil || len(files) == 0 {
			continue // what the user cannot read, or is not there, is no loss
		}
		if err := mountTmpfs(dir, 0, "mode=0755,size=1m"); err != nil {
			return err
		}
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
				return fmt.Errorf("copy into %s: %w", dir, err)
			}
		}
	}
	return nil
}

// readFiles reads the small files of a folder.
func readFiles(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
			continue
		}
		if content, err := os.ReadFile(path); err == nil {
			files[e.Name()] = content
		}
	}
	return files, nil
}

// mountTerminals hides the terminals of the machine behind new ones.
func (v *view) mountTerminals() error {
	const flags = unix.MS_NOSUID | unix.MS_NOEXEC
	if err := unix.Mount("devpts", "/dev/pts", "devpts", flags, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		return fmt.Errorf("mount new terminals: %w", err)
	}
	return nil
}

func mountTmpfs(dir string, flags uintptr, options string) error {
	flags |= unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		return fmt.Errorf("mount over %s: %w", dir, err)
	}
	return nil
}

func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount over %s: %w", to, err)
	}
	return nil
}
