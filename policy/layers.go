package policy

import (
	"strings"

	"github.com/toolrest/toolrest"
)

// Dialect chooses between the two sets of decisions. They are listed in
// docs/policy.md; all else is the same.
type Dialect uint8

// The dialects.
const (
	Default  Dialect = iota // loses nothing, opens nothing by accident
	OpenClaw                // decides as OpenClaw v2026.6.11 does
)

// Layer is a policy with its label and its place in the pipeline.
type Layer struct {
	// Label is the config path that people know the layer by: "tools.allow",
	// "agents.ops.tools.allow". It stands for the whole layer.
	Label string
	Allow []Entry
	Deny  []Entry
	// Profile is set for a layer that a profile gave.
	Profile string
	// AllowPath and DenyPath are where an edit of the lists would go, and
	// AllowPos where the allow list, or the profile, was written.
	AllowPath, DenyPath string
	AllowPos            toolrest.Pos
	// Widen is the edit that lets one more tool through, where adding to the
	// allow list is not it. Its Value is filled with the tool's name when it
	// is empty.
	Widen *Edit
	// Lift is the edit that takes a tool out of the built-in part of Deny: of
	// the entries that no file holds. Its Value is filled as that of Widen.
	Lift *Edit
	// Remedy, where it is set, says what a person does instead of editing.
	Remedy string
	// Place is where the layer stands in the pipeline.
	Place Place
	// Exact compares the entries with the raw name of a tool: no normalising,
	// no groups, no globs, no link from write to apply_patch.
	Exact bool
	// Closed makes an allow list without usable entries let nothing through;
	// otherwise such a list restricts nothing.
	Closed bool
	// Named judges optional tools alone, and wants them named in the allow
	// list: by name, by plugin id or by group:plugins; never by a glob or a
	// group, and by "*" only in the dialect OpenClaw. A list that names none
	// lets none through.
	Named bool
	// Why is said in the reason of a removal: "a voice channel cannot carry
	// it".
	Why string
	// Implicit is set when the "*" at the head of Allow was not written but
	// follows from an alsoAllow without an allow list.
	Implicit bool
}

// DenyLabel is the layer's label when one of its deny entries decided.
func DenyLabel(label string) string {
	if strings.Contains(label, ".allow") {
		return strings.Replace(label, ".allow", ".deny", 1)
	}
	return label + ".deny"
}
