package workspace

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// modelOp is one call on a Tx, and what it does to a map of files.
type modelOp struct {
	Kind     string
	Path, To string
	Data     string
}

var modelPaths = []string{"a", "b", "d/a", "d/e/b", "new/x/y"}

func drawOp(t *rapid.T) modelOp {
	return modelOp{
		Kind: rapid.SampledFrom([]string{"write", "create", "remove", "move", "read"}).Draw(t, "kind"),
		Path: rapid.SampledFrom(modelPaths).Draw(t, "path"),
		To:   rapid.SampledFrom(modelPaths).Draw(t, "to"),
		Data: rapid.StringMatching(`[a-c]{0,3}`).Draw(t, "data"),
	}
}

// onModel gives the files after the op, or false where it must fail.
func (op modelOp) onModel(files map[string]string) bool {
	_, exists := files[op.Path]
	_, taken := files[op.To]
	switch op.Kind {
	case "write":
		files[op.Path] = op.Data
	case "create":
		if exists {
			return false
		}
		files[op.Path] = op.Data
	case "remove":
		delete(files, op.Path)
		return exists
	case "move":
		if !exists || (taken && op.To != op.Path) {
			return false
		}
		delete(files, op.Path)
		files[op.To] = op.Data
	case "read":
		return exists
	}
	return true
}

func (op modelOp) onDisk(tx *Tx, want string) error {
	switch op.Kind {
	case "write":
		return tx.Write(op.Path, []byte(op.Data))
	case "create":
		return tx.Create(op.Path, []byte(op.Data))
	case "remove":
		return tx.Remove(op.Path)
	case "move":
		return tx.Move(op.Path, op.To, []byte(op.Data))
	}
	f, err := tx.Read(op.Path)
	if err == nil && string(f.Data) != want {
		return errors.New("read " + string(f.Data) + ", want " + want)
	}
	return err
}

var errModelFault = errors.New("fault")

// TestChangesFollowModel runs random changes, some of which fail half-way, and
// compares the disk with a map after each.
func TestChangesFollowModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "model")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		w, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		files := map[string]string{}
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			files = changeOnce(t, w, files)
			if diff := cmp.Diff(files, filesBelow(t, dir)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func changeOnce(t *rapid.T, w *Workspace, files map[string]string) map[string]string {
	ops := rapid.SliceOfN(rapid.Custom(drawOp), 1, 5).Draw(t, "ops")
	left := rapid.IntRange(0, 30).Draw(t, "steps before a fault")
	w.fault = func(string) error {
		if left--; left < 0 {
			return errModelFault
		}
		return nil
	}
	next := maps.Clone(files)
	good := true
	err := w.Change(context.Background(), modelPaths, func(tx *Tx) error {
		for _, op := range ops {
			want := next[op.Path]
			ok := op.onModel(next)
			err := op.onDisk(tx, want)
			if ok != (err == nil) {
				t.Fatalf("%+v: %v", op, err)
			}
			if !ok {
				good = false
				return err
			}
		}
		return nil
	}, nil)
	switch {
	case err == nil && good:
		return next
	case err != nil && (!good || errors.Is(err, errModelFault)):
		return files
	}
	t.Fatalf("got %v", err)
	return nil
}

func filesBelow(t *rapid.T, dir string) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
