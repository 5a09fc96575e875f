package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const maxLinks = 40

// place is a name in a folder that is held open. What is done there happens in
// this folder, whatever becomes of the path that led to it.
type place struct {
	path    string   // as the caller gave it
	dir     *os.Root // the deepest folder that exists
	dirInfo fs.FileInfo
	missing []string    // folders between dir and name that do not exist
	name    string      // "." for the workspace itself
	rel     string      // path below the workspace, without links
	info    fs.FileInfo // what has the name, never looked at through a link; nil is nothing
	// readOnly is set when the owner lets tools only read here.
	readOnly bool
	// viaLink is set when a link was followed to come here.
	viaLink bool
	own     bool // dir is ours to close
}

func (p *place) close() {
	if p.own {
		p.dir.Close()
	}
}

// step is a folder on the way down.
type step struct {
	dir      *os.Root
	info     fs.FileInfo
	name     string
	readOnly bool
}

type walker struct {
	ws      *Workspace
	path    string
	reins   []rein
	stack   []step // the workspace itself first
	todo    []string
	links   int
	follow  bool // also a link that is the last name
	viaLink bool
}

// locate walks to the first reading of path that exists, else to the last.
// With follow, a link that is the last name is followed too.
func (w *Workspace) locate(path string, follow bool) (*place, error) {
	readings, err := w.readings(path)
	if err != nil {
		return nil, err
	}
	for i, rel := range readings {
		p, err := w.walk(path, rel, follow)
		last := i == len(readings)-1
		switch {
		case err != nil && KindOf(err) != KindNotFolder, err != nil && last:
			return nil, err
		case err == nil && (p.info != nil || last):
			return p, nil
		case err == nil:
			p.close()
		}
	}
	panic("workspace: a path without a reading")
}

func (w *Workspace) walk(path, rel string, follow bool) (*place, error) {
	info, err := w.root.Stat(".")
	if err != nil {
		return nil, systemError("look at the workspace", path, err)
	}
	wk := &walker{ws: w, path: path, reins: w.lookAtReins(), follow: follow}
	wk.stack = []step{{dir: w.root, info: info, readOnly: w.readOnly}}
	wk.todo = strings.Split(strings.TrimSuffix(rel, "/"), "/")
	p, err := wk.run()
	if err != nil {
		wk.closeDown(0)
		return nil, err
	}
	if strings.HasSuffix(rel, "/") && (p.info == nil || !p.info.IsDir()) {
		p.close()
		return nil, refuse(KindNotFolder, path, "the path ends in a slash, and there is no such folder", "drop the slash to name a file")
	}
	return p, nil
}

func (wk *walker) top() *step { return &wk.stack[len(wk.stack)-1] }

func (wk *walker) closeDown(keep int) {
	for len(wk.stack) > max(keep, 1) {
		wk.top().dir.Close()
		wk.stack = wk.stack[:len(wk.stack)-1]
	}
}

func (wk *walker) run() (*place, error) {
	for len(wk.todo) > 0 {
		name := wk.todo[0]
		wk.todo = wk.todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if len(wk.stack) == 1 {
				return nil, wk.linkOutside()
			}
			wk.closeDown(len(wk.stack) - 1)
			continue
		}
		if p, err := wk.next(name); p != nil || err != nil {
			return p, err
		}
	}
	// The path ends at a folder that was entered on the way: the workspace
	// itself, or one that a link's target led back to.
	return wk.here()
}

// next looks at one name. It gives a place when the walk ends there.
func (wk *walker) next(name string) (*place, error) {
	top := wk.top()
	info, err := top.dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wk.absent(name)
	case err != nil:
		return nil, systemError("look at the path", wk.path, err)
	}
	last := len(wk.todo) == 0
	readOnly, err := wk.admit(name, info)
	if err != nil {
		return nil, err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0 && (!last || wk.follow):
		return nil, wk.expandLink(name)
	case last:
		return wk.arrive(name, info, readOnly), nil
	case !info.IsDir():
		return nil, refuse(KindNotFolder, wk.path, "a name on the way is not a folder", "check the path")
	}
	next, err := enter(wk.path, top.dir, name, info)
	if err != nil {
		return nil, err
	}
	next.readOnly = readOnly
	wk.stack = append(wk.stack, next)
	return nil, nil
}

// admit refuses what is hidden, and says whether it may only be read.
func (wk *walker) admit(name string, info fs.FileInfo) (readOnly bool, err error) {
	top := wk.top()
	level := levelOf(wk.reins, info, top.info, name)
	if level == levelHidden {
		return false, hiddenError(wk.path)
	}
	return top.readOnly || level == levelReadOnly, nil
}

func (wk *walker) expandLink(name string) error {
	if wk.links++; wk.links > maxLinks {
		return refuse(KindLink, wk.path, "too many symbolic links on the way", "use the path of the file itself")
	}
	target, err := wk.top().dir.Readlink(name)
	if err != nil {
		return systemError("read a link on the way", wk.path, err)
	}
	wk.viaLink = true
	if filepath.IsAbs(target) {
		rel, ok := wk.ws.inside(filepath.Clean(target))
		if !ok {
			return wk.linkOutside()
		}
		target = rel
		wk.closeDown(1)
	}
	wk.todo = slices.Concat(strings.Split(target, "/"), wk.todo)
	return nil
}

func (wk *walker) linkOutside() error {
	return refuse(KindLinkOutside, wk.path, "a symbolic link leaves the workspace "+wk.ws.real,
		"only files below the workspace can be used")
}

// absent ends the walk at a name that does not exist. Names that follow are
// folders still to be made; a ".." among them, from a link, is not understood.
func (wk *walker) absent(name string) (*place, error) {
	names := append([]string{name}, wk.todo...)
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" || n == "." })
	if slices.Contains(names, "..") {
		return nil, &Error{Kind: KindNotFound, Path: wk.path, Reason: "a symbolic link on the way leads nowhere", Err: fs.ErrNotExist}
	}
	readOnly, err := wk.admit(name, nil)
	if err != nil {
		return nil, err
	}
	rel := filepath.Join(wk.rel(), filepath.Join(names...))
	p := wk.arrive(names[len(names)-1], nil, readOnly)
	p.missing, p.rel = names[:len(names)-1], rel
	return p, nil
}

func (wk *walker) rel() string {
	names := make([]string, 0, len(wk.stack))
	for _, s := range wk.stack[1:] {
		names = append(names, s.name)
	}
	return filepath.Join(names...)
}

// arrive makes the place, which takes over the topmost folder.
func (wk *walker) arrive(name string, info fs.FileInfo, readOnly bool) *place {
	top := *wk.top()
	p := &place{
		path: wk.path, dir: top.dir, dirInfo: top.info, name: name, info: info,
		rel: filepath.Join(wk.rel(), name), readOnly: readOnly, viaLink: wk.viaLink, own: len(wk.stack) > 1,
	}
	if p.own {
		wk.stack = wk.stack[:len(wk.stack)-1]
	}
	wk.closeDown(1)
	return p
}

// here is the place of the folder that the walk stands in.
func (wk *walker) here() (*place, error) {
	top := *wk.top()
	if len(wk.stack) == 1 {
		return &place{path: wk.path, dir: top.dir, dirInfo: top.info, name: ".", rel: ".", info: top.info,
			readOnly: top.readOnly, viaLink: wk.viaLink}, nil
	}
	wk.closeDown(len(wk.stack) - 1)
	info, err := wk.top().dir.Lstat(top.name)
	if err != nil || !sameThing(info, top.info) {
		return nil, changedError(wk.path)
	}
	return wk.arrive(top.name, info, top.readOnly), nil
}

// enter opens a folder below dir and makes sure that it is the one looked at.
// The name ends in /. so that nothing but a folder is ever opened: a pipe put
// there meanwhile would block.
func enter(path string, dir *os.Root, name string, looked fs.FileInfo) (step, error) {
	sub, err := dir.OpenRoot(name + "/.")
	if err != nil {
		return step{}, systemError("open a folder on the way", path, err)
	}
	info, err := sub.Stat(".")
	if err != nil || !sameThing(info, looked) {
		sub.Close()
		return step{}, changedError(path)
	}
	return step{dir: sub, info: info, name: name}, nil
}

func changedError(path string) error {
	return refuse(KindChanged, path, "the file changed while the call ran", "look at it again, then repeat the call")
}

// sameThing compares identities, and kinds as well: a file system gives the
// number of a removed file to the next one.
func sameThing(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode().Type() == b.Mode().Type()
}
