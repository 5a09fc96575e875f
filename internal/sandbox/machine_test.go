package sandbox

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const nobody = 65534

func asNobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, Groups: []uint32{}}}
}

func copyTo(path string, from io.Reader) error {
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	return to.Close()
}

// failuresOf leaves out what passed.
func failuresOf(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "=== RUN") && !strings.Contains(line, "--- PASS") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// TestTerminal gives the program a controlling terminal. A command in the ring
// has no way to it: neither to what is typed, nor to type itself.
func TestTerminal(t *testing.T) {
	needRing(t)
	r := newReins(t)
	terminal := openTerminal(t)
	slave := terminal.Name()
	const script = `exec 3<>/dev/tty; exec 3<>"$TERMINAL"; ls /dev/pts`
	exe, err := os.Executable()
	must(t, err)
	for _, inside := range []bool{true, false} {
		program, args := "/bin/sh", []string{"-c", script}
		if inside {
			program, args = exe, []string{"in-ring", r.state, r.config, script}
		}
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = append(os.Environ(), "TERMINAL="+slave)
		cmd.Stdin = terminal
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		out, err := cmd.CombinedOutput()
		must(t, err)
		found := !strings.Contains(string(out), "/dev/tty") && !strings.Contains(string(out), slave)
		if found == inside {
			t.Errorf("in the ring: %v, reached the terminal %s: %v\n%s", inside, slave, found, out)
		}
	}
}

// openTerminal makes a pseudo-terminal and gives the end where programs run.
func openTerminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { _ = master.Close() })
	must(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	must(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { _ = slave.Close() })
	return slave
}

// onlyRoot skips a test for an ordinary user, who lacks nothing else.
func onlyRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("about root alone")
	}
}

// TestKilledProgram kills -9 the program while its command is in the ring.
func TestKilledProgram(t *testing.T) {
	needRing(t)
	r := newReins(t)
	exe, err := os.Executable()
	must(t, err)
	mark := fmt.Sprint(200_000_000 + os.Getpid()) // seconds that no other sleep has
	script := strings.ReplaceAll("trap '' TERM; setsid sleep MARK & (sleep MARK &) & sleep MARK", "MARK", mark)
	cmd := exec.Command(exe, "in-ring", r.state, r.config, script)
	must(t, cmd.Start())
	started := waitUntil(func() bool { return sleepers(mark) == 3 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if !started {
		t.Fatal("the command did not start")
	}
	if !waitUntil(func() bool { return sleepers(mark) == 0 }) {
		t.Errorf("%d processes are left", sleepers(mark))
	}
}

func sleepers(mark string) (n int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		if raw, err := os.ReadFile(path); err == nil && string(raw) == "sleep\x00"+mark+"\x00" {
			n++
		}
	}
	return n
}

// waitUntil asks again and again, since the system tells nobody of a process.
func waitUntil(done func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-tick.C {
		if done() {
			return true
		}
	}
	return false
}

// TestOwnProgram lets commands attack the program that runs them, a copy of
// this one with a second name.
func TestOwnProgram(t *testing.T) {
	needRing(t)
	r := newReins(t)
	program := r.home + "/bin/program"
	must(t, os.Mkdir(r.home+"/bin", 0o755))
	self, err := os.Open("/proc/self/exe")
	must(t, err)
	defer self.Close()
	must(t, copyTo(program, self))
	must(t, os.Link(program, program+".twin"))
	before, err := os.Stat(program)
	must(t, err)
	script := strings.ReplaceAll(`echo evil > "$P.new"; cat "$P.new" > "$P"; cat "$P.new" > "$P.twin"; mv -f "$P.new" "$P"; rm -f "$P"; mv "$P" "$P.old"; mv "${P%/*}" "${P%/*}.old"`, "$P", program)
	script = strings.ReplaceAll(script, "${P%/*}", filepath.Dir(program))
	out, err := exec.CommandContext(t.Context(), program, "in-ring", r.state, r.config, script).CombinedOutput()
	must(t, err)
	after, err := os.Stat(program)
	if err != nil || !os.SameFile(before, after) || before.Size() != after.Size() {
		t.Errorf("the program was changed: %v\n%s", err, out)
	}
	must(t, exec.CommandContext(t.Context(), "/bin/sh", "-c", script).Run())
	if after, err := os.Stat(program); err == nil && os.SameFile(before, after) {
		t.Error("without the ring it is not changed either")
	}
}
