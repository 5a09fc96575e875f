package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/internal/process"
)

const (
	canary = "the-token-that-nobody-may-see"
	config = "{ tools: { exec: { ask: 'always' } } }\n"
)

var support = sync.OnceValue(func() Support { return Probe(context.Background()) })

func needRing(t testing.TB) {
	t.Helper()
	need.That(t, support().Ring && support().PIDs, "namespaces for the ring: "+support().Reason)
}

// TestEscapes runs every attempt twice: in the ring it must not reach the
// reins, and without the ring it must, or its failure proves nothing.
func TestEscapes(t *testing.T) {
	needRing(t)
	archive, err := txtar.ParseFile("testdata/escapes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		t.Run(file.Name, func(t *testing.T) {
			script := string(file.Data)
			if strings.Contains(script, "# as: root\n") && os.Geteuid() != 0 {
				t.Skip("only root has this way even without the ring")
			}
			for _, m := range needsLine.FindAllStringSubmatch(script, -1) {
				need.Program(t, m[1])
			}
			t.Run("ring", func(t *testing.T) {
				r := newReins(t)
				out := r.attempt(t, script, true)
				if what := r.reached(t, out); what != "" {
					t.Errorf("the script %s. It printed:\n%s", what, out)
				}
			})
			t.Run("control", func(t *testing.T) {
				r := newReins(t)
				out := r.attempt(t, script, false)
				if r.reached(t, out) == "" {
					t.Errorf("the script reaches nothing without the ring either. It printed:\n%s", out)
				}
			})
		})
	}
}

var needsLine = regexp.MustCompile(`(?m)^# needs: (\S+)$`)

// reins is what the attempts aim at.
type reins struct {
	home, state, config, real, work, socket string
	outside                                 *exec.Cmd
	outsideGone                             chan struct{}
}

func newReins(t *testing.T) *reins {
	t.Helper()
	base, err := os.MkdirTemp("", "reins") // shorter than t.TempDir: the path of a socket is bounded
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(base)) })
	home := base + "/home"
	r := &reins{
		home: home, state: home + "/state", config: home + "/link/toolrest.json5", real: home + "/dot/toolrest.json5",
		work: home + "/work", socket: home + "/.docker/run/docker.sock",
	}
	t.Setenv("HOME", home) // where the brokers are looked for
	for _, dir := range []string{r.state, home + "/dot", home + "/conf", r.work, filepath.Dir(r.socket)} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	must(t, os.WriteFile(r.state+"/token", []byte(canary+"\n"), 0o600))
	must(t, os.WriteFile(r.real, []byte(config), 0o600))
	must(t, os.Symlink("../dot/toolrest.json5", home+"/conf/toolrest.json5"))
	must(t, os.Symlink("conf", home+"/link"))
	r.startOutside(t)
	return r
}

func (r *reins) startOutside(t *testing.T) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", "outside", r.state, r.socket)
	cmd.Env = []string{"TOKEN=" + canary}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the process outside says %q, %v", line, err)
	}
	r.outside, r.outsideGone = cmd, make(chan struct{})
	go func() {
		defer close(r.outsideGone)
		_ = cmd.Wait() // however it ends
	}()
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Process.Kill()
		<-r.outsideGone
	})
}

func (r *reins) attempt(t *testing.T, script string, inRing bool) string {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	info, err := os.Stat(r.state + "/token")
	must(t, err)
	c := process.Command{
		Argv: []string{"/bin/bash", "-c", script}, Dir: r.work,
		Env: []string{"PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin", "HOME=" + r.home, "STATE=" + r.state, "CONFIG=" + r.home + "/conf/toolrest.json5", "REAL=" + r.real,
			"WORK=" + r.work, "SELF=" + exe, "SOCKET=" + r.socket, "HANDLE=" + makeHandle(r.state+"/token"),
			fmt.Sprint("OUTSIDE=", r.outside.Process.Pid), fmt.Sprint("INODE=", info.Sys().(*syscall.Stat_t).Ino)},
	}
	if inRing {
		c.Box, err = Ring{Hide: []string{r.state}, ReadOnly: []string{r.config}}.Box(support())
		must(t, err)
	}
	out, err := process.Run(t.Context(), c, &process.Options{Timeout: 20 * time.Second})
	must(t, err)
	return out.Output
}

// reached says what an attempt got hold of.
func (r *reins) reached(t *testing.T, out string) string {
	t.Helper()
	if strings.Contains(out, canary) {
		return "printed the token"
	}
	if got, err := os.ReadFile(r.state + "/token"); string(got) != canary+"\n" {
		return fmt.Sprintf("changed the token to %q (%v)", got, err)
	}
	if got, err := os.ReadFile(r.config); string(got) != config {
		return fmt.Sprintf("changed the config to %q (%v)", got, err)
	}
	// A signal is delivered before kill returns, but its effect may be late.
	if err := syscall.Kill(r.outside.Process.Pid, 0); err != nil || pendingKill(r.outside.Process.Pid) {
		return "killed a process outside"
	}
	return ""
}

// pendingKill reports whether the process is dead or dying.
func pendingKill(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return true
	}
	return regexp.MustCompile(`(?m)^(State:\s+[ZX]|(SigPnd|ShdPnd):\s+[0-9a-f]*[1-9a-f])`).Match(raw)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
