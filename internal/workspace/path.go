package workspace

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxPathBytes = 4096
	maxNameBytes = 255
)

// readings gives the paths, relative to the workspace, that the text of a
// model can mean, the literal one first. Further ones repair what models are
// known to get wrong; they count only where the literal name does not exist.
func (w *Workspace) readings(path string) ([]string, error) {
	if err := checkText(path, path); err != nil {
		return nil, err
	}
	bare := w.dropAt(path)
	var out []string
	for _, text := range []string{bare, dropTag(bare), plainSpaces(bare), plainSpaces(dropTag(bare))} {
		rel, err := w.relative(path, text)
		if err != nil {
			return nil, err
		}
		if len(out) == 0 || out[len(out)-1] != rel {
			out = append(out, rel)
		}
	}
	return out, nil
}

func checkText(path, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return refuse(KindInvalid, path, "the path is empty", "name a file, relative to the workspace")
	case strings.ContainsRune(text, 0):
		return refuse(KindInvalid, path, "the path holds a NUL byte", "send the plain file name")
	case !utf8.ValidString(text):
		return refuse(KindInvalid, path, "the path is not valid UTF-8", "use exec for files with such names")
	case len(text) > maxPathBytes:
		return refuse(KindInvalid, path, "the path is longer than 4096 bytes", "check the argument")
	}
	for name := range strings.SplitSeq(text, "/") {
		if len(name) > maxNameBytes {
			return refuse(KindInvalid, path, "a name in the path is longer than 255 bytes", "check the argument")
		}
	}
	return nil
}

// dropAt strips the @ by which people mark files in chats, unless something of
// that literal name lies at the top of the workspace ("@scope/package").
func (w *Workspace) dropAt(path string) string {
	rest, found := strings.CutPrefix(path, "@")
	if !found || rest == "" {
		return path
	}
	first, _, _ := strings.Cut(path, "/")
	if _, err := w.root.Lstat(first); err == nil {
		return path
	}
	return rest
}

// leakedTag is the end of an XML-like call syntax that slipped into a value.
var leakedTag = regexp.MustCompile(`(?:</[A-Za-z_]+>+)+\s*$`)

func dropTag(path string) string {
	if cut := leakedTag.ReplaceAllString(path, ""); cut != "" {
		return cut
	}
	return path
}

// plainSpaces replaces the spaces of typography, which look like a space and
// are none.
func plainSpaces(path string) string {
	return strings.Map(func(r rune) rune {
		if r != ' ' && unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, path)
}

// relative turns one reading into a clean path below the workspace. It keeps a
// final slash, which asks for a folder.
func (w *Workspace) relative(path, text string) (string, error) {
	text, err := w.expand(path, text)
	if err != nil {
		return "", err
	}
	slash := strings.HasSuffix(text, "/")
	rel := filepath.Clean(text)
	if filepath.IsAbs(rel) {
		var ok bool
		if rel, ok = w.inside(rel); !ok {
			return "", w.outside(path)
		}
	}
	if !filepath.IsLocal(rel) {
		return "", w.outside(path)
	}
	if slash && rel != "." {
		rel += "/"
	}
	return rel, nil
}

// expand resolves ~/ and file:// to absolute paths.
func (w *Workspace) expand(path, text string) (string, error) {
	if text == "~" || strings.HasPrefix(text, "~/") {
		if w.opts.Home == "" {
			return "", refuse(KindInvalid, path, "there is no home folder", "use a path relative to the workspace")
		}
		return w.opts.Home + text[1:], nil
	}
	if len(text) < 7 || !strings.EqualFold(text[:7], "file://") {
		return text, nil
	}
	host, rest, _ := strings.Cut(text[7:], "/")
	if (host != "" && host != "localhost") || strings.ContainsAny(rest, "?#") {
		return "", refuse(KindInvalid, path, "this file:// address names no local file", "use a path relative to the workspace")
	}
	decoded, err := url.PathUnescape("/" + rest)
	if err != nil {
		return "", &Error{Kind: KindInvalid, Path: path, Reason: "the file:// address is malformed", Err: err}
	}
	return decoded, checkText(path, decoded)
}

// inside gives the part of a clean absolute path below the workspace, which
// may be written with or without the links that lead to it.
func (w *Workspace) inside(abs string) (string, bool) {
	for _, base := range []string{w.real, w.given} {
		if rel, err := filepath.Rel(base, abs); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

func (w *Workspace) outside(path string) error {
	return refuse(KindOutside, path, "path leaves the workspace "+w.real, "only files below the workspace can be used")
}
