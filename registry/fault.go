package registry

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// The codes of contract errors.
const (
	CodeDuplicate  = "duplicate-tool-name" // two tools of the source have one name
	CodeNoExecutor = "missing-executor"    // a tool has nothing to run
	CodeSourceName = "source-name"         // the source's name cannot be used
	CodeIDTaken    = "plugin-id-taken"     // a tool is named like the plugin
	CodeRefused    = "refused"             // the registry's Check refuses the source
)

// ContractError is a fault for which a source as a whole brings no tools.
type ContractError struct {
	Code   string `json:"code"`
	Tool   string `json:"tool,omitempty"` // where one tool is at fault
	Source string `json:"source"`         // the source's label
	Reason string `json:"reason"`
	Err    error  `json:"-"` // what Check said, for CodeRefused

	tools []string // the names of all that the source would have brought
}

func (e *ContractError) Error() string {
	return fmt.Sprintf("%s is left out: %s", e.Source, e.Reason)
}

// Unwrap gives what Check said.
func (e *ContractError) Unwrap() error { return e.Err }

// Skipped is one tool that was left out, while the others of its source are
// there.
type Skipped struct {
	Tool   string `json:"tool"`
	Source string `json:"source"`
	// Holder is the source that has the name, when that is the reason.
	Holder string `json:"holder,omitempty"`
	Reason string `json:"reason"`
}

func (s Skipped) String() string {
	return fmt.Sprintf("%s of %s is left out: %s", names.Show(s.Tool), s.Source, s.Reason)
}

// Absent says why a tool that a source brings is not there, by its exact name;
// ok is false where no source was left out with it. It costs as much as was
// left out.
func (s *Snapshot) Absent(name string) (reason string, ok bool) {
	for i := range s.Skipped {
		if s.Skipped[i].Tool == name {
			return s.Skipped[i].String(), true
		}
	}
	for i := range s.LeftOut {
		if slices.Contains(s.LeftOut[i].tools, name) {
			return s.LeftOut[i].Error(), true
		}
	}
	return "", false
}

// maxNotes is how many tools of one source Notes names.
const maxNotes = 10

// Notes are what a person should know: which sources and tools are left out,
// and why. Of a source that lost many tools it names a few.
func (s *Snapshot) Notes() []string {
	var out []string
	for i := range s.LeftOut {
		out = append(out, s.LeftOut[i].Error())
	}
	for from := 0; from < len(s.Skipped); {
		to := from + 1
		for to < len(s.Skipped) && s.Skipped[to].Source == s.Skipped[from].Source {
			to++
		}
		for _, one := range s.Skipped[from:min(to, from+maxNotes)] {
			out = append(out, one.String())
		}
		if more := to - from - maxNotes; more > 0 {
			out = append(out, fmt.Sprintf("and %d more tools of %s", more, s.Skipped[from].Source))
		}
		from = to
	}
	return out
}

// Err gives an error when anything was left out.
func (s *Snapshot) Err() error {
	var errs []error
	for i := range s.LeftOut {
		errs = append(errs, &s.LeftOut[i])
	}
	if n := len(s.Skipped); n > 0 {
		errs = append(errs, fmt.Errorf("%d tools are left out, the first: %s", n, s.Skipped[0]))
	}
	return errors.Join(errs...)
}
