package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// stage checks every entry and writes its new content beside its target.
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
