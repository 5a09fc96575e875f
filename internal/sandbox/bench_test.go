package sandbox

import (
	"context"
	"os"
	"testing"

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
