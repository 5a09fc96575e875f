package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/policy"
)

// Fix tells a person how to make the edits: what to do at which place, and how
// it then reads. Where there is no file yet, it gives a whole small one and
// says where it goes. It shows nothing of the file but the lists and keys that
// it changes, and it is empty when there is nothing to change.
func (c *Config) Fix(edits []policy.Edit) string {
	const most = 20 // each is tried out on the text
	if len(edits) > most {
		return c.Fix(edits[:most]) + fmt.Sprintf("\nand %d more changes like these", len(edits)-most)
	}
	var parts []string
	for _, owner := range []*Config{c.Base, c} {
		if owner == nil {
			continue
		}
		if mine := c.editsOf(owner, edits); len(mine) > 0 {
			parts = append(parts, owner.tell(mine))
		}
	}
	return strings.Join(parts, "\n")
}

// editsOf picks the edits that go into the files of owner, which is c or its
// base. An edit without a place may be meant for either, and goes into both.
func (c *Config) editsOf(owner *Config, edits []policy.Edit) []policy.Edit {
	var mine []policy.Edit
	for _, e := range edits {
		file := e.Pos.File
		ofBase := c.Base != nil && file != "" && c.Base.reads(file)
		if file == "" || ofBase == (owner == c.Base) {
			mine = append(mine, e)
		}
	}
	return mine
}

// reads reports whether a file is one of those of the config.
func (c *Config) reads(file string) bool {
	return slices.ContainsFunc(c.parts, func(p part) bool { return p.path == file })
}

func (c *Config) tell(edits []policy.Edit) string {
	if c.File == "" {
		return c.tellNew(edits)
	}
	drafts := c.drafts()
	var steps []*instruction
	for _, e := range edits {
		local := c.local(e)
		d := drafts.of(local.file)
		at, anchor := d.locate(local.Edit)
		if e.Pos.Line == 0 {
			e.Pos = at
		}
		if d.make(local.Edit) != nil {
			anchor = "" // nothing to show
		}
		steps = addStep(steps, d, anchor, harmless(e.String()))
	}
	var lines []string
	for _, s := range steps {
		lines = append(lines, s.draft.tell(s)...)
	}
	if !c.Trusted {
		lines = append(lines, "this file is not trusted: it can only take tools away until you run "+harmless(trustCommand(c.File)))
	}
	return strings.Join(lines, "\n")
}

// instruction is all that is to be done to one key.
type instruction struct {
	draft  *draft
	anchor string // the path of the key, or empty where there is none to show
	lines  []string
}

func addStep(steps []*instruction, d *draft, anchor, line string) []*instruction {
	i := slices.IndexFunc(steps, func(s *instruction) bool { return s.draft == d && s.anchor == anchor })
	if i < 0 || anchor == "" {
		return append(steps, &instruction{draft: d, anchor: anchor, lines: []string{line}})
	}
	steps[i].lines = append(steps[i].lines, line)
	return steps
}

// tellNew gives a file that is not there yet. It goes into the state folder: a
// file in the workspace would not be trusted.
func (c *Config) tellNew(edits []policy.Edit) string {
	draft := draft{text: []byte("{\n}\n")}
	var rest []string
	for _, e := range edits {
		if draft.make(e) != nil {
			rest = append(rest, harmless(e.String()))
		}
	}
	if len(rest) == len(edits) {
		return strings.Join(rest, "\n")
	}
	place := "a file with this text, and name it by --config:"
	if c.state != "" {
		place = harmless(filepath.Join(c.state, FileName)) + " with this text:"
	}
	lines := append([]string{"create " + place}, indented(string(draft.text))...)
	return strings.Join(append(lines, rest...), "\n")
}

// indented gives the lines of a text, moved in by four columns; the blanks
// that all lines but the first share are taken off.
func indented(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "  ").Replace(strings.TrimRight(text, "\r\n"))
	lines := strings.Split(text, "\n")
	shared := -1
	for _, line := range lines[1:] {
		if blanks := len(line) - len(strings.TrimLeft(line, " ")); shared < 0 || blanks < shared {
			shared = blanks
		}
	}
	for i, line := range lines {
		if i > 0 {
			line = line[min(shared, len(line)):]
		}
		lines[i] = "    " + harmless(line)
	}
	return lines
}
