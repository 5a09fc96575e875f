package config

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must be quiet before it is read: editors write,
// rename and chmod in quick succession.
const settle = 50 * time.Millisecond

// latest is how long a change may wait for that quiet. Without it, whoever can
// write one of the files could keep the change of another from being noticed.
const latest = 500 * time.Millisecond

// Watch calls changed whenever the files of a config, or what is trusted, may
// have changed on disk, until ctx ends; then it returns nil. files gives the
// paths to look at ([Config].Files of the config in force); it is asked again
// after every change. changed is called by the goroutine of Watch.
//
// The folders are watched and not the files, so a file that is replaced, or
// appears later, is noticed. An error means that nothing is watched any more.
func Watch(ctx context.Context, opts *Options, files func() []string, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch the config: %w", err)
	}
	defer w.Close()
	state, _ := StateDir(opts)
	quiet := time.NewTimer(0) // look once now: the config may have changed since it was read
	defer quiet.Stop()
	wanted := watchAll(w, state, slices.Concat(files(), lookedAt(opts)))
	var first time.Time // of the events that are not handled yet
	soon := func() {
		if first.IsZero() {
			first = time.Now()
		}
		quiet.Reset(max(0, min(settle, latest-time.Since(first))))
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.Events:
			if !ok {
				return fmt.Errorf("watch the config: the watch ended")
			}
			if wanted[filepath.Clean(e.Name)] && e.Op != fsnotify.Chmod {
				soon()
			}
		case err := <-w.Errors:
			// Events may be lost: look at everything once.
			_ = err
			soon()
		case <-quiet.C:
			first = time.Time{}
			changed()
			before := wanted
			wanted = watchAll(w, state, slices.Concat(files(), lookedAt(opts)))
			if more(wanted, before) {
				soon() // what is new may have changed before it was watched
			}
		}
	}
}

// more reports whether a set has what another has not.
func more(set, other map[string]bool) bool {
	for path := range set {
		if !other[path] {
			return true
		}
	}
	return false
}

// lookedAt gives the files that a load would read now. A config that does not
// load is not in force, but what mends it may be a change of one of these.
func lookedAt(opts *Options) []string {
	filled, err := opts.filled()
	if err != nil {
		return nil
	}
	l := &loader{opts: filled}
	src, err := l.find()
	if err != nil || src == nil {
		return nil
	}
	return src.looked
}

// watchAll watches the folders of all paths and gives the paths that count.
// Where a folder is not there, the one that it would appear in is watched.
func watchAll(w *fsnotify.Watcher, state string, files []string) map[string]bool {
	wanted := map[string]bool{}
	if state != "" {
		files = append(files[:len(files):len(files)], filepath.Join(state, trustName))
	}
	for _, file := range files {
		wanted[filepath.Clean(file)] = true
		for dir := filepath.Dir(file); w.Add(dir) != nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			wanted[dir] = true // it may appear
		}
	}
	return wanted
}
