package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/config"
)

// A config that is put together from files is the same as one file that holds
// the merged content.
func TestIncludesAreOneFile(t *testing.T) {
	p := newPlace(t)
	rapid.Check(t, func(t *rapid.T) {
		b := &builder{t: t, dir: p.work}
		whole := b.object(3)
		b.write(config.FileName, b.split(whole, 3))
		p.trust(filepath.Join(p.work, config.FileName))
		got := p.mustLoad().Values()
		if diff := cmp.Diff(plain(whole), got); diff != "" {
			t.Fatalf("(-one file +included)\n%s", diff)
		}
	})
}

// builder splits values into files.
type builder struct {
	t     *rapid.T
	dir   string
	files int
}

// Keys below channels are OpenClaw's to know: any will do.
func (b *builder) object(depth int) map[string]any {
	return map[string]any{"channels": map[string]any{"c": b.inner(depth)}}
}

func (b *builder) inner(depth int) map[string]any {
	out := map[string]any{}
	for i := range rapid.IntRange(0, 4).Draw(b.t, "keys") {
		out[fmt.Sprintf("k%d", i)] = b.value(depth - 1)
	}
	return out
}

func (b *builder) value(depth int) any {
	kinds := 4
	if depth == 0 {
		kinds = 2
	}
	switch rapid.IntRange(0, kinds).Draw(b.t, "kind") {
	case 0:
		return rapid.StringMatching(`[a-z]{0,3}`).Draw(b.t, "text")
	case 1:
		return float64(rapid.IntRange(0, 9).Draw(b.t, "number"))
	case 2:
		return nil
	case 3:
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(b.t, "items") {
			out = append(out, b.value(depth-1))
		}
		return out
	}
	return b.inner(depth - 1)
}

// split gives a value that stands for v, with parts of it in files.
func (b *builder) split(v any, depth int) any {
	switch v := v.(type) {
	case []any:
		return b.splitArray(v, depth)
	case map[string]any:
		return b.splitObject(v, depth)
	}
	return v
}

func (b *builder) splitArray(v []any, depth int) any {
	out := make([]any, len(v))
	for i, item := range v {
		out[i] = b.split(item, depth-1)
	}
	if depth <= 0 || !rapid.Bool().Draw(b.t, "move array") {
		return out
	}
	at := rapid.IntRange(0, len(out)).Draw(b.t, "cut")
	return map[string]any{"$include": []any{b.file(out[:at]), b.file(out[at:])}}
}

// splitObject gives some keys to included files, and takes away from others
// what a later file or the object itself says again.
func (b *builder) splitObject(v map[string]any, depth int) any {
	if depth <= 0 || rapid.IntRange(0, 2).Draw(b.t, "keep object") == 0 {
		out := map[string]any{}
		for k, item := range v {
			out[k] = b.split(item, depth-1)
		}
		return out
	}
	parts := []map[string]any{{}, {}, {}}
	for k, item := range v {
		last := rapid.IntRange(0, 2).Draw(b.t, "part")
		parts[last][k] = b.split(item, depth-1)
		if last > 0 && isPlainValue(item) {
			parts[rapid.IntRange(0, last-1).Draw(b.t, "below")][k] = "overridden"
		}
	}
	own := parts[2]
	own["$include"] = []any{b.file(parts[0]), b.file(parts[1])}
	return own
}

// isPlainValue reports whether a value replaces what lies below it.
func isPlainValue(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// file writes a value into a new file of its own and gives its name.
func (b *builder) file(v any) string {
	b.files++
	name := fmt.Sprintf("part%d.json5", b.files)
	b.write(name, v)
	return "./" + name
}

func (b *builder) write(name string, v any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(filepath.Join(b.dir, name), text, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// plain gives a value as decoding its JSON gives it.
func plain(v any) map[string]any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

// A link may not lead out of the folder, and a second name may lie there.
func TestIncludesStayInside(t *testing.T) {
	p := newPlace(t)
	out := p.write(filepath.Join(p.home, "out.json5"), "{ profile: 'full' }")
	p.mkdir(filepath.Join(p.work, "in"), 0o755)
	p.write(filepath.Join(p.work, "in", "ok.json5"), "{ deny: ['exec'] }")
	tests := []struct {
		name string
		make func(path string) error
		want string
	}{
		{"a link out", func(path string) error { return os.Symlink(out, path) }, "where a link leads"},
		{"a second name", func(path string) error { return os.Link(out, path) }, "second name"},
		{"a folder that is a link out", func(path string) error { return os.Symlink(p.home, path) }, "where a link leads"},
		{"a link inside", func(path string) error { return os.Symlink("in/ok.json5", path) }, ""},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := fmt.Sprintf("f%d", i)
			if err := tt.make(filepath.Join(p.work, name)); err != nil {
				t.Fatal(err)
			}
			p.here("{ tools: { $include: './" + name + "' } }")
			_, err := p.load()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Included files are reins, and what the user trusts is the content of all.
func TestIncludesAreTrustedTogether(t *testing.T) {
	p := newPlace(t)
	part := p.write(filepath.Join(p.work, "part.json5"), "{ exec: { ask: 'off' } }")
	file := p.here("{ tools: { $include: './part.json5' } }")
	c := p.mustLoad()
	if c.Trusted || c.Exec.Ask != config.AskAlways || len(c.Ignored) != 1 || c.Ignored[0].Pos.File != part {
		t.Errorf("untrusted: %+v", c.Ignored)
	}
	if want := []string{file, part, p.state().Path(config.FileName)}; !cmp.Equal(want, c.Files) {
		t.Errorf("files %q, want %q", c.Files, want)
	}
	p.trust(file)
	trusted := p.mustLoad()
	if !trusted.Trusted || trusted.Exec.Ask != config.AskOff || trusted.Exec.Pos.File != part {
		t.Errorf("trusted: %v %+v", trusted.Trusted, trusted.Exec)
	}
	p.write(part, "{ exec: { ask: 'off' }, }")
	if changed := p.mustLoad(); changed.Trusted || changed.Same(trusted) {
		t.Error("the change of an included file is not noticed")
	}
	// Two files that say the same in another way are not what was trusted.
	p.write(part, "{ exec: { ask: 'off' } }")
	p.write(filepath.Join(p.work, "twin.json5"), "{ exec: { ask: 'off' } }")
	p.here("{ tools: { $include: './twin.json5' } }")
	if p.mustLoad().Trusted {
		t.Error("another file is trusted")
	}
}

// A file that is included twice is read once, and stands in the list once.
func TestIncludedTwice(t *testing.T) {
	p := newPlace(t)
	part := p.write(filepath.Join(p.work, "part.json5"), "{ tools: { deny: ['exec'] } }")
	p.here("{ agents: { list: [{ id: 'a', $include: './part.json5' }, { id: 'b', $include: ['./part.json5'] }] } }")
	c := p.mustLoad()
	for _, a := range c.Policy.Agents {
		if len(a.Tools.Deny.Entries) != 1 || a.Tools.Deny.Pos.File != part {
			t.Errorf("%s: %+v", a.ID, a.Tools)
		}
	}
	if n := strings.Count(strings.Join(c.Files, "\n"), "part.json5"); n != 1 {
		t.Errorf("the file is listed %d times", n)
	}
	if p.here("{ tools: { $include: [] } }"); p.mustLoad().Policy.Tools.Deny.Set {
		t.Error("nothing included is something")
	}
}
