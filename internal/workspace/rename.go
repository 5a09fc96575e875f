package workspace

import (
	"crypto/rand"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renamer changes names inside one folder, in steps that happen or do not.
type renamer interface {
	// exchange swaps what a and b name.
	exchange(dir *os.Root, a, b string) error
	// noReplace gives from the name to, unless something has it.
	noReplace(dir *os.Root, from, to string) error
}

// linuxRename lets the kernel do both, and falls back where a file system
// cannot.
type linuxRename struct{ plainRename }

func (r linuxRename) exchange(dir *os.Root, a, b string) error {
	err := renameat2(dir, a, b, unix.RENAME_EXCHANGE)
	if unsupported(err) {
		return r.plainRename.exchange(dir, a, b)
	}
	return err
}

func (r linuxRename) noReplace(dir *os.Root, from, to string) error {
	err := renameat2(dir, from, to, unix.RENAME_NOREPLACE)
	if unsupported(err) {
		return r.plainRename.noReplace(dir, from, to)
	}
	return err
}

func renameat2(dir *os.Root, from, to string, flags uint) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return withFD(f, func(fd int) error { return unix.Renameat2(fd, from, fd, to, flags) })
}

func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP)
}

// plainRename makes do with links and renames. At no time is b without a file,
// but a change of b between its two first steps goes unseen.
type plainRename struct{}

func (plainRename) exchange(dir *os.Root, a, b string) error {
	keep := tempName()
	if err := dir.Link(b, keep); err != nil {
		return err
	}
	if err := dir.Rename(a, b); err != nil {
		return errors.Join(err, dir.Remove(keep))
	}
	if err := dir.Rename(keep, a); err != nil {
		return errors.Join(err, dir.Rename(keep, b))
	}
	return nil
}

func (plainRename) noReplace(dir *os.Root, from, to string) error {
	if err := dir.Link(from, to); err != nil {
		return err
	}
	if err := dir.Remove(from); err != nil {
		return errors.Join(err, dir.Remove(to))
	}
	return nil
}

// removeFolder removes an empty folder, and nothing that is not a folder.
func removeFolder(dir *os.Root, name string) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return withFD(f, func(fd int) error { return unix.Unlinkat(fd, name, unix.AT_REMOVEDIR) })
}

// syncFolder makes the names of a folder durable.
func syncFolder(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EOPNOTSUPP) { // folders of some file systems cannot be synced
		return nil
	}
	return err
}

func tempName() string { return ".toolrest-" + rand.Text() + ".tmp" }
