package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	var all sync.WaitGroup
	for n := range sessions {
		c := s.client()
		all.Go(func() {
			for round := range rounds {
				if err := soak(c, fmt.Sprintf("file-%d-%d.txt", n, round), seconds); err != nil {
					t.Errorf("session %d, round %d: %v", n, round, err)
					return
				}
			}
		})
	}
	all.Wait()
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
func soak(c *client, name, seconds string) error {
	steps := []struct {
		tool string
		args args
		want string
	}{
		{"write", args{"path": name, "content": name + " written\n"}, name},
		{"edit", args{"path": name, "edits": []args{{"oldText": "written", "newText": "edited"}}}, name},
		{"exec", args{"command": "cat " + name}, name + " edited"},
	}
	for _, step := range steps {
		text, failed, err := c.try(step.tool, step.args)
		if err != nil || failed || !strings.Contains(text, step.want) {
			return fmt.Errorf("%s gave %q, %v", step.tool, text, err)
		}
	}
	if rand.IntN(4) == 0 {
		return cutOff(c, seconds)
	}
	return nil
}

// cutOff starts a call and cancels it, at once or in the middle.
func cutOff(c *client, seconds string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.CallTool(ctx, &mcp.CallToolParams{Name: "exec", Arguments: args{"command": "sleep " + seconds + " & sleep " + seconds}})
	}()
	if rand.IntN(2) == 0 {
		if text, failed, err := c.try("exec", args{"command": "sleep 0.1; echo slept"}); err != nil || failed {
			return fmt.Errorf("sleep gave %q, %v", text, err)
		}
	}
	cancel()
	<-done
	return nil
}
