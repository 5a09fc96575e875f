package applypatch

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/internal/workspace"
)

// HunkKind classes the errors of [Apply].
type HunkKind string

// The classes of errors.
const (
	KindNotFound  HunkKind = "context-not-found" // the hunk's lines or anchor are not in the file
	KindAmbiguous HunkKind = "ambiguous"         // they fit in several places
)

// HunkError says which hunk does not fit its file.
type HunkError struct {
	Kind HunkKind
	// Line is the hunk's first line in the patch, 1-based.
	Line int
	// Lines are the places in the file that matter, 1-based.
	Lines []int
	Text  string
}

// Error gives the sentence that the model reads.
func (e *HunkError) Error() string { return fmt.Sprintf("hunk of patch line %d: %s", e.Line, e.Text) }

// maxListed is how many places of one hunk are listed.
const maxListed = 20

func ambiguous(h Hunk, places []int) error {
	e := &HunkError{Kind: KindAmbiguous, Line: h.Line}
	var list []string
	for i, p := range places {
		if i == maxListed {
			list = append(list, "and more")
			break
		}
		e.Lines = append(e.Lines, p+1)
		list = append(list, strconv.Itoa(p+1))
	}
	e.Text = "ambiguous: apart from spaces and typography it fits at lines " + strings.Join(list, ", ") +
		" of the file; copy its lines exactly, and take in more context"
	return e
}

// diffHeader is what git and diff write behind @@.
var diffHeader = regexp.MustCompile(`^-\d+(,\d+)? \+\d+(,\d+)? @@`)

func (s *search) noAnchor(h Hunk, anchor string, from int) error {
	e := &HunkError{Kind: KindNotFound, Line: h.Line}
	switch above := s.find1(anchor, 0); {
	case diffHeader.MatchString(anchor):
		e.Text = "line numbers behind @@ are not used; write @@ alone, or with a line of the file that stands above the change"
	case above >= 0 && above < from:
		e.Lines = []int{above + 1}
		e.Text = fmt.Sprintf("its @@ line stands only in line %d of the file, above the place reached before (line %d); put hunks and anchors in the order of the file", above+1, from)
	default:
		e.Text = fmt.Sprintf("its @@ line is not in the file: %s; copy a whole line from the file, or write @@ alone", workspace.Show(anchor))
	}
	return e
}

// find1 gives the first line that fits, or -1.
func (s *search) find1(line string, from int) int {
	at := -1
	eachMatch(s.reduced(typography), []string{reduce(line, typography)}, from, func(i int) bool {
		at = i
		return false
	})
	return at
}

func (s *search) notFound(h Hunk, from int) error {
	e := &HunkError{Kind: KindNotFound, Line: h.Line}
	old := oldLines(h.Lines)
	if h.AtEnd {
		if c, _, err := s.find(Hunk{}, h.Lines, from); err != nil || c.count > 0 {
			e.Text = "its lines do not stand at the end of the file; drop *** End of File"
			return e
		}
	}
	if c, _, err := s.find(Hunk{}, h.Lines, 0); err == nil && c.count > 0 {
		e.Lines = []int{c.start + 1}
		e.Text = fmt.Sprintf("its lines stand only at line %d of the file, above the place reached before (line %d); put hunks in the order of the file", c.start+1, from)
		return e
	}
	at, fit := s.closest(old)
	switch {
	case fit == 0:
		e.Text = fmt.Sprintf("its lines are not in the file, beginning with %s; read the file again and copy them", workspace.Show(old[0]))
	case at+fit == len(s.lines):
		e.Lines = []int{at + 1}
		e.Text = fmt.Sprintf("%d of its %d lines fit at line %d, then the file ends; read the file again", fit, len(old), at+1)
	default:
		e.Lines = []int{at + 1, at + fit + 1}
		e.Text = fmt.Sprintf("%d of its %d lines fit at line %d, but line %d is %s and the patch has %s; read the file again and copy them",
			fit, len(old), at+1, at+fit+1, workspace.Show(s.lines[at+fit].text), workspace.Show(old[fit]))
	}
	return e
}

// closest finds where most lines from the first on fit.
func (s *search) closest(old []string) (at, fit int) {
	const maxCompared = 50
	keys := s.reduced(typography)
	old = reduceAll(old[:min(len(old), maxCompared)], typography)
	if slices.IndexFunc(old, func(l string) bool { return l != "" }) < 0 {
		return 0, 0
	}
	for i := range keys {
		n := 0
		for n < len(old) && i+n < len(keys) && keys[i+n] == old[n] {
			n++
		}
		if n > fit {
			at, fit = i, n
		}
	}
	return at, fit
}
