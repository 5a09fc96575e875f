package replay

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// Version is the version of the format.
const Version = 1

// Header is what a recording says of itself.
type Header struct {
	Toolrest string `json:"toolrest"` // "replay"
	Version  int    `json:"version"`
	Model    string `json:"model,omitempty"` // which model it was
	About    string `json:"about,omitempty"`
	Prompt   string `json:"prompt,omitempty"`
	// Workspace is a folder, relative to the file's: see
	// [Recording.CopyWorkspace].
	Workspace string `json:"workspace,omitempty"`
	DelayMs   int    `json:"delayMs,omitempty"`
}

const maxDelayMs = 1000

// Delay is the pause before each piece.
func (h Header) Delay() time.Duration { return time.Duration(h.DelayMs) * time.Millisecond }

// maxText bounds the texts of a header, in bytes: they are shown to people.
const maxText = 4096

func readHeader(line []byte) (Header, error) {
	var h Header
	var known struct {
		Toolrest *string `json:"toolrest"`
	}
	if json.Unmarshal(line, &known) != nil || known.Toolrest == nil || *known.Toolrest != "replay" {
		return h, fmt.Errorf(`this is no recording: the first line has no "toolrest":"replay"`)
	}
	if err := strict(line, &h); err != nil {
		return h, fmt.Errorf("the header: %w", err)
	}
	switch {
	case h.Version != Version:
		return h, fmt.Errorf("the recording has version %d, and this program plays version %d", h.Version, Version)
	case h.DelayMs < 0 || h.DelayMs > maxDelayMs:
		return h, fmt.Errorf("the header: delayMs is %d, not between 0 and %d", h.DelayMs, maxDelayMs)
	case h.Workspace != "" && !filepath.IsLocal(h.Workspace):
		return h, fmt.Errorf("the header: workspace must be a folder below that of the recording")
	}
	for _, s := range []string{h.Model, h.About, h.Prompt} {
		if len(s) > maxText || !printable(s) {
			return h, fmt.Errorf("the header: a text has more than %d bytes or cannot be printed", maxText)
		}
	}
	return h, nil
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' })
}
