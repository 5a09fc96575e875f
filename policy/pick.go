package policy

// picked is the one policy that a section gives: what it allows and denies.
type picked struct {
	allow []Entry
	deny  []Entry
	// implicit is set when "*" was not written but follows from an alsoAllow
	// without an allow list.
	implicit bool
}

// pick reads the lists of a section: alsoAllow adds to allow, and without an
// allow list it restricts nothing.
func pick(s Section) picked {
	p := picked{deny: s.Deny.Entries}
	also := s.AlsoAllow.Entries
	switch {
	case s.Allow.Set && (len(s.Allow.Entries) > 0 || len(also) == 0):
		p.allow = append(append([]Entry(nil), s.Allow.Entries...), also...)
	case len(also) > 0:
		p.allow = append([]Entry{{Text: "*"}}, also...)
		p.implicit = !s.Allow.Set
	}
	return p
}

// empty reports whether the section says nothing about tools.
func (s Section) empty() bool {
	return !s.Allow.Set && len(s.AlsoAllow.Entries) == 0 && !s.Deny.Set
}
