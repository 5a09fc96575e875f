package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/aymanbagabas/go-udiff"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// FileChange is a file of a config with the text that edits give it.
type FileChange struct {
	File string
	// Before is what the file had when the config was loaded; nil for a file
	// that is not there yet.
	Before, After []byte
}

// Apply makes edits in the texts of the config and gives the files that they
// change, those of [Config.Base] first. Each edit goes into the file that wrote
// what it changes, included ones too; all other bytes stay as they are. It
// writes nothing: [FileChange.Write] does.
//
// An edit that does not fit is an error, and then there is no change at all.
// Without a config file the edits make a new one in the state folder.
func (c *Config) Apply(edits []policy.Edit) ([]FileChange, error) {
	var out []FileChange
	for _, owner := range []*Config{c.Base, c} {
		if owner == nil {
			continue
		}
		mine := c.editsOf(owner, edits)
		if len(mine) == 0 {
			continue
		}
		changes, err := owner.apply(mine)
		if err != nil {
			return nil, err
		}
		out = append(out, changes...)
	}
	return out, nil
}

func (c *Config) apply(edits []policy.Edit) ([]FileChange, error) {
	if c.File == "" {
		return c.applyNew(edits)
	}
	drafts := c.drafts()
	for _, e := range edits {
		local := c.local(e)
		if err := drafts.of(local.file).make(local.Edit); err != nil {
			return nil, fmt.Errorf("change %s: %w", local.file, err)
		}
	}
	var out []FileChange
	for i, d := range drafts {
		before := c.parts[i].text
		if bytes.Equal(before, d.text) {
			continue
		}
		if _, err := json5.Parse(d.file, d.text); err != nil {
			return nil, fmt.Errorf("change %s: the result cannot be read: %w", d.file, err)
		}
		out = append(out, FileChange{File: d.file, Before: before, After: d.text})
	}
	return out, nil
}

func (c *Config) applyNew(edits []policy.Edit) ([]FileChange, error) {
	if c.state == "" {
		return nil, errors.New("change the config: there is none, and no state folder to make one in")
	}
	d := draft{file: filepath.Join(c.state, FileName), text: []byte("{\n}\n")}
	for _, e := range edits {
		if err := d.make(e); err != nil {
			return nil, fmt.Errorf("make %s: %w", d.file, err)
		}
	}
	return []FileChange{{File: d.file, After: d.text}}, nil
}

// Diff gives the change as a unified diff.
func (f FileChange) Diff() string {
	from := f.File
	if f.Before == nil {
		from = os.DevNull
	}
	return udiff.Unified(from, f.File, string(f.Before), string(f.After))
}

// Write puts the new text in the place of the old one: all of it or nothing,
// with the mode and the owner that the file had. Where the file is a link, the
// file that it leads to is replaced. It refuses when the file has changed since
// the config was loaded, or has appeared.
func (f FileChange) Write() error {
	if err := f.write(); err != nil {
		return fmt.Errorf("write %s: %w", f.File, err)
	}
	return nil
}

func (f FileChange) write() error {
	if f.Before == nil {
		return f.create()
	}
	place, err := filepath.EvalSymlinks(f.File)
	if err != nil {
		return err
	}
	now, info, err := readOpened(place, 0, maxConfigSize)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, f.Before) {
		return errors.New("it has changed meanwhile; look at it and try again")
	}
	staged, err := stageBeside(place, f.After, info)
	if err != nil {
		return err
	}
	if err := os.Rename(staged, place); err != nil {
		return errors.Join(err, os.Remove(staged))
	}
	return syncFolder(filepath.Dir(place))
}

// create makes a file that nobody else can read, and its folder.
func (f FileChange) create() error {
	dir := filepath.Dir(f.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	staged, err := stageBeside(f.File, f.After, nil)
	if err != nil {
		return err
	}
	defer os.Remove(staged)
	if err := os.Link(staged, f.File); errors.Is(err, fs.ErrExist) {
		return errors.New("it has appeared meanwhile; look at it and try again")
	} else if err != nil {
		return err
	}
	return syncFolder(dir)
}

// stageBeside writes a new file into the folder of another one, like it in mode
// and owner; without one it is the user's alone.
func stageBeside(place string, text []byte, like fs.FileInfo) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+"-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil && like != nil {
		err = resemble(f, like)
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func resemble(f *os.File, like fs.FileInfo) error {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		if err := f.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
			return err
		}
	}
	return f.Chmod(like.Mode().Perm())
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
