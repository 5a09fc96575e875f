package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Fix is the smallest change after which a tool is no longer removed.
type Fix struct {
	Edits []Edit `json:"edits,omitempty"`
	// Remedies are steps that are not edits.
	Remedies []string `json:"remedies,omitempty"`
}

// Empty reports whether there is nothing to change.
func (f Fix) Empty() bool { return len(f.Edits) == 0 && len(f.Remedies) == 0 }

// Allow gives the change that would let t through every layer. It is empty
// when nothing stands in the way.
func (p *Pipeline) Allow(t Tool) Fix {
	s := normaliseTool(t)
	var f Fix
	for i := range p.layers {
		l := &p.layers[i]
		if !l.judge(s, p.dialect).Effect.Removes() {
			continue
		}
		if l.Remedy != "" {
			f.Remedies = append(f.Remedies, l.Remedy)
			continue
		}
		denials := l.removeDenials(s, p.dialect)
		f.add(denials...)
		if l.allow != nil && l.allows(s) < 0 {
			f.add(l.addAllow(s.name))
		}
	}
	return f
}

// add takes edits in that are not there yet: one may lift a tool past both
// lists of a layer.
func (f *Fix) add(edits ...Edit) {
	for _, e := range edits {
		if !slices.Contains(f.Edits, e) {
			f.Edits = append(f.Edits, e)
		}
	}
}

// removeDenials removes every entry that denies, for one that is left would
// still decide.
func (l *compiled) removeDenials(s subject, d Dialect) []Edit {
	hit := map[int]bool{}
	l.deny.each(s, func(i int) { hit[i] = true })
	if w, ok := linked(s); ok && d == Default {
		l.deny.each(w, func(i int) { hit[i] = true })
	}
	var out []Edit
	if l.deny == nil {
		return nil
	}
	for i, e := range l.deny.entries {
		switch {
		case !hit[i]:
		case l.Lift != nil && e.Pos.IsZero():
			out = append(out, filled(*l.Lift, s.name))
		default:
			out = append(out, Edit{Op: EditRemove, Path: l.DenyPath, Value: e.Text, Pos: e.Pos})
		}
	}
	return out
}

func (l *compiled) addAllow(name string) Edit {
	if l.Widen == nil {
		return Edit{Op: EditAdd, Path: l.AllowPath, Value: name, Pos: l.AllowPos}
	}
	return filled(*l.Widen, name)
}

func filled(e Edit, name string) Edit {
	if e.Value == "" {
		e.Value = name
	}
	return e
}

// maxTold is how many edits are told in one line.
const maxTold = 20

// String tells the change in one line.
func (f Fix) String() string {
	parts := slices.Clone(f.Remedies)
	for i, e := range f.Edits {
		if i == maxTold {
			parts = append(parts, fmt.Sprintf("make %d more changes like these", len(f.Edits)-i))
			break
		}
		parts = append(parts, e.String())
	}
	return strings.Join(parts, "; then ")
}

// String tells the edit, with the place where there is one.
func (e Edit) String() string {
	var text string
	switch e.Op {
	case EditRemove:
		text = fmt.Sprintf("remove '%s' from %s", e.Value, e.Path)
	case EditSet:
		text = fmt.Sprintf("set %s to '%s'", e.Path, e.Value)
	default:
		text = fmt.Sprintf("add '%s' to %s", e.Value, e.Path)
	}
	if p := e.Pos.String(); p != "" {
		text += " (" + p + ")"
	}
	return text
}
