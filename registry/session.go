package registry

import (
	"slices"
	"sync"
	"sync/atomic"
)

// SessionOptions are what a session may have and what it starts with.
type SessionOptions struct {
	// Allowed are the only tools that the session can ever have. Nil allows
	// every one, an empty list none.
	Allowed []string
	// NoBuiltIns keeps the built-in tools out, and their names.
	NoBuiltIns bool
	// Active are the tools that are active at first. Nil is every tool.
	Active []string
}

// Session is the active set of one session: which of the registered tools it
// has, and which of those it uses. It only ever narrows what the registry
// has, and decides nothing about policy. It is safe for use by several
// goroutines.
type Session struct {
	registry   *Registry
	allowed    map[string]bool // nil allows all
	noBuiltIns bool
	mu         sync.Mutex // one change at a time
	view       atomic.Pointer[View]
}

// NewSession starts a session on what is registered now.
func NewSession(r *Registry, opts *SessionOptions) *Session {
	if r == nil {
		panic("registry: NewSession needs a registry")
	}
	s := &Session{registry: r}
	var first []string
	if opts != nil {
		s.noBuiltIns, first = opts.NoBuiltIns, opts.Active
		if opts.Allowed != nil {
			s.allowed = make(map[string]bool, len(opts.Allowed))
			for _, name := range opts.Allowed {
				s.allowed[name] = true
			}
		}
	}
	v := s.look()
	if first == nil {
		v.Active = v.Rows
	} else {
		v.Active, _ = v.pick(first)
	}
	s.view.Store(v)
	return s
}

// View gives what the session has now.
func (s *Session) View() *View { return s.view.Load() }

// RefreshOptions say what is active after a refresh.
type RefreshOptions struct {
	// Active replaces what was active. Nil keeps it and adds the tools that
	// are new, an empty list empties it.
	Active []string
	// All adds every tool that is not built in.
	All bool
}

// Refresh takes over what is registered now. A session with a list of allowed
// tools has all of them active afterwards. It gives the names in Active that
// the session does not have; they are skipped.
func (s *Session) Refresh(opts *RefreshOptions) (unknown []string) {
	var o RefreshOptions
	if opts != nil {
		o = *opts
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last, next := s.view.Load(), s.look()
	wanted := o.Active
	if wanted == nil {
		wanted = last.Names()
	} else {
		_, unknown = next.pick(wanted)
	}
	next.activate(append(slices.Clip(wanted), next.added(last, o)...))
	s.view.Store(next)
	return unknown
}

// SetActive replaces what is active, in the order given, repeats included. It
// gives the names that the session does not have; they are skipped.
func (s *Session) SetActive(active ...string) (unknown []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.view.Load()
	next := &View{session: s, Snapshot: last.Snapshot, Rows: last.Rows}
	next.Active, unknown = next.pick(active)
	s.view.Store(next)
	return unknown
}

// look makes a view of what is registered now, with nothing active.
func (s *Session) look() *View {
	v := &View{session: s, Snapshot: s.registry.Snapshot()}
	if s.allowed == nil && !s.noBuiltIns {
		v.Rows = v.Snapshot.Rows // shared: most sessions have everything
		return v
	}
	for _, row := range v.Snapshot.Rows {
		if s.admits(row) {
			v.Rows = append(v.Rows, row)
		}
	}
	return v
}

func (s *Session) admits(row *Row) bool {
	return (s.allowed == nil || s.allowed[row.Name]) && !(s.noBuiltIns && row.BuiltIn)
}
