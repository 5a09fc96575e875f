package registry

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestSessionStart(t *testing.T) {
	r := start(t, source(Core, "", "read", "exec"), source(Extension, "e", "exec"), source(MCP, "m", "mail"))
	for name, c := range map[string]struct {
		opts      *SessionOptions
		has, uses []string
	}{
		"nothing said":     {nil, []string{"read", "exec", "mail"}, []string{"read", "exec", "mail"}},
		"allowed":          {&SessionOptions{Allowed: []string{"mail", "ghost", "read"}}, []string{"read", "mail"}, []string{"read", "mail"}},
		"nothing allowed":  {&SessionOptions{Allowed: []string{}}, nil, nil},
		"no built-ins":     {&SessionOptions{NoBuiltIns: true}, []string{"mail"}, []string{"mail"}},
		"active":           {&SessionOptions{Active: []string{"mail", "ghost", "read", "mail"}}, []string{"read", "exec", "mail"}, []string{"mail", "read", "mail"}},
		"nothing active":   {&SessionOptions{Active: []string{}}, []string{"read", "exec", "mail"}, nil},
		"active, but gone": {&SessionOptions{NoBuiltIns: true, Active: []string{"exec", "mail"}}, []string{"mail"}, []string{"mail"}},
	} {
		v := NewSession(r, c.opts).View()
		if got := namesOf(v.Rows); !slices.Equal(got, c.has) {
			t.Errorf("%s: has %q, want %q", name, got, c.has)
		}
		if got := v.Names(); !slices.Equal(got, c.uses) {
			t.Errorf("%s: uses %q, want %q", name, got, c.uses)
		}
	}
}

func namesOf(rows []*Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func TestUnknownNamesAreSkippedAndReported(t *testing.T) {
	s := NewSession(start(t, source(Core, "", "read", "exec")), &SessionOptions{Allowed: []string{"read", "later"}})
	if got := s.SetActive("exec", "read", "Read", "read"); !slices.Equal(got, []string{"exec", "Read"}) {
		t.Errorf("unknown %q", got)
	}
	if got := s.View().Names(); !slices.Equal(got, []string{"read", "read"}) {
		t.Errorf("active %q", got)
	}
	if got := s.Refresh(&RefreshOptions{Active: []string{"later"}}); !slices.Equal(got, []string{"later"}) {
		t.Errorf("unknown %q", got)
	}
	if got := s.Refresh(nil); got != nil {
		t.Errorf("unknown %q", got)
	}
}

// TestAViewStays: whoever holds one is not disturbed by what comes later.
func TestAViewStays(t *testing.T) {
	r := start(t, source(Core, "", "read", "exec"))
	s := NewSession(r, nil)
	before := s.View()
	s.SetActive("exec")
	if err := r.Refresh(source(Core, "", "write")); err != nil {
		t.Fatal(err)
	}
	if got := s.View().Names(); !slices.Equal(got, []string{"exec"}) {
		t.Errorf("the session moved before its refresh: %q", got)
	}
	s.Refresh(nil)
	if got := s.View().Names(); !slices.Equal(got, []string{"write"}) {
		t.Errorf("active %q", got)
	}
	if got := before.Names(); !slices.Equal(got, []string{"read", "exec"}) || before.Find("read") == nil || before.Find("write") != nil {
		t.Errorf("the old view has %q", got)
	}
}

// TestMostSessionsShareTheirRows keeps a session small.
func TestMostSessionsShareTheirRows(t *testing.T) {
	r := start(t, source(Core, "", "read", "exec"))
	s := NewSession(r, nil)
	s.Refresh(nil)
	v := s.View()
	if &v.Rows[0] != &r.Snapshot().Rows[0] || &v.Active[0] != &v.Rows[0] {
		t.Error("the session has lists of its own")
	}
}

func TestSessionUnderManyGoroutines(t *testing.T) {
	sources := []Source{source(Core, "", "read", "exec"), source(MCP, "m", "mail")}
	r := start(t, sources...)
	s := NewSession(r, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				if err := r.Refresh(sources[:1+i%2]...); err != nil {
					t.Error(err)
				}
				s.Refresh(&RefreshOptions{All: i%2 == 0})
				s.SetActive("read", "mail")
				v := s.View()
				for _, row := range v.Active {
					if v.Find(row.Name) != row {
						t.Errorf("%s is active and not there", row.Name)
					}
				}
			}
		})
	}
	wg.Wait()
}

// model is the active set as one would write it down.
type model struct {
	allowed    []string // nil allows all
	noBuiltIns bool
	known      []string
	active     []string
}

func (m *model) admitted(sources []Source) (names []string) {
	order, _ := expected(sources)
	builtIn := map[string]bool{}
	for _, s := range sources {
		for _, t := range s.Tools {
			builtIn[t.Name] = builtIn[t.Name] || s.Kind == Core
		}
	}
	for _, name := range order {
		if (m.allowed == nil || slices.Contains(m.allowed, name)) && !(m.noBuiltIns && builtIn[name]) {
			names = append(names, name)
		}
	}
	return names
}

// added are the names that others than core win, in the order in which the
// sources come.
func added(sources []Source) (names []string) {
	_, winner := expected(sources)
	for _, kind := range kinds[1:] {
		for _, s := range sources {
			for _, t := range s.Tools {
				if s.Kind == kind && !strings.HasPrefix(winner[t.Name], "core") && !slices.Contains(names, t.Name) {
					names = append(names, t.Name)
				}
			}
		}
	}
	return names
}

func (m *model) refresh(sources []Source, o RefreshOptions) {
	names := m.admitted(sources)
	wanted := m.active
	if o.Active != nil {
		wanted = o.Active
	}
	wanted = slices.Clone(wanted)
	if m.allowed == nil && o.All {
		wanted = append(wanted, added(sources)...)
	}
	for _, name := range names {
		switch {
		case m.allowed != nil:
			wanted = append(wanted, name)
		case !o.All && o.Active == nil && !slices.Contains(m.known, name):
			wanted = append(wanted, name)
		}
	}
	m.known, m.active = names, nil
	for _, name := range wanted {
		if slices.Contains(names, name) && !slices.Contains(m.active, name) {
			m.active = append(m.active, name)
		}
	}
}

func (m *model) set(wanted []string) {
	m.active = nil
	for _, name := range wanted {
		if slices.Contains(m.known, name) {
			m.active = append(m.active, name)
		}
	}
}

func TestActiveSetFollowsTheModel(t *testing.T) {
	some := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "ghost"}))
	orNil := rapid.OneOf(rapid.Just[[]string](nil), rapid.Map(some, func(s []string) []string { return append([]string{}, s...) }))
	rapid.Check(t, func(t *rapid.T) {
		m := &model{allowed: orNil.Draw(t, "allowed"), noBuiltIns: rapid.Bool().Draw(t, "no built-ins")}
		sources := drawSources(t, "sources")
		r, err := New(nil, sources...)
		if err != nil {
			t.Fatal(err)
		}
		s := NewSession(r, &SessionOptions{Allowed: m.allowed, NoBuiltIns: m.noBuiltIns})
		m.refresh(sources, RefreshOptions{})
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				v := s.View()
				if !slices.Equal(v.Names(), m.active) || !slices.Equal(namesOf(v.Rows), m.known) {
					t.Fatalf("active %q of %q, want %q of %q", v.Names(), namesOf(v.Rows), m.active, m.known)
				}
			},
			"swap": func(t *rapid.T) {
				sources = drawSources(t, "sources")
				if err := r.Refresh(sources...); err != nil {
					t.Fatal(err)
				}
				o := RefreshOptions{Active: orNil.Draw(t, "active"), All: rapid.Bool().Draw(t, "all")}
				s.Refresh(&o)
				m.refresh(sources, o)
			},
			"set": func(t *rapid.T) {
				wanted := some.Draw(t, "wanted")
				unknown := s.SetActive(wanted...)
				m.set(wanted)
				if len(unknown)+len(m.active) != len(wanted) {
					t.Fatalf("unknown %q of %q", unknown, wanted)
				}
			},
		})
	})
}
