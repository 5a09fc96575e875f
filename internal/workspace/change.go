package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"strings"
	"unicode"
)

// ChangeOptions restrict one change.
type ChangeOptions struct {
	// NoLinks refuses paths that lead through symbolic links to folders.
	NoLinks bool
}

// Tx is one change of some files: it takes effect as a whole or not at all,
// when the function that got it returns nil. What its methods answer includes
// what they were asked to change before. It is used by one goroutine.
type Tx struct {
	ws      *Workspace
	ctx     context.Context
	noLinks bool
	held    map[string]bool
	entries map[string]*entry // by path below the workspace
	order   []*entry
}

// entry is one file of a Tx: how it was, and how it is going to be.
type entry struct {
	*place
	before []byte // content on disk, when read is set
	read   bool
	state  state
	data   []byte
	mode   fs.FileMode // permissions of a new file; 0 is what the umask leaves
}

type state int

const (
	untouched state = iota
	written
	removed
)

// Change lets fn change the files at paths, and no others. Other changes of
// the same files in this process wait. When fn returns nil, everything it
// asked for is checked, staged and put in place; an error on the way, or the
// end of ctx before the first file is in place, leaves every file as it was.
// A file that somebody else changed after fn read it is such an error.
func (w *Workspace) Change(ctx context.Context, paths []string, fn func(*Tx) error, opts *ChangeOptions) error {
	t := &Tx{ws: w, ctx: ctx, held: map[string]bool{}, entries: map[string]*entry{}}
	if opts != nil {
		t.noLinks = opts.NoLinks
	}
	keys := make([]string, 0, len(paths))
	for _, path := range paths {
		p, err := w.locate(path, false)
		if err != nil {
			return err
		}
		p.close()
		key := w.lockKey(p.rel)
		keys, t.held[key] = append(keys, key), true
	}
	release, err := writers.acquire(ctx, keys)
	if err != nil {
		return err
	}
	defer release()
	defer t.close()
	if err := fn(t); err != nil {
		return err
	}
	return t.commit()
}

// lockKey names a file in the table of writers. It folds the name: taking two
// files for one only makes their writers wait.
func (w *Workspace) lockKey(rel string) string { return foldName(w.real + "/" + rel) }

func (t *Tx) close() {
	for _, e := range t.order {
		e.place.close()
	}
}

// Path gives the path below the workspace, without links, that path means.
func (t *Tx) Path(path string) (string, error) {
	e, err := t.at(path)
	if err != nil {
		return "", err
	}
	return e.rel, nil
}

// Read gives a file's content. It refuses what [Workspace.ReadFile] refuses,
// and also to follow a link that is the last name.
func (t *Tx) Read(path string) (*File, error) {
	e, err := t.at(path)
	if err != nil {
		return nil, err
	}
	if err := t.load(e); err != nil {
		return nil, err
	}
	if e.state == written {
		return &File{Path: e.rel, Data: e.data, Info: e.info}, nil
	}
	return &File{Path: e.rel, Data: e.before, Info: e.info}, nil
}

// Write makes data the content of the file, new or not. A file keeps its
// permissions; a new one gets those that the umask leaves, and the folders
// that it needs.
func (t *Tx) Write(path string, data []byte) error {
	e, err := t.at(path)
	if err != nil {
		return err
	}
	if e.state == untouched && e.info != nil {
		if err := t.checkTarget(e); err != nil {
			return err
		}
	}
	e.state, e.data = written, data
	return nil
}

// Create makes a new file. It refuses when something has the name.
func (t *Tx) Create(path string, data []byte) error {
	e, err := t.at(path)
	if err != nil {
		return err
	}
	return t.create(e, data, 0)
}

func (t *Tx) create(e *entry, data []byte, mode fs.FileMode) error {
	if e.exists() {
		if e.state == untouched && e.info.Mode()&fs.ModeSymlink != 0 {
			return t.linkError(e)
		}
		return refuse(KindExists, e.path, "this exists already", "change the file that is there, or choose another name")
	}
	e.state, e.data, e.mode = written, data, mode
	return nil
}

// Remove takes away a file, a link (not what it leads to) or an empty folder.
func (t *Tx) Remove(path string) error {
	e, err := t.at(path)
	if err != nil {
		return err
	}
	if !e.exists() {
		return notFound(e.path)
	}
	if e.state == untouched && !e.info.Mode().IsRegular() && t.ws.carries(e.info) {
		return readOnlyError(e.path)
	}
	e.state, e.data = removed, nil
	return nil
}

// Move makes data the content of a new file, to, with the permissions of
// from, and takes from away. It refuses when something has the name to, unless
// both are the same file, which is then written in place.
func (t *Tx) Move(from, to string, data []byte) error {
	source, err := t.at(from)
	if err != nil {
		return err
	}
	if err := t.load(source); err != nil {
		return err
	}
	target, err := t.at(to)
	if err != nil {
		return err
	}
	if source == target {
		source.state, source.data = written, data
		return nil
	}
	mode := source.mode
	if source.info != nil {
		mode = source.info.Mode().Perm()
	}
	if err := t.create(target, data, mode); err != nil {
		return err
	}
	source.state, source.data = removed, nil
	return nil
}

// at gives the entry of a path that Change was told of.
func (t *Tx) at(path string) (*entry, error) {
	p, err := t.ws.locate(path, false)
	if err != nil {
		return nil, err
	}
	if e := t.entries[p.rel]; e != nil {
		p.close()
		return e, nil
	}
	if err := t.checkPlace(p); err != nil {
		p.close()
		return nil, err
	}
	e := &entry{place: p}
	t.entries[p.rel] = e
	t.order = append(t.order, e)
	return e, nil
}

func (t *Tx) checkPlace(p *place) error {
	switch {
	case !t.held[t.ws.lockKey(p.rel)]: // it led somewhere else when the turn was taken
		return changedError(p.path)
	case p.name == ".":
		return refuse(KindFolder, p.path, "this is the workspace itself", "name a file in it")
	case p.readOnly:
		return readOnlyError(p.path)
	case t.noLinks && p.viaLink:
		return refuse(KindLink, p.path, "the path leads through a symbolic link", "use the path of the folder itself")
	case p.info == nil && strings.ContainsFunc(p.rel, unicode.IsControl):
		return refuse(KindInvalid, p.path, "the new name holds a control character", "check the argument")
	}
	return nil
}

// checkTarget refuses to write over anything but a plain file.
func (t *Tx) checkTarget(e *entry) error {
	if e.info.Mode()&fs.ModeSymlink != 0 {
		return t.linkError(e)
	}
	return checkRegular(e.place)
}

// linkError says whether the link at e leaves the workspace or only may not be
// written through.
func (t *Tx) linkError(e *entry) error {
	p, err := t.ws.locate(e.path, true)
	if KindOf(err) == KindLinkOutside {
		return err
	}
	if err == nil {
		p.close()
	}
	return refuse(KindLink, e.path, "this is a symbolic link, and nothing is written through one",
		"use the path of the file that it leads to")
}

func (t *Tx) load(e *entry) error {
	switch {
	case !e.exists():
		return notFound(e.path)
	case e.state == written || e.read:
		return nil
	}
	if err := t.checkTarget(e); err != nil {
		return err
	}
	f, err := t.ws.read(t.ctx, e.place)
	if err != nil {
		return err
	}
	e.before, e.read, e.info = f.Data, true, f.Info
	return nil
}

func (e *entry) exists() bool {
	return e.state == written || (e.state == untouched && e.info != nil)
}

// changes reports whether the disk has to change at all.
func (e *entry) changes() bool {
	switch {
	case e.state == untouched:
		return false
	case e.state == removed:
		return e.info != nil
	}
	return !e.read || !bytes.Equal(e.before, e.data)
}
