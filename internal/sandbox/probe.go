package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolrest/toolrest/internal/process"
)

// Support is what this machine allows.
type Support struct {
	// Ring is whether commands can run in the ring.
	Ring bool
	// PIDs is whether a command gets a PID namespace. Without one the ring
	// still holds, but a command can send signals to other processes of its
	// user, this program among them.
	PIDs bool
	// Reason says what is missing, or is empty.
	Reason string
}

// probeTime is far beyond what a try takes.
const probeTime = 10 * time.Second

// Probe tries the ring out: it hides a file, looks for it from within, and
// then tries the same without a PID namespace, which some containers do not
// allow. It needs [Init], a few dozen milliseconds, and a place for a
// temporary folder.
func Probe(ctx context.Context) Support {
	var reasons []string
	for _, s := range []Support{{Ring: true, PIDs: true}, {Ring: true}} {
		err := try(ctx, s)
		if err == nil {
			s.Reason = strings.Join(reasons, "; ")
			return s
		}
		reasons = append(reasons, err.Error())
	}
	return Support{Reason: reasons[len(reasons)-1]}
}

func try(ctx context.Context, s Support) error {
	dir, err := os.MkdirTemp("", "toolrest-probe-")
	if err != nil {
		return fmt.Errorf("make a folder to hide: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "hidden"), nil, 0o600); err != nil {
		return fmt.Errorf("make a file to hide: %w", err)
	}
	box, err := Ring{Hide: []string{dir}}.Box(s)
	if err != nil {
		return err
	}
	look := process.Command{Argv: []string{"/bin/sh", "-c", `test ! -e "$0/hidden"`, dir}, Dir: "/", Box: box}
	out, err := process.Run(ctx, look, &process.Options{Timeout: probeTime})
	switch {
	case err != nil:
		return fmt.Errorf("%w%s", err, hint(err))
	case out.End != process.Exited || out.ExitCode != 0:
		return fmt.Errorf("a hidden file was still there: %s, exit code %d", out.End, out.ExitCode)
	}
	return nil
}
