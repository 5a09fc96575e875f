package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/toolrest/toolrest/internal/config"
)

type trustCmd struct {
	File   string `arg:"" optional:"" predictor:"file" help:"The config file. Default: ./toolrest.json5."`
	Remove bool   `help:"Take the trust back."`
}

func (trustCmd) Help() string {
	return `A config that lies in a workspace may have come with a cloned repository. Until
you trust it, it can only tighten the built-in defaults. Read it, then:

  toolrest trust

The trust is bound to the content: after any change it is asked for again.`
}

func (c *trustCmd) Run(s streams) error {
	file := c.File
	if file == "" {
		file = config.FileName
	}
	state, err := config.OpenState(nil)
	if err != nil {
		return err
	}
	if c.Remove {
		known, err := state.Untrust(file)
		if err != nil {
			return err
		}
		text := file + " is no longer trusted."
		if !known {
			text = file + " was not trusted."
		}
		_, err = fmt.Fprintln(s.out, text)
		return err
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %s here: name the file to trust, or go to its folder", file)
	}
	if _, err := config.Load(&config.Options{Path: file}); err != nil {
		return err // nobody can agree to what does not load
	}
	entry, err := state.Trust(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "Trusted %s as it is now (sha256 %s).\n", visible(entry.Path), entry.SHA256[:12])
	return err
}
