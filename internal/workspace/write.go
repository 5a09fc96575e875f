package workspace

import "context"

// Written says what WriteFile did.
type Written struct {
	// Path is where the file lies below the workspace, without links.
	Path    string
	Created bool
	// Before is the size of the old content in bytes.
	Before int64
}

// WriteFile makes data the content of the file at path, in one step: readers
// see the old content or the new. See [Tx.Write] for what it keeps. Refused
// are symbolic links as the last name, files with more than one hard link,
// whatever is not a regular file, and what the owner protects.
func (w *Workspace) WriteFile(ctx context.Context, path string, data []byte) (*Written, error) {
	var out Written
	err := w.Change(ctx, []string{path}, func(t *Tx) error {
		e, err := t.at(path)
		if err != nil {
			return err
		}
		out = Written{Path: e.rel, Created: e.info == nil}
		if e.info != nil {
			out.Before = e.info.Size()
		}
		return t.Write(path, data)
	}, nil)
	if err != nil {
		return nil, err
	}
	return &out, nil
}
