package applypatch

import "strings"

// hunks reads what belongs to an updated file: where it moves, and its hunks.
func (p *parser) hunks(op *Op) error {
	if to, found := strings.CutPrefix(p.peek(), moveMark); found {
		if op.MoveTo = strings.TrimSpace(to); op.MoveTo == "" {
			return p.fail("the new name of the file is missing", "write it after "+moveMark)
		}
		p.at++
	}
	for p.at < len(p.lines) && !p.atOperation() {
		h, err := p.hunk(len(op.Hunks) == 0)
		if err != nil {
			return err
		}
		op.Hunks = append(op.Hunks, h)
	}
	if len(op.Hunks) == 0 {
		return p.fail("the update has no hunk", "write @@ and the lines to change; to move a file as it is, use exec: mv")
	}
	return nil
}

// atOperation reports whether the next line begins another file. Such a line
// begins in the first column: with a space before it, it is context.
func (p *parser) atOperation() bool {
	line := p.lines[p.at]
	return strings.HasPrefix(line, "*** ") && strings.TrimSpace(line) != eofMark
}

func (p *parser) hunk(first bool) (Hunk, error) {
	h := Hunk{Line: p.first + p.at + 1}
	if headed := p.anchors(&h); !headed && !first {
		return h, p.fail("a further hunk does not begin with @@", "write @@ above it")
	}
	for p.at < len(p.lines) && !p.atOperation() {
		line := p.lines[p.at]
		switch {
		case strings.TrimSpace(line) == eofMark && line[0] != ' ':
			if len(h.Lines) == 0 {
				return h, p.fail("the hunk has no lines", "write the lines to change above "+eofMark)
			}
			h.AtEnd = true
			p.at++
			return h, nil
		case line == "":
			h.Lines = append(h.Lines, Line{' ', ""})
		case line[0] == ' ', line[0] == '-', line[0] == '+':
			h.Lines = append(h.Lines, Line{line[0], line[1:]})
		case strings.HasPrefix(line, "@@"):
			return h, p.endOfHunk(h)
		default:
			return h, p.fail("this line of a hunk begins with none of space, - and +", "begin each line of a hunk with one of them, and each further hunk with @@")
		}
		p.at++
	}
	return h, p.endOfHunk(h)
}

// endOfHunk refuses a hunk that ends before it had a line.
func (p *parser) endOfHunk(h Hunk) error {
	if len(h.Lines) > 0 {
		return nil
	}
	return p.fail("the hunk has no lines", "below @@, write context lines with a space, and lines with - or +")
}

// anchors reads the @@ lines above a hunk. Several of them narrow the place.
func (p *parser) anchors(h *Hunk) (headed bool) {
	for p.at < len(p.lines) {
		line := p.lines[p.at]
		bare := strings.TrimRight(line, " \t") == "@@"
		anchor, named := strings.CutPrefix(line, "@@ ")
		if !bare && !named {
			return headed
		}
		headed = true
		if !bare {
			h.Anchors = append(h.Anchors, anchor)
		}
		p.at++
	}
	return headed
}
