package main

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolrest/toolrest/internal/config"
)

// starter is the config that init writes: the defaults, with comments.
//
//go:embed starter.json5
var starter string

type initCmd struct {
	Home bool `help:"Write it for all folders, into the state folder, instead of here."`
	Yes  bool `short:"y" help:"Write without asking."`
}

func (initCmd) Help() string {
	return `Examples:

  toolrest init            show a config, ask, and write ./toolrest.json5
  toolrest init --home -y  write ~/.toolrest/toolrest.json5

The file holds the defaults, with a comment for each. A file that is there
already is left alone. What init writes here is trusted as it is then; after
you change it, run toolrest trust.`
}

func (c *initCmd) Run(s streams) error {
	path, err := c.place()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already, and is left as it is", path)
	}
	fmt.Fprint(s.out, starter)
	if !c.Yes {
		if !isTerminal(s.in) {
			return exit{exitUsage, errors.New("not written: nobody can be asked here; --yes writes it to " + path)}
		}
		if !agrees(s, fmt.Sprintf("\nWrite this to %s?", visible(path))) {
			_, err := fmt.Fprintln(s.out, "Not written.")
			return err
		}
	}
	return c.write(s, path)
}

// agrees asks the person at the terminal; anything but yes is no.
func agrees(s streams, question string) bool {
	fmt.Fprint(s.out, question+" [y/N] ")
	line, _ := bufio.NewReader(s.in).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

func (c *initCmd) place() (string, error) {
	if !c.Home {
		return filepath.Abs(config.FileName)
	}
	dir, err := config.StateDir(nil)
	return filepath.Join(dir, config.FileName), err
}

func (c *initCmd) write(s streams, path string) error {
	state, err := config.OpenState(nil)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and is left as it is", path)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(starter)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if !c.Home {
		if _, err := state.Trust(path); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(s.out, "\nWrote %s.\n", path)
	return err
}
