package workspace

import (
	"errors"
	"fmt"
	"os"
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
		err = c.put()
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
