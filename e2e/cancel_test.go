package e2e

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askOff is a config that runs commands without asking.
const askOff = `{ workspace: 'WORKSPACE', tools: { exec: { ask: 'off' } } }`

// families are commands that start sleepers in ways that are hard to follow.
// SLEEP is the sleeper.
var families = map[string]struct {
	command  string
	sleepers int
}{
	"background":     {"SLEEP & SLEEP; wait", 2},
	"nested shells":  {"sh -c 'sh -c \"SLEEP & SLEEP\" & wait'; wait", 2},
	"own session":    {"setsid SLEEP & setsid -f SLEEP; SLEEP", 3},
	"orphan":         {"(SLEEP & SLEEP &) ; SLEEP", 3},
	"deaf to TERM":   {"trap '' TERM HUP INT; SLEEP & SLEEP; SLEEP", 2},
	"output is shut": {"exec >/dev/null 2>&1; nohup SLEEP & SLEEP", 2},
}

// start begins a call of the family and returns once its sleepers run. The
// channel is closed when the client has its answer.
func (c *client) start(ctx context.Context, t *testing.T, family string) (seconds string, answered <-chan struct{}) {
	t.Helper()
	f := families[family]
	seconds = marker()
	done := make(chan struct{})
	go func() {
		defer close(done)
		command := strings.ReplaceAll(f.command, "SLEEP", "sleep "+seconds)
		// The call is cut off, so it has no result worth a look.
		c.CallTool(ctx, &mcp.CallToolParams{Name: "exec", Arguments: args{"command": command}})
	}()
	awaitSleepers(t, seconds, f.sleepers)
	return seconds, done
}

func TestCancelledCallLeavesNoProcess(t *testing.T) {
	eachDoor(t, askOff, func(t *testing.T, _ *world, c *client) {
		for family := range families {
			t.Run(family, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				seconds, answered := c.start(ctx, t, family)
				cancel()
				awaitSleepers(t, seconds, 0)
				<-answered
				if out := c.must(t, "exec", args{"command": "echo still here"}); !strings.Contains(out, "still here") {
					t.Errorf("the next call gave %q", out)
				}
			})
		}
	})
}

func TestTimedOutCallLeavesNoProcess(t *testing.T) {
	eachDoor(t, askOff, func(t *testing.T, _ *world, c *client) {
		seconds := marker()
		text, failed := c.call(t, "exec", args{"command": "setsid sleep " + seconds + " & sleep " + seconds, "timeout": 1})
		if !failed {
			t.Errorf("a timeout is no error: %s", text)
		}
		contains(t, text, "timeout")
		awaitSleepers(t, seconds, 0)
	})
}

// TestEndOfSessionLeavesNoProcess: the client goes away in the middle of a
// call, without a word about it.
func TestEndOfSessionLeavesNoProcess(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"exec","arguments":{"command":"setsid sleep SECONDS & sleep SECONDS"}}}`
	t.Run("stdio", func(t *testing.T) {
		x := newWorld(t, askOff).wire()
		seconds := marker()
		x.send(initialize)
		x.receive()
		x.send(initialized)
		x.send(strings.ReplaceAll(call, "SECONDS", seconds))
		awaitSleepers(t, seconds, 2)
		x.end()
		awaitSleepers(t, seconds, 0)
	})
	t.Run("http", func(t *testing.T) {
		s := newWorld(t, askOff).serve()
		seconds := marker()
		session := s.session()
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			s.send(http.MethodPost, strings.NewReader(strings.ReplaceAll(call, "SECONDS", seconds)), session)
		}()
		awaitSleepers(t, seconds, 2)
		if res, body := s.send(http.MethodDelete, nil, session); res.StatusCode/100 != 2 {
			t.Errorf("DELETE: %s: %s", res.Status, body)
		}
		awaitSleepers(t, seconds, 0)
		<-answered
	})
}

// TestEndOfServerLeavesNoProcess: the server gets each signal in the middle of
// a call, also the one that it cannot catch.
func TestEndOfServerLeavesNoProcess(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			eachDoor(t, askOff, func(t *testing.T, _ *world, c *client) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				seconds, answered := c.start(ctx, t, "own session")
				if err := syscall.Kill(c.pid, signal); err != nil {
					t.Fatal(err)
				}
				awaitSleepers(t, seconds, 0)
				cancel()
				<-answered
			})
		})
	}
}
