package toolrest

import "strconv"

// Pos is a place in a configuration file. The zero Pos is "nowhere": a rule
// that is built in, or given by code.
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // 1-based
	Col  int    `json:"col,omitempty"`  // 1-based, counted in characters
}

// IsZero reports whether p is nowhere.
func (p Pos) IsZero() bool { return p == Pos{} }

// String gives file:line:col, the form that editors and terminals link.
// It is empty for the zero Pos.
func (p Pos) String() string {
	if p.IsZero() {
		return ""
	}
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}
