package registry

import (
	"slices"
)

// Snapshot is what was registered at one moment. It is immutable; rows that
// did not change are shared with the next one.
type Snapshot struct {
	Version uint64
	Rows    []*Row
	// Skipped are tools that were left out, source by source.
	Skipped []Skipped
	// LeftOut are whole sources that break the contract.
	LeftOut []ContractError

	at    map[string]int // name → index of its row; nil when made by hand
	added []int          // rows that core did not bring, in the order of their sources
}

// Find gives the row of the tool with exactly this name, or nil.
func (s *Snapshot) Find(name string) *Row {
	if s.at != nil {
		if i, ok := s.at[name]; ok {
			return s.Rows[i]
		}
		return nil
	}
	for _, row := range s.Rows {
		if row.Name == name {
			return row
		}
	}
	return nil
}

// same reports whether nobody could tell s from last.
func (s *Snapshot) same(last *Snapshot) bool {
	return last.Version > 0 && slices.Equal(s.Rows, last.Rows) && slices.Equal(s.Skipped, last.Skipped) && slices.Equal(s.added, last.added) &&
		slices.EqualFunc(s.LeftOut, last.LeftOut, func(a, b ContractError) bool { return a.Error() == b.Error() })
}
