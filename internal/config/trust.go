package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	trustName = "trust.json"
	trustSize = 4 << 20
)

// Trusted is a config whose content the user agreed to.
type Trusted struct {
	// Path is absolute, with the links on the way to the file resolved. The
	// file's own name is not: a link in one folder to a trusted file in
	// another is a different config.
	Path   string    `json:"path"`
	SHA256 string    `json:"sha256"` // of the content with that of all included files, in hexadecimal
	At     time.Time `json:"at"`
}

// trustFile is the form of the file on disk.
type trustFile struct {
	Entries []Trusted `json:"entries"`
}

// Trust records that the user agrees to the content that the file has now, with
// all files that it includes. It replaces what was recorded for the same path.
func (s *State) Trust(path string) (Trusted, error) {
	place, err := placeOf(path)
	if err != nil {
		return Trusted{}, err
	}
	if !utf8.ValidString(place) {
		return Trusted{}, &Error{File: place, Text: "a path that is not UTF-8 cannot be on the trust list", Hint: "rename the folder"}
	}
	src, err := readSource(place, FoundNamed)
	if err != nil {
		return Trusted{}, err
	}
	entry := Trusted{Path: place, SHA256: src.digest(), At: time.Now().UTC().Truncate(time.Second)}
	err = s.changeTrust(func(entries []Trusted) []Trusted {
		return append(without(entries, place), entry)
	})
	return entry, err
}

// Untrust forgets a file, which need not exist any more. It reports whether
// the file was on the list.
func (s *State) Untrust(path string) (bool, error) {
	place, err := placeOf(path)
	if err != nil {
		return false, err
	}
	var known bool
	err = s.changeTrust(func(entries []Trusted) []Trusted {
		left := without(entries, place)
		known = len(left) < len(entries)
		return left
	})
	return known && err == nil, err
}

// isTrusted reports whether the user agreed to exactly this content at this
// path. A trust list that cannot be read trusts nothing and is an error.
func (s *State) isTrusted(path, digest string) (bool, error) {
	place, err := placeOf(path)
	if err != nil {
		return false, err
	}
	entries, err := s.TrustList()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(entries, func(e Trusted) bool { return e.Path == place && e.SHA256 == digest }), nil
}

// TrustList gives what is trusted, sorted by path.
func (s *State) TrustList() ([]Trusted, error) {
	path := s.Path(trustName)
	text, err := readPrivate(path, "the trust list", trustSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file trustFile
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil || len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return nil, &Error{File: path, Text: "the trust list is damaged", Hint: "remove it; then nothing is trusted until you trust it again", cause: err}
	}
	return file.Entries, nil
}

func (s *State) changeTrust(change func([]Trusted) []Trusted) error {
	return s.locked(func() error {
		entries, err := s.TrustList()
		if err != nil {
			return err
		}
		entries = change(entries)
		slices.SortFunc(entries, func(a, b Trusted) int { return strings.Compare(a.Path, b.Path) })
		if err := s.writeTrust(entries); err != nil {
			return &Error{File: s.Path(trustName), Text: "write the trust list: " + reason(err), cause: err}
		}
		return nil
	})
}

func (s *State) writeTrust(entries []Trusted) error {
	text, err := json.MarshalIndent(trustFile{Entries: entries}, "", "  ")
	if err != nil {
		return err
	}
	staged, err := s.stage(trustName, append(text, '\n'))
	if err != nil {
		return err
	}
	if err := os.Rename(staged, s.Path(trustName)); err != nil {
		return errors.Join(err, os.Remove(staged))
	}
	return s.sync()
}

func without(entries []Trusted, place string) []Trusted {
	return slices.DeleteFunc(slices.Clone(entries), func(e Trusted) bool { return e.Path == place })
}

// placeOf gives the path under which a file is trusted.
func placeOf(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &Error{File: path, Text: "find the file: " + reason(err), cause: err}
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", &Error{File: path, Text: "find the file: " + reason(err), cause: err}
	}
	return filepath.Join(dir, filepath.Base(abs)), nil
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// TrustCommand is what a person runs to trust a file, safe to print and to
// paste.
func TrustCommand(file string) string { return harmless(trustCommand(file)) }

func trustCommand(file string) string { return "toolrest trust " + shellWord(file) }
