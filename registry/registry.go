// Package registry holds which tools exist. Sources bring tools; a refresh
// merges all of them into a new immutable [Snapshot] and swaps it in, so that
// a call which is under way keeps what it started with. The registry decides
// nothing about who may use a tool, and builds no executor.
package registry

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/toolrest/toolrest"
)

// Kind is what a source is, and so whether its tools may replace others.
type Kind string

// The kinds of sources.
const (
	Core      Kind = "core"      // the built-in tools
	Extension Kind = "extension" // registered by code that embeds the library; replaces core
	SDK       Kind = "sdk"       // a program's own tools; replaces core and extensions
	Plugin    Kind = "plugin"    // never replaces
	MCP       Kind = "mcp"       // never replaces
)

func (k Kind) replaces() bool { return k == Extension || k == SDK }

// Source is where tools come from.
type Source struct {
	Kind  Kind
	Name  string // the plugin, server or program; may be empty for core
	Tools []toolrest.Tool
}

// Label names the source in messages.
func (s Source) Label() string {
	if s.Name == "" {
		return string(s.Kind)
	}
	return string(s.Kind) + " " + s.Name
}

// Options refine a registry. The zero value is good.
type Options struct {
	// Check judges a new snapshot before it is swapped in; an error keeps the
	// last one.
	Check func(*Snapshot) error
}

// Registry holds the current snapshot. It is safe for use by several
// goroutines.
type Registry struct {
	check   func(*Snapshot) error
	mu      sync.Mutex // one refresh at a time
	current atomic.Pointer[Snapshot]
}

// New merges the sources. It fails when a tool cannot be registered at all: no
// name, or a schema that is not a JSON object.
func New(opts *Options, sources ...Source) (*Registry, error) {
	r := &Registry{}
	if opts != nil {
		r.check = opts.Check
	}
	r.current.Store(&Snapshot{})
	if err := r.Refresh(sources...); err != nil {
		return nil, err
	}
	return r, nil
}

// Snapshot gives what is registered now.
func (r *Registry) Snapshot() *Snapshot { return r.current.Load() }

// Refresh rebuilds everything from the sources, which are merged in the order
// in which they are given, and swaps the result in. On an error the last
// snapshot stays.
func (r *Registry) Refresh(sources ...Source) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next, err := merge(sources)
	if err == nil && r.check != nil {
		err = r.check(next)
	}
	if err != nil {
		return fmt.Errorf("refresh the registry: %w", err)
	}
	next.Version = r.current.Load().Version + 1
	r.current.Store(next)
	return nil
}

// merge lets later sources replace earlier ones where their kind may; what
// replaces a tool takes its place in the order. Names that repeat inside one
// source stay in, for the plan to refuse: nobody could tell which was meant.
func merge(sources []Source) (*Snapshot, error) {
	m := merger{snap: &Snapshot{}, from: map[string]int{}, at: map[string]int{}}
	var errs []error
	for i, source := range sources {
		for _, tool := range source.Tools {
			if err := m.add(i, source, tool); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return m.snap, errors.Join(errs...)
}

type merger struct {
	snap *Snapshot
	from map[string]int // name → index of the source that has it
	at   map[string]int // name → index of its row
}

func (m *merger) add(index int, source Source, tool toolrest.Tool) error {
	row, err := newRow(source, tool)
	if err != nil {
		return err
	}
	holder, taken := m.from[tool.Name]
	switch {
	case !taken || holder == index:
		m.from[tool.Name], m.at[tool.Name] = index, len(m.snap.Rows)
		m.snap.Rows = append(m.snap.Rows, row)
	case source.Kind.replaces():
		m.from[tool.Name] = index
		m.snap.Rows[m.at[tool.Name]] = row
	default:
		m.snap.Skipped = append(m.snap.Skipped, Skipped{
			Tool: tool.Name, Source: source.Label(), Holder: m.snap.Rows[m.at[tool.Name]].Source,
		})
	}
	return nil
}
