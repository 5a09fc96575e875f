package applypatch

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolrest/toolrest/internal/workspace"
)

// patching is one patch on its way into the files.
type patching struct {
	*tool
	summary Summary
	notes   []string // what the model should know about its patch
	files   []*touched
}

// touched is a file before and after the whole patch. Nil is no file.
type touched struct {
	path          string
	before, after []byte
}

func (p *patching) run(ctx context.Context, tx *workspace.Tx, ops []Op) error {
	for _, op := range ops {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.op(ctx, tx, op); err != nil {
			return fmt.Errorf("line %d, %s: %w", op.Line, op.Kind, err)
		}
	}
	return nil
}

func (p *patching) op(ctx context.Context, tx *workspace.Tx, op Op) error {
	path, err := tx.Path(op.Path)
	if err != nil {
		return err
	}
	switch op.Kind {
	case Add:
		if err := tx.Create(op.Path, []byte(op.Content)); err != nil {
			return err
		}
		p.set(path, nil, []byte(op.Content))
		list(&p.summary.Added, path)
	case Delete:
		before := p.contentForDiff(tx, op.Path)
		if err := tx.Remove(op.Path); err != nil {
			return err
		}
		p.set(path, before, nil)
		list(&p.summary.Deleted, path)
	case Update:
		return p.update(ctx, tx, op, path)
	}
	return nil
}

func (p *patching) update(ctx context.Context, tx *workspace.Tx, op Op, path string) error {
	file, err := tx.Read(op.Path)
	if err != nil {
		return err
	}
	if err := p.check(file); err != nil {
		return err
	}
	text, tolerant, err := Apply(ctx, string(file.Data), op.Hunks)
	if err != nil {
		return fmt.Errorf("%s: %w", workspace.Show(path), err)
	}
	for _, line := range tolerant {
		p.notes = append(p.notes, fmt.Sprintf("%s: the hunk of patch line %d differs from the file in spaces or typography; the only place like it was taken.", workspace.Show(path), line))
	}
	target := path
	if op.MoveTo == "" {
		err = tx.Write(op.Path, []byte(text))
	} else if target, err = tx.Path(op.MoveTo); err == nil {
		err = tx.Move(op.Path, op.MoveTo, []byte(text))
	}
	if err != nil {
		return err
	}
	p.set(path, file.Data, nil)
	p.set(target, nil, []byte(text))
	list(&p.summary.Modified, target)
	return nil
}

// check refuses files that are no text: what does not decode cannot be put
// back as it was.
func (p *patching) check(file *workspace.File) error {
	name := workspace.Show(file.Path)
	switch {
	case len(file.Data) > p.opts.MaxFileBytes:
		return fmt.Errorf("%s has %d bytes, more than the %d that can be patched; change it with exec", name, len(file.Data), p.opts.MaxFileBytes)
	case !utf8.Valid(file.Data):
		return fmt.Errorf("%s is not valid UTF-8; convert it with exec (iconv) or change it there", name)
	case bytes.IndexByte(file.Data, 0) >= 0:
		return fmt.Errorf("%s is a binary file; change it with exec", name)
	}
	return nil
}

// contentForDiff reads what is about to go. What cannot be read as a file (a
// link, a folder, a file with further names) may go all the same.
func (p *patching) contentForDiff(tx *workspace.Tx, path string) []byte {
	file, err := tx.Read(path)
	if err != nil {
		return nil
	}
	return file.Data
}

// set records what the file at path is after one more operation. Its content
// before counts only the first time.
func (p *patching) set(path string, before, after []byte) {
	i := slices.IndexFunc(p.files, func(f *touched) bool { return f.path == path })
	if i < 0 {
		p.files = append(p.files, &touched{path: path, before: before, after: after})
		return
	}
	p.files[i].after = after
}

func list(paths *[]string, path string) {
	if !slices.Contains(*paths, path) {
		*paths = append(*paths, path)
	}
}

const maxDiff = 512 << 10

func (p *patching) diff() string {
	var b strings.Builder
	for _, f := range p.files {
		if b.Len() > maxDiff {
			b.WriteString("(cut: the diffs of further files)\n")
			break
		}
		b.WriteString(workspace.Diff(f.path, f.before, f.after))
	}
	return b.String()
}
