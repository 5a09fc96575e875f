package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/catalog"
)

// Fix is the smallest change after which a tool is no longer removed.
type Fix struct {
	Edits []Edit `json:"edits,omitempty"`
	// Wider are entries that could be added in the place of the tool's name, and
	// would let in more than the tool.
	Wider []Wider `json:"wider,omitempty"`
	// Remedies are steps that are not edits.
	Remedies []string `json:"remedies,omitempty"`
}

// Wider is an entry that names more than one tool.
type Wider struct {
	Value string `json:"value"`
	Means string `json:"means"` // "all tools of the plugin notes"
}

// Empty reports whether there is nothing to change.
func (f Fix) Empty() bool { return len(f.Edits) == 0 && len(f.Remedies) == 0 }

// Allow gives the change that would let t through every layer. It is empty
// when nothing stands in the way.
func (p *Pipeline) Allow(t Tool) Fix {
	s := Prepare(t)
	f := fixing{seen: map[Edit]bool{}}
	for i := range p.blocks {
		b := &p.blocks[i]
		deny, allow := b.masks(&s, p.dialect)
		for layer := range min(blockSize, len(p.layers)-b.first) {
			if !p.step(&s, b, layer, deny, allow).Effect.Removes() {
				continue
			}
			f.lift(p, &s, &p.layers[b.first+layer], deny>>layer&1 != 0, b.limits>>layer&1 != 0 && allow>>layer&1 == 0)
		}
	}
	return f.Fix
}

// fixing is a fix to which changes are added.
type fixing struct {
	Fix
	seen map[Edit]bool // Edits: a list can have thousands to remove
}

// lift adds what makes one layer let s through.
func (f *fixing) lift(p *Pipeline, s *Subject, l *Layer, denied, unlisted bool) {
	if l.Remedy != "" {
		f.remedy(l.Remedy)
		return
	}
	if denied {
		f.add(p.removeDenials(s, l)...)
	}
	if !unlisted {
		return
	}
	if e, ok := p.addAllow(s, l); ok {
		f.add(e)
		if e.Op == EditAdd {
			f.widen(p, s, l)
		}
	} else {
		f.remedy(fmt.Sprintf("rename the tool: no entry of a list can mean the name %q alone", s.tool.Name))
	}
}

// add takes edits in that are not there yet: one may lift a tool past several
// lists.
func (f *fixing) add(edits ...Edit) {
	for _, e := range edits {
		if !f.seen[e] {
			f.seen[e] = true
			f.Edits = append(f.Edits, e)
		}
	}
}

func (f *fixing) remedy(text string) {
	if !slices.Contains(f.Remedies, text) {
		f.Remedies = append(f.Remedies, text)
	}
}

// widen offers the entries for all tools of the plugin or server.
func (f *fixing) widen(p *Pipeline, s *Subject, l *Layer) {
	for _, w := range s.wider() {
		if p.means(l, Entry{Text: w.Value}, s) && !slices.Contains(f.Wider, w) {
			f.Wider = append(f.Wider, w)
		}
	}
}

// wider gives the entries that name a plugin's or server's tools together.
func (s *Subject) wider() []Wider {
	switch {
	case s.plugin == "":
		return nil
	case s.plugin != catalog.MCPPlugin:
		return []Wider{
			{s.plugin, "all tools of the plugin " + s.plugin},
			{pluginsGroup, "the tools of all plugins"},
		}
	}
	all := Wider{catalog.MCPPlugin, "the tools of all MCP servers"}
	server, _, ok := strings.Cut(s.name, "__")
	if !ok {
		return []Wider{all}
	}
	return []Wider{{server + "__*", "all tools of the MCP server " + server}, all}
}

// removeDenials removes every entry that denies, for one that is left would
// still decide.
func (p *Pipeline) removeDenials(s *Subject, l *Layer) []Edit {
	var out []Edit
	write := Subject{name: writeTool}
	link := s.linked() && p.dialect == Default && !l.Exact && !l.Named
	for _, e := range l.Deny {
		switch {
		case !p.means(l, e, s) && !(link && p.means(l, e, &write)):
		case l.Lift != nil && e.Pos.IsZero():
			out = append(out, filled(*l.Lift, s.name))
		default:
			out = append(out, Edit{Op: EditRemove, Path: l.DenyPath, Value: e.Text, Pos: e.Pos})
		}
	}
	return out
}

// addAllow names s in the layer's allow list, or where the layer wants it. It
// gives false when no entry has that meaning.
func (p *Pipeline) addAllow(s *Subject, l *Layer) (Edit, bool) {
	e := Edit{Op: EditAdd, Path: l.AllowPath, Pos: l.AllowPos}
	if l.Widen != nil {
		e = *l.Widen
	}
	if e.Value != "" {
		return e, true
	}
	for _, value := range []string{s.name, s.plugin} {
		e.Value = value
		if l.Exact {
			e.Value = s.tool.Name
		}
		if _, kind := p.read(l, Entry{Text: e.Value}); kind != pattern && kind != anyTool && p.means(l, Entry{Text: e.Value}, s) {
			return e, true
		}
	}
	return e, false
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
	text := strings.Join(parts, "; then ")
	for i, w := range f.Wider {
		if i == 0 {
			text += "; in its place "
		} else {
			text += ", "
		}
		text += fmt.Sprintf("'%s' lets in %s", w.Value, w.Means)
	}
	return text
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
