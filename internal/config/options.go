package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FileName is what a config file is called where none is named.
const FileName = "toolrest.json5"

// OpenClawFileName is what a config of OpenClaw is called. Its lists decide as
// OpenClaw does.
const OpenClawFileName = "openclaw.json"

// Environment variables that the package reads by itself.
const (
	EnvConfig = "TOOLREST_CONFIG" // the config file
	EnvState  = "TOOLREST_STATE"  // the state folder

	// envIncludeRoots is OpenClaw's: folders from which an openclaw.json may
	// include files beside its own.
	envIncludeRoots = "OPENCLAW_INCLUDE_ROOTS"
)

// Options say where things are. The zero value takes them from the process.
type Options struct {
	// Path is the file that the user named, relative to Dir, or empty.
	Path string
	// Dir is the current folder.
	Dir string
	// Home is the user's home folder, and State the state folder: empty means
	// $TOOLREST_STATE, or ~/.toolrest.
	Home  string
	State string
	// Getenv looks environment variables up. One that is empty counts as not
	// set.
	Getenv func(string) string
}

// filled copies the options and fills what is missing. State stays empty when
// there is no place for it.
func (o *Options) filled() (Options, error) {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Getenv == nil {
		out.Getenv = os.Getenv
	}
	if out.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return out, fmt.Errorf("find the current folder: %w", err)
		}
		out.Dir = dir
	}
	if out.Home == "" {
		out.Home, _ = os.UserHomeDir() // what needs it says so
	}
	if !filepath.IsAbs(out.Dir) {
		return out, fmt.Errorf("the current folder %q must be given as an absolute path", out.Dir)
	}
	var err error
	out.State, err = out.statePlace()
	return out, err
}

// statePlace refuses a relative place: it would make a folder that came with
// somebody's files into the user's own.
func (o *Options) statePlace() (string, error) {
	place, from := o.State, "the state folder"
	if place == "" {
		place, from = o.Getenv(EnvState), "$"+EnvState
	}
	if place == "" {
		if !filepath.IsAbs(o.Home) {
			return "", nil
		}
		return filepath.Join(o.Home, ".toolrest"), nil
	}
	place, err := o.expandHome(place)
	if err == nil && !filepath.IsAbs(place) {
		err = fmt.Errorf("must be an absolute path, or begin with ~/")
	}
	if err != nil {
		return "", &Error{Text: from + ": " + err.Error()}
	}
	return filepath.Clean(place), nil
}

// expandHome puts the home folder in the place of a leading ~.
func (o *Options) expandHome(path string) (string, error) {
	name, rest, _ := strings.Cut(path, "/")
	if !strings.HasPrefix(path, "~") {
		return path, nil
	}
	if name != "~" {
		return "", fmt.Errorf("only ~/ stands for a home folder, not that of another user")
	}
	if !filepath.IsAbs(o.Home) {
		return "", fmt.Errorf("~/ stands for nothing here: no home folder is known")
	}
	return filepath.Join(o.Home, rest), nil
}

// absolute resolves a path that a person wrote against a folder.
func (o *Options) absolute(path, folder string) (string, error) {
	path, err := o.expandHome(path)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	return filepath.Clean(path), nil
}
