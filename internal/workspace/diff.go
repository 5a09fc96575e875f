package workspace

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

const (
	maxDiffInput  = 4 << 20
	maxDiffOutput = 256 << 10
	contextLines  = 3
)

// Diff gives the unified diff of one file for people to read. A nil before is
// a new file, a nil after one that is gone. Very large and binary contents are
// only described, and a diff above 256 KiB is cut. Equal contents give "".
func Diff(path string, before, after []byte) string {
	from, to := "a/"+Show(path), "b/"+Show(path)
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	switch {
	case from == to, before != nil && after != nil && bytes.Equal(before, after):
		return ""
	case len(before) > maxDiffInput || len(after) > maxDiffInput:
		return fmt.Sprintf("--- %s\n+++ %s\n(%d bytes before, %d after: too large to show)\n", from, to, len(before), len(after))
	case !utf8.Valid(before) || !utf8.Valid(after) || bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0:
		return fmt.Sprintf("--- %s\n+++ %s\n(binary: %d bytes before, %d after)\n", from, to, len(before), len(after))
	case len(before) == 0 && len(after) == 0: // an empty file came or went
		return fmt.Sprintf("--- %s\n+++ %s\n", from, to)
	}
	old := string(before)
	text, err := udiff.ToUnified(from, to, old, udiff.Lines(old, string(after)), contextLines)
	if err != nil {
		panic("workspace: a diff that does not fit its own text: " + err.Error())
	}
	return cutDiff(text)
}

func cutDiff(text string) string {
	if len(text) <= maxDiffOutput {
		return text
	}
	end := strings.LastIndexByte(text[:maxDiffOutput], '\n') + 1
	return fmt.Sprintf("%s(cut: %d more bytes of diff)\n", text[:end], len(text)-end)
}
