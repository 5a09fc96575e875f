package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolrest/toolrest/internal/json5"
)

// workspace settles the folder that tools work in. What is wrong with it is
// noted where it was written, or without a place.
func (r *reader) workspace(tree *json5.Node) {
	n := child(tree, "workspace", json5.String)
	text, ok := r.texts[n]
	switch {
	case n != nil && !ok:
		return // wrong, as was noted
	case n != nil:
		r.written(n, text)
	case r.cfg.Base != nil:
		r.cfg.Workspace, r.cfg.WorkspacePos = r.cfg.Base.Workspace, r.cfg.Base.WorkspacePos
	case !r.ofAgents(tree):
		r.current()
	}
}

// ofAgents takes the folder of agents.defaults, as OpenClaw writes it, if it is
// there.
func (r *reader) ofAgents(tree *json5.Node) bool {
	const key = "agents.defaults.workspace"
	n := child(child(child(tree, "agents", json5.Object), "defaults", json5.Object), "workspace", json5.String)
	text := strings.TrimSpace(r.texts[n])
	if text == "" {
		return false
	}
	path, err := r.opts.absolute(text, r.opts.Dir)
	if err == nil {
		path, err = folder(path)
	}
	if err != nil {
		r.warn(n, key, err.Error()+", so that the current folder counts")
		return false
	}
	r.cfg.Workspace, r.cfg.WorkspacePos = path, r.pos(n)
	return true
}

func (r *reader) current() {
	dir, err := folder(r.opts.Dir)
	if err != nil {
		r.list = append(r.list, &Error{File: r.cfg.File, Path: "workspace", Text: err.Error() + ": " + r.opts.Dir, Hint: "it is the current folder, because the config names none"})
	}
	r.cfg.Workspace = dir
}

func (r *reader) written(n *json5.Node, text string) {
	if strings.TrimSpace(text) == "" {
		r.add(n, "workspace", "this names no folder", "delete the key to work in the current folder")
		return
	}
	path, err := r.opts.absolute(text, filepath.Dir(r.cfg.File))
	if err != nil {
		r.add(n, "workspace", err.Error(), "")
		return
	}
	dir, err := folder(path)
	if err != nil {
		shown := path
		if hasVariable(n.Text) {
			shown = n.Text // what a variable holds may be secret
		}
		r.add(n, "workspace", fmt.Sprintf("%v: %s", err, shown), "make the folder, or name another one")
		return
	}
	if !r.trusted && !r.mayNarrow(dir) {
		r.ignore(n, "workspace", "a config that is not trusted can only name a folder below its own, and below the workspace that counts without it")
		r.cfg.Workspace, r.cfg.WorkspacePos = r.cfg.Base.Workspace, r.cfg.Base.WorkspacePos
		return
	}
	r.cfg.Workspace, r.cfg.WorkspacePos = dir, r.pos(n)
}

// mayNarrow reports whether an untrusted config can choose a folder. Its own
// folder is the one where it was found, wherever a link of its name leads.
func (r *reader) mayNarrow(dir string) bool {
	own, err := filepath.EvalSymlinks(filepath.Dir(r.cfg.File))
	return err == nil && inside(dir, own) && inside(dir, r.cfg.Base.Workspace)
}

// inside reports whether path is dir or lies below it; both have no links.
func inside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// folder gives the path of an existing folder without links.
func folder(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no such folder")
	case err != nil:
		return "", errors.New("look at the folder: " + reason(err))
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", errors.New("look at the folder: " + reason(err))
	case !info.IsDir():
		return "", errors.New("this is not a folder")
	}
	return real, nil
}

// exists reports whether something has this name; in doubt it has.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
