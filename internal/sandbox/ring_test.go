package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/internal/process"
)

// shell runs a script in a ring or, with nil, without one.
func shell(t *testing.T, r *Ring, script string) string {
	t.Helper()
	c := process.Command{Argv: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}}
	if r != nil {
		var err error
		c.Box, err = r.Box(support())
		must(t, err)
	}
	out, err := process.Run(t.Context(), c, nil)
	must(t, err)
	return out.Output
}

// TestAllElseIsAsItIs compares answers in the ring with those outside.
func TestAllElseIsAsItIs(t *testing.T) {
	needRing(t)
	for _, script := range []string{
		"id -u; id -g; umask; pwd | wc -l",
		"stat -c %a /etc/passwd /tmp; wc -c /etc/passwd",
		"hostname; cat /etc/hostname",
		"readlink /proc/self/ns/net /proc/self/ns/uts /proc/self/ns/ipc",
		"echo x > f; chmod 700 f; mkdir d; mv f d/f; ln d/f g; cat g; rm -r d g; ls",
		"echo x > /dev/null; head -c 4 /dev/zero | wc -c; test -c /dev/urandom && echo yes",
		"exec 3<>/dev/ptmx && echo terminal",
		"echo $$ > /proc/self/comm; kill -0 $$ && echo alive",
		"f=$(mktemp) && rm $f && echo made",
		"sleep 60 & kill $!; wait $!; echo $?",
		"ulimit -n; ulimit -c",
		"env | grep -v ^PWD",
		"exit 7",
	} {
		t.Run(script, func(t *testing.T) {
			inside, outside := shell(t, &Ring{Hide: []string{t.TempDir()}}, script), shell(t, nil, script)
			if inside != outside {
				t.Errorf("in the ring:\n%s\nwithout:\n%s", inside, outside)
			}
		})
	}
}

// TestRootGoesOnBeingRoot is about ids other than the user's own.
func TestRootGoesOnBeingRoot(t *testing.T) {
	needRing(t)
	onlyRoot(t)
	const script = "touch f; chown 1234:1234 f; stat -c %u:%g f; setpriv --reuid 65534 --regid 65534 --clear-groups id -u"
	if got, want := shell(t, &Ring{}, script), "1234:1234\n65534\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFilesOfRootForAnOrdinaryUser is about programs that look at the owner.
func TestFilesOfRootForAnOrdinaryUser(t *testing.T) {
	needRing(t)
	if os.Geteuid() == 0 {
		t.Skip("root owns its files in the ring too")
	}
	old := ownerMatters
	t.Cleanup(func() { ownerMatters = old })
	ownerMatters = []string{"/etc/pam.d", "/etc/no-such-folder"}
	const script = "stat -c %u /etc/pam.d/* | sort -u; cat /etc/pam.d/* | cksum"
	got, outside := shell(t, &Ring{}, script), shell(t, nil, script)
	if want := strings.Replace(outside, "0\n", fmt.Sprintln(os.Geteuid()), 1); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDevicesAndSwitches(t *testing.T) {
	needRing(t)
	onlyRoot(t)
	const count = "for f in $(find /dev -type b -readable); do test -b $f && echo $f; done | wc -l"
	if got := shell(t, nil, count); got == "0\n" {
		t.Log("this machine has no block device to hide")
	}
	if got := shell(t, &Ring{}, count); got != "0\n" {
		t.Errorf("block devices in the ring: %s", got)
	}
	for _, path := range []string{"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper"} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		// The shell's own redirection is what must fail; nothing is written.
		got := shell(t, &Ring{}, "exec 3>>"+path+" || true")
		if !strings.Contains(got, "Read-only") {
			t.Errorf("%s can be opened for writing: %q", path, got)
		}
	}
}

// TestOtherMounts makes a second mount of the folder above the state, where no
// mask would be if only the path counted.
func TestOtherMounts(t *testing.T) {
	needRing(t)
	for name, what := range map[string]string{"folder above": "", "the folder": "/state", "a part of it": "/state/part"} {
		t.Run(name, func(t *testing.T) {
			r := newReins(t)
			part, other := r.state+"/part", t.TempDir()
			must(t, os.Mkdir(part, 0o700))
			must(t, os.WriteFile(part+"/token", []byte(canary), 0o600))
			must(t, os.MkdirAll(other+"/link", 0o700))
			out := unshare(t, `mount --bind "$HOME`+what+`" "$OTHER"`, r, `cat $(find "$OTHER" -name token); echo evil > "$OTHER/dot/toolrest.json5"; mv "$OTHER/dot" "$OTHER/x"`, "OTHER="+other)
			if !strings.Contains(out, "ring=true") {
				t.Fatalf("no ring: %s", out)
			}
			if what := r.reached(t, out); what != "" {
				t.Errorf("through the second mount the command %s:\n%s", what, out)
			}
		})
	}
}

// unshare prepares a machine of its own with a script, and then runs another
// script in a ring there.
func unshare(t *testing.T, prepare string, r *reins, script string, env ...string) string {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), need.Program(t, "unshare"), "-Urm", "sh", "-c",
		prepare+` && exec "$SELF" in-ring "$STATE" "$CONFIG" "$SCRIPT"`)
	cmd.Env = append(os.Environ(), "SELF="+exe, "STATE="+r.state, "CONFIG="+r.config, "SCRIPT="+script, "HOME="+r.home)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestWithoutPIDs is a container whose /proc is partly masked: the kernel then
// gives no second one.
func TestWithoutPIDs(t *testing.T) {
	needRing(t)
	r := newReins(t)
	out := unshare(t, "mount -t tmpfs none /proc/irq", r,
		`cat "$STATE/token" "$CONFIG"; echo evil > "$CONFIG"; umount "$STATE"; cat "$STATE/token" "/proc/$PPID/root$STATE/token"`)
	if !strings.Contains(out, "ring=true pids=false reason=confine the command: mount proc:") {
		t.Errorf("support: %s", out)
	}
	if !strings.Contains(out, "ask: 'always'") {
		t.Errorf("the config cannot be read: %s", out)
	}
	if what := r.reached(t, out); what != "" {
		t.Errorf("the command %s:\n%s", what, out)
	}
}

func TestNoNamespaces(t *testing.T) {
	needRing(t)
	out := unshare(t, "echo 0 > /proc/sys/user/max_user_namespaces", newReins(t), "echo ran")
	if !strings.Contains(out, "ring=false pids=false") || !strings.Contains(out, "user.max_user_namespaces") || strings.Contains(out, "ran") {
		t.Errorf("got %s", out)
	}
}

func TestReach(t *testing.T) {
	r := Ring{Hide: []string{"/s"}, ReadOnly: []string{"/c"}}
	for _, c := range []struct {
		s    Support
		want []string
	}{
		{Support{Ring: true, PIDs: true}, nil},
		{Support{Ring: true, Reason: "masked proc"}, []string{"signals", "masked proc"}},
		{Support{Reason: "no namespaces here"}, []string{"/s", "/c", "no namespaces here", "trace"}},
	} {
		got := r.Reach(c.s)
		if c.want == nil && got != "" {
			t.Errorf("%+v: %s", c.s, got)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: no %q in %s", c.s, want, got)
			}
		}
	}
}

func TestBoxRefuses(t *testing.T) {
	dir := t.TempDir()
	file, twin, loop := dir+"/file", dir+"/twin", dir+"/loop"
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, os.Link(file, twin))
	must(t, os.Symlink(loop, loop))
	for name, c := range map[string]struct {
		ring Ring
		want string
		is   error
	}{
		"missing folder":   {Ring{Hide: []string{dir + "/none"}}, "create it first", fs.ErrNotExist},
		"missing file":     {Ring{ReadOnly: []string{dir + "/none"}}, "create it first", fs.ErrNotExist},
		"second hard link": {Ring{ReadOnly: []string{file}}, "more than one hard link", nil},
		"hidden hard link": {Ring{Hide: []string{twin}}, "more than one hard link", nil},
		"link to itself":   {Ring{ReadOnly: []string{loop}}, "too many levels", nil},
		"below a file":     {Ring{Hide: []string{file + "/x"}}, "not a directory", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.ring.Box(Support{Ring: true})
			var pe *PathError
			if !errors.As(err, &pe) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
				t.Fatalf("got %v", err)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
		})
	}
}

func TestBoxPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"no support": func() { _, _ = Ring{}.Box(Support{}) },
		"relative":   func() { _, _ = Ring{Hide: []string{"x"}}.Box(Support{Ring: true}) },
		"root":       func() { _, _ = Ring{Hide: []string{"/tmp/.."}}.Box(Support{Ring: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestProbeHonoursContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s := Probe(ctx); s.Ring || !strings.Contains(s.Reason, "canceled") {
		t.Errorf("got %+v", s)
	}
}

// TestOrdinaryUser runs the tests of the ring again as nobody.
func TestOrdinaryUser(t *testing.T) {
	onlyRoot(t)
	dir, err := os.MkdirTemp("", "ring")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	self, err := os.Open("/proc/self/exe")
	must(t, err)
	defer self.Close()
	must(t, copyTo(dir+"/test", self))
	must(t, os.CopyFS(dir+"/testdata", os.DirFS("testdata")))
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, nobody, nobody))
	}))
	cmd := exec.CommandContext(t.Context(), dir+"/test", "-test.run=^Test(Escapes|Files|AllElse|OtherMounts|Without|NoName|Terminal|OwnProgram|KilledProgram)", "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + dir, "TMPDIR=" + dir, "TOOLREST_REQUIRE=" + os.Getenv("TOOLREST_REQUIRE")}
	cmd.SysProcAttr = asNobody()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, failuresOf(string(out)))
	}
	if strings.Contains(string(out), "missing: namespaces") {
		need.That(t, false, "user namespaces for ordinary users")
	}
}
