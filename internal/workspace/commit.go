package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// commit puts the entries of a Tx in place. Nothing has its final name before
// everything is staged, and whatever was done is taken back, last first, when
// something fails.
type commit struct {
	*Tx
	staged []*stagedEntry
	undo   []func() error
	opened []*os.Root // folders opened on the way
}

type stagedEntry struct {
	*entry
	dir  *os.Root // the folder of the name, which now exists
	temp string   // the new content; once in place, the old
	keep bool     // temp must stay: it is the only copy of the old content
}

func (t *Tx) commit() error {
	c := &commit{Tx: t}
	defer c.close()
	err := c.stage()
	if err == nil {
		err = c.place()
	}
	if err != nil {
		return c.takeBack(err)
	}
	return c.finish()
}

func (c *commit) close() {
	for _, dir := range c.opened {
		dir.Close()
	}
}

// step is where tests let a commit fail.
func (c *commit) step(name string) error {
	if c.ws.fault == nil {
		return nil
	}
	return c.ws.fault(name)
}

func (c *commit) stage() error {
	for _, e := range c.order {
		if !e.changes() {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := c.stageEntry(e); err != nil {
			return systemError("prepare the change", e.path, err)
		}
	}
	return c.ctx.Err()
}

func (c *commit) stageEntry(e *entry) error {
	dir, err := c.folder(e.place)
	if err != nil {
		return err
	}
	s := &stagedEntry{entry: e, dir: dir}
	c.staged = append(c.staged, s)
	if err := c.ws.checkFileSystem(dir, e.path); err != nil {
		return err
	}
	if e.state == removed {
		return nil
	}
	if err := c.checkWritable(s); err != nil {
		return err
	}
	return c.writeTemp(s)
}

// folder makes the folders that are missing on the way to p. Each is looked at
// as the walk would have done, because what it is protected from may have
// appeared together with it.
func (c *commit) folder(p *place) (*os.Root, error) {
	dir, at := p.dir, p.dirInfo
	for _, name := range p.missing {
		if err := c.makeFolder(dir, name); err != nil {
			return nil, err
		}
		info, err := dir.Lstat(name)
		if err != nil {
			return nil, err
		}
		if err := c.admitNew(p, info, at, name); err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, refuse(KindNotFolder, p.path, "a name on the way is not a folder", "check the path")
		}
		next, err := enter(p.path, dir, name, info)
		if err != nil {
			return nil, err
		}
		c.opened = append(c.opened, next.dir)
		dir, at = next.dir, next.info
	}
	return dir, c.admitNew(p, p.info, at, p.name)
}

func (c *commit) makeFolder(dir *os.Root, name string) error {
	if err := c.step("make folder"); err != nil {
		return err
	}
	err := dir.Mkdir(name, 0o777)
	if errors.Is(err, fs.ErrExist) { // for an earlier entry, or by somebody else
		return nil
	}
	if err == nil {
		c.undo = append(c.undo, func() error { return removeFolder(dir, name) })
	}
	return err
}

func (c *commit) admitNew(p *place, info, folder fs.FileInfo, name string) error {
	switch levelOf(c.ws.lookAtReins(), info, folder, name) {
	case levelHidden:
		return hiddenError(p.path)
	case levelReadOnly:
		return readOnlyError(p.path)
	}
	return nil
}

// checkWritable asks the system whether the old file may be written: replacing
// it would otherwise lead around its permissions.
func (c *commit) checkWritable(s *stagedEntry) error {
	if s.info == nil || !s.info.Mode().IsRegular() {
		return nil
	}
	if now, err := s.dir.Lstat(s.name); err != nil || !sameThing(now, s.info) {
		return changedError(s.path)
	}
	f, err := s.dir.OpenFile(s.name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ETXTBSY) { // a running program; it keeps its old file
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// writeTemp writes the new content beside its target.
func (c *commit) writeTemp(s *stagedEntry) error {
	if err := c.step("create"); err != nil {
		return err
	}
	s.temp = tempName()
	keep := s.info != nil && s.info.Mode().IsRegular()
	perm := fs.FileMode(0o666)
	if keep || s.mode != 0 {
		perm = 0o600 // until it has the permissions that it is going to have
	}
	f, err := s.dir.OpenFile(s.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	c.undo = append(c.undo, s.dropTemp)
	err = c.fill(f, s, keep)
	return errors.Join(err, f.Close())
}

func (c *commit) fill(f *os.File, s *stagedEntry, keep bool) error {
	if err := c.step("write"); err != nil {
		return err
	}
	if _, err := f.Write(s.data); err != nil {
		return err
	}
	mode := s.mode
	if keep {
		mode = s.info.Mode().Perm()
		keepOwner(f, s.info)
	}
	if mode != 0 || keep {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := c.step("sync"); err != nil {
		return err
	}
	return f.Sync()
}

// keepOwner gives f the owner and group of the file that it replaces, where
// we may. Without the right to, the file is ours, as after any editor's save.
func keepOwner(f *os.File, info fs.FileInfo) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || (int(st.Uid) == os.Geteuid() && int(st.Gid) == os.Getegid()) {
		return
	}
	if f.Chown(int(st.Uid), int(st.Gid)) != nil {
		_ = f.Chown(-1, int(st.Gid))
	}
}

func (s *stagedEntry) dropTemp() error {
	if s.keep {
		return nil
	}
	return ignoreMissing(s.dir.Remove(s.temp))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (c *commit) place() error {
	for _, s := range c.staged {
		if err := c.step("place"); err != nil {
			return systemError("change the file", s.path, err)
		}
		if err := c.placeEntry(s); err != nil {
			return systemError("change the file", s.path, err)
		}
	}
	return c.step("placed")
}

func (c *commit) placeEntry(s *stagedEntry) error {
	switch {
	case s.state == removed && s.info.IsDir():
		return c.placeNoFolder(s)
	case s.state == removed:
		return c.placeNothing(s)
	case s.info == nil:
		return c.placeNew(s)
	}
	return c.placeInstead(s)
}

func (c *commit) placeNew(s *stagedEntry) error {
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

func (c *commit) placeInstead(s *stagedEntry) error {
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

func (c *commit) placeNothing(s *stagedEntry) error {
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

func (c *commit) placeNoFolder(s *stagedEntry) error {
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

// takeBack undoes what was done because of err.
func (c *commit) takeBack(err error) error {
	var more error
	for i := len(c.undo) - 1; i >= 0; i-- {
		more = errors.Join(more, c.undo[i]())
	}
	if more != nil {
		return fmt.Errorf("%w; and taking the change back did not work everywhere: %w", err, more)
	}
	return err
}

// finish throws the old contents away and makes the new names durable. The
// change has happened by now, so what fails here does not undo it.
func (c *commit) finish() error {
	var failed error
	for _, s := range c.staged {
		if s.temp != "" {
			failed = errors.Join(failed, s.dropTemp())
		}
		failed = errors.Join(failed, syncFolder(s.dir))
	}
	if failed != nil {
		return fmt.Errorf("all files are changed, but tidying up did not work: %w", failed)
	}
	return nil
}
