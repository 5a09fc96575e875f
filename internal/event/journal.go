package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// journalFile is the journal's name in the state folder; the older half has
// ".1" behind it.
const journalFile = "changes.jsonl"

// maxJournal is how large one half of the journal grows, in bytes.
const maxJournal = 1 << 20

// maxRead bounds what is read of one half, in bytes: its end, where it is
// larger than Append makes it.
const maxRead = 8 * maxJournal

// Journal keeps the last changes in the state folder, so that a later process
// can tell since when a tool is gone. Several processes may write to it: each
// event is one append. It forgets: the oldest events go when it is full.
type Journal struct{ dir string }

// OpenJournal gives the journal of a state folder, which must be there to be
// written to.
func OpenJournal(dir string) *Journal { return &Journal{dir: dir} }

func (j *Journal) path() string { return filepath.Join(j.dir, journalFile) }

// Append writes the events. It refuses nothing that they say.
func (j *Journal) Append(events ...PlanChanged) error {
	if len(events) == 0 {
		return nil
	}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for _, e := range events {
		if err := enc.Encode(e); err != nil {
			return fmt.Errorf("record a change: %w", err)
		}
	}
	if err := j.turn(); err != nil {
		return err
	}
	f, _, err := openRegular(j.path(), os.O_APPEND|os.O_CREATE|os.O_WRONLY)
	if err != nil {
		return fmt.Errorf("record a change: %w", err)
	}
	_, err = f.Write(lines.Bytes())
	return errors.Join(err, f.Close())
}

// openRegular opens a file that is one. It follows no link, and it does not
// wait for the other end of a pipe.
func openRegular(path string, flags int) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// readEnd reads a file, or the end of one that is too large.
func readEnd(path string) ([]byte, error) {
	f, info, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-maxRead), maxRead))
}

// turn begins a new half when the current one is full.
func (j *Journal) turn() error {
	info, err := os.Lstat(j.path())
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() < maxJournal {
		return nil
	}
	if err == nil {
		err = os.Rename(j.path(), j.path()+".1")
	}
	if err != nil {
		return fmt.Errorf("begin a new journal of changes: %w", err)
	}
	return nil
}

// Last gives the newest event about an agent's tool, and whether there is
// one. A line that cannot be read is passed over, and so is a file that is no
// regular one.
func (j *Journal) Last(agent, tool string) (PlanChanged, bool) {
	for _, path := range []string{j.path(), j.path() + ".1"} {
		text, err := readEnd(path)
		if err != nil {
			continue
		}
		lines := bytes.Split(text, []byte("\n"))
		for i := len(lines) - 1; i >= 0; i-- {
			var e PlanChanged
			if json.Unmarshal(lines[i], &e) == nil && e.Type == TypePlanChanged && e.Agent == agent && e.Tool == tool {
				return e, true
			}
		}
	}
	return PlanChanged{}, false
}
