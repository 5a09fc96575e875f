// Package e2e runs the real binary as its users do, and looks at it only from
// outside: over MCP with clients that are not ours, over HTTP, on the command
// line, and through /proc.
//
// It builds cmd/toolrest once, with the race detector when the tests have it,
// and gives each test a home, a state folder and a workspace of its own. It
// knows no internal package beside the one that asks for a machine's parts.
package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// binary is the program under test.
var binary string

func TestMain(m *testing.M) {
	if os.Getenv(envForge) != "" {
		os.Exit(forge(os.Args[1:]))
	}
	dir, err := os.MkdirTemp("", "toolrest-e2e-")
	if err == nil {
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

func build(dir string) error {
	binary = filepath.Join(dir, "toolrest")
	args := append([]string{"build", "-o", binary}, raceFlags...)
	out, err := exec.Command("go", append(args, "github.com/toolrest/toolrest/cmd/toolrest")...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the binary: %w\n%s", err, out)
	}
	return nil
}
