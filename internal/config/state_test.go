package config_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/config"
)

// TestMain lets the tests start this program as another process that asks for
// the token.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TOOLREST_TEST_TOKEN_OF"); dir != "" {
		token, err := tokenOf(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(token)
		return
	}
	os.Exit(m.Run())
}

func tokenOf(dir string) (string, error) {
	s, err := config.OpenState(&config.Options{State: dir})
	if err != nil {
		return "", err
	}
	return s.Token()
}

func TestStateFolderIsMadePrivate(t *testing.T) {
	p := newPlace(t)
	s := p.state()
	if s.Dir() != filepath.Join(p.home, ".toolrest") || s.Path("x") != filepath.Join(s.Dir(), "x") {
		t.Errorf("state folder %s", s.Dir())
	}
	if info, err := os.Stat(s.Dir()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v: %v", info.Mode(), err)
	}
}

func TestStateDir(t *testing.T) {
	p := newPlace(t)
	p.env[config.EnvState] = "~/elsewhere"
	if dir, err := config.StateDir(p.options()); err != nil || dir != filepath.Join(p.home, "elsewhere") {
		t.Errorf("%s: %v", dir, err)
	}
	opts := p.options()
	opts.State = "/given/"
	if dir, err := config.StateDir(opts); err != nil || dir != "/given" {
		t.Errorf("%s: %v", dir, err)
	}
}

func TestStateFolderOfOthers(t *testing.T) {
	p := newPlace(t)
	dir := filepath.Join(p.home, "it's")
	p.env[config.EnvState] = dir
	for _, mode := range []os.FileMode{0o701, 0o710, 0o740, 0o755, 0o777} {
		p.mkdir(dir, mode)
		_, err := config.OpenState(p.options())
		want := fmt.Sprintf("%s: others may use the state folder (mode %04o)\n  run chmod 700 '%s'", dir, mode, strings.ReplaceAll(dir, "'", `'\''`))
		if err == nil || err.Error() != want {
			t.Errorf("mode %o: got %v, want %s", mode, err, want)
		}
	}
	p.mkdir(dir, 0o700)
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := config.OpenState(p.options()); err == nil || !strings.Contains(err.Error(), "belongs to user 12345, not to you") {
			t.Errorf("another owner: %v", err)
		}
	}
}

func TestStateFolderIsAFile(t *testing.T) {
	p := newPlace(t)
	p.env[config.EnvState] = p.write(filepath.Join(p.home, "file"), "")
	if s, err := config.OpenState(p.options()); err == nil {
		t.Errorf("opened as %s", s.Dir())
	}
}

// A state folder behind a link is as good as the folder.
func TestStateFolderBehindALink(t *testing.T) {
	p := newPlace(t)
	real := filepath.Join(p.home, "real")
	p.mkdir(real, 0o700)
	p.env[config.EnvState] = filepath.Join(p.home, "link")
	if err := os.Symlink(real, p.env[config.EnvState]); err != nil {
		t.Fatal(err)
	}
	p.state()
	p.mkdir(real, 0o750)
	if _, err := config.OpenState(p.options()); err == nil {
		t.Error("what the link leads to is not looked at")
	}
}

func TestToken(t *testing.T) {
	p := newPlace(t)
	s := p.state()
	first, err := s.Token()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^tr_[A-Za-z0-9_-]{43}$`).MatchString(first) {
		t.Errorf("a token of another form, %d bytes", len(first))
	}
	if again, err := p.state().Token(); err != nil || again != first {
		t.Errorf("the next start has another token: %v", err)
	}
	if info, err := os.Stat(s.Path("token")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v: %v", info.Mode(), err)
	}
	other := newPlace(t)
	if token, err := other.state().Token(); err != nil || token == first {
		t.Errorf("two state folders have one token: %v", err)
	}
}

func TestTokenFileIsRefused(t *testing.T) {
	p := newPlace(t)
	s := p.state()
	token, err := s.Token()
	if err != nil {
		t.Fatal(err)
	}
	path := s.Path("token")
	refuse := func(name, want string) {
		t.Helper()
		got, err := s.Token()
		if err == nil || got != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
		if err != nil && strings.Contains(err.Error(), token[3:20]) {
			t.Errorf("%s: the error shows the token", name)
		}
	}
	for _, mode := range []os.FileMode{0o604, 0o620, 0o640, 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		refuse(mode.String(), fmt.Sprintf("others may use the token file (mode %04o)\n  run chmod 600 %s", mode, path))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty": "", "short": token[:20], "two": token + "\n" + token, "no prefix": token[3:], "other alphabet": "tr_" + strings.Repeat("+", 43),
		"long": strings.Repeat(token, 100), "longer": token + "AAAA",
	} {
		p.write(path, text)
		want := "the token file is damaged\n  remove it"
		if name == "long" {
			want = "the file is larger than 1 KiB"
		}
		refuse(name, want)
	}
	if os.Geteuid() == 0 {
		p.write(path, token)
		if err := os.Chown(path, 12345, -1); err != nil {
			t.Fatal(err)
		}
		refuse("another owner", "the token file belongs to user 12345")
	}
	elsewhere := p.write(filepath.Join(p.home, "elsewhere"), token)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Fatal(err)
	}
	refuse("link", "the token file is not a regular file")
	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	refuse("broken link", "the token file is not a regular file")
}

// Processes that start at once agree on one token.
func TestTokenAtOnce(t *testing.T) {
	p := newPlace(t)
	dir := filepath.Join(p.home, "state")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var commands []*exec.Cmd
	var outputs []*strings.Builder
	for range 6 {
		cmd, out := exec.Command(self), &strings.Builder{}
		cmd.Env = append(os.Environ(), "TOOLREST_TEST_TOKEN_OF="+dir)
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		commands, outputs = append(commands, cmd), append(outputs, out)
	}
	want := ""
	for i, cmd := range commands {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v: %s", err, outputs[i])
		}
		if want == "" {
			want = outputs[i].String()
		}
		if outputs[i].String() != want {
			t.Error("two processes have two tokens")
		}
	}
	if token, err := tokenOf(dir); err != nil || token != want {
		t.Errorf("the file holds another token: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
}
