package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// level is how far a tool is kept from something.
type level int

const (
	levelOpen level = iota
	levelReadOnly
	levelHidden
)

// rein is one path that the owner protects, as it is right now. It is
// recognised by identity, so no other spelling, link or mount leads around
// it; a name that does not exist yet is recognised by its folder and by all
// spellings that some file system takes for the same.
type rein struct {
	path  string
	level level
	self  []fs.FileInfo // the file, and the link where the path is one
	names []reinName
}

type reinName struct {
	folder fs.FileInfo
	folded string
}

// lookAtReins is done for each walk: an editor that saves the config makes a
// new file of it.
func (w *Workspace) lookAtReins() []rein {
	reins := make([]rein, 0, len(w.opts.Hidden)+len(w.opts.ReadOnly))
	for _, p := range w.opts.Hidden {
		reins = append(reins, lookAtRein(p, levelHidden))
	}
	for _, p := range w.opts.ReadOnly {
		reins = append(reins, lookAtRein(p, levelReadOnly))
	}
	return reins
}

func lookAtRein(path string, level level) rein {
	r := rein{path: path, level: level}
	for _, p := range spellings(path) {
		if info, err := os.Lstat(p); err == nil {
			r.self = append(r.self, info)
		}
		if folder, err := os.Stat(filepath.Dir(p)); err == nil {
			r.names = append(r.names, reinName{folder, foldName(filepath.Base(p))})
		}
	}
	return r
}

// spellings are the path as it was named and, where that differs, without links.
func spellings(path string) []string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == path {
		return []string{path}
	}
	return []string{path, real}
}

// levelOf says how far the thing called name in folder is kept from tools.
// info is nil when nothing has that name.
func levelOf(reins []rein, info, folder fs.FileInfo, name string) level {
	strictest := levelOpen
	for i := range reins {
		if r := &reins[i]; r.level > strictest && (r.is(info) || r.isNamed(folder, name)) {
			strictest = r.level
		}
	}
	return strictest
}

func (r *rein) is(info fs.FileInfo) bool {
	if info == nil {
		return false
	}
	for _, self := range r.self {
		if os.SameFile(self, info) {
			return true
		}
	}
	return false
}

func (r *rein) isNamed(folder fs.FileInfo, name string) bool {
	for _, n := range r.names {
		if os.SameFile(n.folder, folder) && n.folded == foldName(name) {
			return true
		}
	}
	return false
}

// carries reports whether info is a folder or a link on the way to a
// protected path: without it the path would lead elsewhere.
func (w *Workspace) carries(info fs.FileInfo) bool {
	for _, r := range w.lookAtReins() {
		for _, p := range spellings(r.path) {
			for dir := filepath.Dir(p); ; dir = filepath.Dir(dir) {
				if sameAs(dir, info) {
					return true
				}
				if dir == filepath.Dir(dir) {
					break
				}
			}
		}
	}
	return false
}

func sameAs(path string, info fs.FileInfo) bool {
	if link, err := os.Lstat(path); err == nil && os.SameFile(link, info) {
		return true
	}
	target, err := os.Stat(path)
	return err == nil && os.SameFile(target, info)
}

// checkReins refuses a workspace that lies in a hidden folder, and remembers
// when it lies in a read-only one.
func (w *Workspace) checkReins() error {
	for _, p := range slices.Concat(w.opts.Hidden, w.opts.ReadOnly) {
		if !filepath.IsAbs(p) {
			return refuse(KindInvalid, p, "a protected path must be absolute", "")
		}
	}
	reins := w.lookAtReins()
	for dir := w.real; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		for i := range reins {
			if err != nil || !reins[i].is(info) {
				continue
			}
			if reins[i].level == levelHidden {
				return refuse(KindHidden, w.given, "the workspace lies in a folder that is hidden from tools", "choose another workspace")
			}
			w.readOnly = true
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return w.checkFileSystem(w.root, w.given)
}

// foldName maps names to the same text that a case-folding or normalising
// file system takes for one name.
func foldName(name string) string {
	name = cases.Fold().String(norm.NFKD.String(name))
	name = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, name)
	return norm.NFKC.String(name)
}

func hiddenError(path string) error {
	return refuse(KindHidden, path, "this is hidden from tools", "it belongs to the owner's settings; ask the owner")
}

func readOnlyError(path string) error {
	return refuse(KindReadOnly, path, "tools may only read this", "it belongs to the owner's settings; ask the owner to change it")
}
