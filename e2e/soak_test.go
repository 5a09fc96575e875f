package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest/internal/need"
)

// TestSoak lets many sessions work in one gateway at once, with calls that are
// cut off in between, and wants every answer right and nothing left over.
func TestSoak(t *testing.T) {
	need.Full(t)
	const sessions, rounds = 16, 40
	w := newWorld(t, askOff)
	s := w.serve()
	seconds := marker()
	t.Run("sessions", func(t *testing.T) {
		for n := range sessions {
			c := s.client()
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				for round := range rounds {
					soak(t, c, fmt.Sprintf("file-%d-%d.txt", n, round), seconds)
				}
			})
		}
	})
	awaitSleepers(t, seconds, 0)
	for n := range sessions {
		for round := range rounds {
			name := fmt.Sprintf("file-%d-%d.txt", n, round)
			if got, want := w.read(name), name+" edited\n"; got != want {
				t.Errorf("%s holds %q, want %q", name, got, want)
			}
		}
	}
	if code := s.stop(); code != 0 {
		t.Errorf("SIGINT ends serve with %d\nstderr: %s", code, s.stderr)
	}
	if left, err := filepath.Glob(filepath.Join(w.workspace, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind in the workspace: %v, %v", left, err)
	}
	if files, err := os.ReadDir(w.workspace); err != nil || len(files) != sessions*rounds {
		t.Errorf("%d files in the workspace, want %d: %v", len(files), sessions*rounds, err)
	}
}

// soak does one round of a session's work on a file of its own.
func soak(t *testing.T, c *client, name, seconds string) {
	t.Helper()
	c.must(t, "write", args{"path": name, "content": name + " written\n"})
	c.must(t, "edit", args{"path": name, "edits": []args{{"oldText": "written", "newText": "edited"}}})
	if out := c.must(t, "exec", args{"command": "cat " + name}); !strings.Contains(out, name+" edited") {
		t.Errorf("%s: cat gave %q", name, out)
	}
	if rand.IntN(4) > 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.CallTool(ctx, &mcp.CallToolParams{Name: "exec", Arguments: args{"command": "sleep " + seconds + " & sleep " + seconds}})
	}()
	if rand.IntN(2) > 0 {
		// Cut off in the middle of it, else at once.
		if out := c.must(t, "exec", args{"command": "sleep 0.1; echo slept"}); !strings.Contains(out, "slept") {
			t.Errorf("sleep gave %q", out)
		}
	}
	cancel()
	<-done
}
