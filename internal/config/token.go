package config

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"strings"
)

const (
	tokenName   = "token"
	tokenPrefix = "tr_" // by it people and scanners recognise a leaked one
	tokenBytes  = 32
	tokenSize   = 1 << 10 // more than a token file ever holds
)

// Token gives the owner's token, and makes it on first need: the prefix tr_
// and 32 random bytes in base64url. Processes that start at once agree on one
// token. It refuses a token file that others could read or have written, and
// no error holds any of it.
func (s *State) Token() (string, error) {
	token, err := s.readToken()
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	if err := s.makeToken(); err != nil {
		return "", &Error{File: s.Path(tokenName), Text: "make the token: " + reason(err), cause: err}
	}
	return s.readToken()
}

func (s *State) readToken() (string, error) {
	path := s.Path(tokenName)
	text, err := readPrivate(path, "the token file", tokenSize)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if !isToken(token) {
		return "", &Error{File: path, Text: "the token file is damaged", Hint: "remove it, and the next start makes a new token"}
	}
	return token, nil
}

func isToken(token string) bool {
	encoded, ok := strings.CutPrefix(token, tokenPrefix)
	if !ok {
		return false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	return err == nil && len(raw) == tokenBytes && !strings.ContainsAny(encoded, "\r\n")
}

// makeToken links a whole file into place, which fails when another process
// was first; that one's token then counts.
func (s *State) makeToken() error {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails
	staged, err := s.stage(tokenName, []byte(tokenPrefix+base64.RawURLEncoding.EncodeToString(raw)+"\n"))
	if err != nil {
		return err
	}
	defer os.Remove(staged)
	if err := os.Link(staged, s.Path(tokenName)); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.sync()
}
