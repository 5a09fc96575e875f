package sandbox

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/internal/process"
)

// BenchmarkTrue runs /bin/true: as the system does it, with a supervisor, and
// with a supervisor in the ring.
func BenchmarkTrue(b *testing.B) {
	state := b.TempDir()
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			p, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
			must(b, err)
			_, err = p.Wait()
			must(b, err)
		}
	})
	run := func(box func() (*process.Box, error)) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				box, err := box()
				must(b, err)
				_, err = process.Run(context.Background(), process.Command{Argv: []string{"/bin/true"}, Dir: "/", Box: box}, nil)
				must(b, err)
			}
		}
	}
	b.Run("supervised", run(func() (*process.Box, error) { return nil, nil }))
	b.Run("ring", func(b *testing.B) {
		needRing(b)
		run(func() (*process.Box, error) { return Ring{Hide: []string{state}}.Box(support()) })(b)
	})
}

// TestSupervisorStartsEarly guards what the comment of init promises: Go
// initialises packages in the order of their paths as soon as what they import
// is initialised, and these come late.
func TestSupervisorStartsEarly(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), need.Program(t, "go"), "list", "-deps", ".").Output()
	must(t, err)
	for path := range strings.Lines(string(out)) {
		switch path = strings.TrimSpace(path); path {
		case "regexp", "net", "net/url", "net/http", "text/template":
			t.Errorf("the package depends on %s", path)
		}
	}
}
