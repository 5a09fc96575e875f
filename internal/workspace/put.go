package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// put gives the staged contents their names, one after the other.
func (c *commit) put() error {
	for _, s := range c.staged {
		if err := c.step("put"); err != nil {
			return systemError("change the file", s.path, err)
		}
		if err := c.putEntry(s); err != nil {
			return systemError("change the file", s.path, err)
		}
	}
	return c.step("done")
}

func (c *commit) putEntry(s *stagedEntry) error {
	switch {
	case s.state == removed && s.info.IsDir():
		return c.putNoFolder(s)
	case s.state == removed:
		return c.putNothing(s)
	case s.info == nil:
		return c.putNew(s)
	}
	return c.putInstead(s)
}

func (c *commit) putNew(s *stagedEntry) error {
	err := c.ws.rename.noReplace(s.dir, s.temp, s.name)
	if errors.Is(err, fs.ErrExist) {
		return changedError(s.path)
	}
	if err != nil {
		return err
	}
	c.undo = append(c.undo, func() error { return c.ws.rename.noReplace(s.dir, s.name, s.temp) })
	return nil
}

func (c *commit) putInstead(s *stagedEntry) error {
	swap := func() error { return c.ws.rename.exchange(s.dir, s.temp, s.name) }
	err := swap()
	if errors.Is(err, fs.ErrNotExist) {
		return changedError(s.path)
	}
	if err != nil {
		return err
	}
	c.undo = append(c.undo, func() error { return s.restored(swap()) })
	return s.checkOld()
}

func (c *commit) putNothing(s *stagedEntry) error {
	old := tempName()
	err := c.ws.rename.noReplace(s.dir, s.name, old)
	if errors.Is(err, fs.ErrNotExist) {
		return changedError(s.path)
	}
	if err != nil {
		return err
	}
	s.temp = old
	c.undo = append(c.undo, func() error { return s.restored(c.ws.rename.noReplace(s.dir, old, s.name)) })
	return s.checkOld()
}

func (c *commit) putNoFolder(s *stagedEntry) error {
	err := removeFolder(s.dir, s.name)
	switch {
	case errors.Is(err, syscall.ENOTEMPTY):
		return refuse(KindNotEmpty, s.path, "the folder is not empty", "remove the files in it first")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return changedError(s.path)
	case err != nil:
		return err
	}
	c.undo = append(c.undo, func() error {
		if err := s.dir.Mkdir(s.name, 0o700); err != nil {
			return err
		}
		return s.dir.Chmod(s.name, s.info.Mode().Perm())
	})
	return nil
}

// restored keeps the old content where err says that its name could not be
// given back, and says where it lies.
func (s *stagedEntry) restored(err error) error {
	if err == nil {
		return nil
	}
	s.keep = true
	return fmt.Errorf("the old content of %s is in %s beside it: %w", Show(s.path), s.temp, err)
}

// checkOld makes sure that what was taken out is what was looked at before,
// and that nobody wrote to it since it was read.
func (s *stagedEntry) checkOld() error {
	old, err := s.dir.Lstat(s.temp)
	if err != nil {
		return err
	}
	same := sameThing(old, s.info)
	if s.read {
		same = same && old.Size() == s.info.Size() && old.ModTime().Equal(s.info.ModTime())
	}
	if !same {
		return changedError(s.path)
	}
	return nil
}
