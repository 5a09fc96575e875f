package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// everything is the entry that matches every tool.
const everything = "*"

// picked is the one policy that a section gives: what it allows and denies. A
// list that is nil was not written.
type picked struct {
	allow []Entry
	deny  []Entry
	// implicit is set when "*" was not written but follows from an alsoAllow
	// without an allow list.
	implicit bool
}

// pick reads the lists of a section: alsoAllow adds to allow, and without an
// allow list it restricts nothing. It answers false for a section that gives
// no policy at all.
func pick(s Section) (picked, bool) {
	var p picked
	if s.Deny.written() {
		p.deny = present(s.Deny.Entries)
	}
	also := s.AlsoAllow.Entries
	switch {
	case s.Allow.written() && (len(s.Allow.Entries) > 0 || len(also) == 0):
		p.allow = present(s.Allow.Entries)
		if len(also) > 0 {
			p.allow = union(s.Allow.Entries, also)
		}
	case len(also) > 0:
		p.allow = union([]Entry{{Text: everything}}, also)
		p.implicit = !s.Allow.written() && !hasEverything(also)
	}
	return p, p.allow != nil || p.deny != nil
}

// present makes a list that was written differ from one that was not.
func present(list []Entry) []Entry {
	if list == nil {
		return []Entry{}
	}
	return list
}

// union appends the entries of more whose text is not there yet.
func union(list, more []Entry) []Entry {
	out := make([]Entry, 0, len(list)+len(more))
	if cap(out) <= fewEntries {
		for _, part := range [2][]Entry{list, more} {
			for _, e := range part {
				if !slices.ContainsFunc(out, func(x Entry) bool { return x.Text == e.Text }) {
					out = append(out, e)
				}
			}
		}
		return out
	}
	seen := make(map[string]bool, cap(out))
	for _, part := range [2][]Entry{list, more} {
		for _, e := range part {
			if !seen[e.Text] {
				seen[e.Text] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// fewEntries is up to where looking through a list is quicker than a map.
const fewEntries = 64

func hasEverything(list []Entry) bool {
	for _, e := range list {
		if names.Trim(e.Text) == everything {
			return true
		}
	}
	return false
}

// usable reports whether an entry says anything: blank ones do not.
func usable(list []Entry) bool {
	for _, e := range list {
		if names.Trim(e.Text) != "" {
			return true
		}
	}
	return false
}

// builtIn gives entries that no file holds.
func builtIn(texts ...string) []Entry {
	out := make([]Entry, len(texts))
	for i, text := range texts {
		out[i].Text = text
	}
	return out
}
