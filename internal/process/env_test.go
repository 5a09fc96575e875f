package process

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEnviron(t *testing.T) {
	got := Environ([]string{
		"PATH=/usr/bin", "HOME=/home/u", "LC_ALL=C", "LANG=", "PATH=/opt/node@20/bin:/bin",
		"https_proxy=http://proxy.example:3128", "NO_PROXY=localhost,10.0.0.0/8",
		"HTTP_PROXY=http://user:pass@proxy.example", "http_proxy=user:pass@proxy.example:1", "GOPROXY=https://a.example,https://t@b.example",
		"ALL_PROXY=http://token@[bad", "all_proxy=token@proxy.example:1", "NODE_EXTRA_CA_CERTS=//u@h/x", "GONOPROXY=a.example,u:p@b.example/x",
		"GOPRIVATE=git@host/x", "GOFLAGS=-ldflags=-X=https://a.example/b@c",
		"OPENAI_API_KEY=k", "LLM_API_KEY=s1", "TELEGRAM_TOKEN=s2", "SECRET=s", "AWS_SECRET_ACCESS_KEY=s", "DATABASE_URL=postgres://x",
		"NODE_OPTIONS=--x", "LD_PRELOAD=/x.so", "BASH_ENV=/x", "ENV=/x", "BASH_FUNC_ls%%=() { :; }", "LC_PASSWORD=p",
		"SSH_AUTH_SOCK=/s", "XDG_RUNTIME_DIR=/run/user/1", "EDITOR=vi", "path=/x", "odd", "=x",
	})
	want := []string{"GOFLAGS=-ldflags=-X=https://a.example/b@c", "GOPRIVATE=git@host/x", "HOME=/home/u", "LANG=", "LC_ALL=C", "NO_PROXY=localhost,10.0.0.0/8", "PATH=/opt/node@20/bin:/bin",
		"https_proxy=http://proxy.example:3128"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestInheritedNamesAreHarmless guards the list against its next editor.
func TestInheritedNamesAreHarmless(t *testing.T) {
	for name := range inherited {
		for _, part := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "CREDENTIAL", "AUTH", "SOCK", "LD_", "DYLD_", "OPTIONS", "*"} {
			if strings.Contains(name, part) {
				t.Errorf("%s is inherited and contains %s", name, part)
			}
		}
	}
}

func TestWithOverrides(t *testing.T) {
	base := []string{"PATH=/bin", "TERM=dumb"}
	got, err := WithOverrides(base, map[string]string{"TERM": "xterm", "FOO": "a=b\nc", "_x9": ""})
	if want := []string{"FOO=a=b\nc", "PATH=/bin", "TERM=xterm", "_x9="}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	for name, valid := range map[string]bool{
		"PATH": true, "path": true, "LD_PRELOAD": true, "ld_library_path": true, "DYLD_INSERT_LIBRARIES": true, "BASH_ENV": true,
		"ENV": true, "BASH_FUNC_ls": true, "NODE_OPTIONS": true, "PYTHONSTARTUP": true, "PERL5OPT": true, "GIT_SSH_COMMAND": true,
		"GIT_CONFIG_COUNT": true, "GIT_EXTERNAL_DIFF": true, "HOME": true, "npm_config_registry": true, "GITHUB_TOKEN": true,
		"CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER": true, "TF_VAR_x": true, "TOOLREST_STATE": true, "HTTPS_PROXY": true,
		"": false, "1A": false, "A-B": false, "A B": false, "A=B": false, "BASH_FUNC_ls%%": false, "Ä": false, "A\n": false,
	} {
		_, err := WithOverrides(base, map[string]string{name: "x", "FINE": "y"})
		var bad *EnvError
		if !errors.As(err, &bad) {
			t.Errorf("%q is accepted", name)
			continue
		}
		refused, invalid := []string{name}, []string(nil)
		if !valid {
			refused, invalid = invalid, refused
		}
		if !slices.Equal(bad.Refused, refused) || !slices.Equal(bad.Invalid, invalid) {
			t.Errorf("%q: %+v", name, bad)
		}
	}
	_, err = WithOverrides(nil, map[string]string{"Z": "a\x00b", "LD_X": "", "CC": "", "b-c": ""})
	const want = `env may not set "CC", "LD_X": such a variable decides which code programs load or run, or whom they trust; ` +
		`env has the invalid entry "Z", "b-c": a name has letters, digits and _ and begins with none of the digits; a value has no NUL ` +
		`(leave it out, or set it in the command itself, where it can be judged)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestOverridesNeverReachTheLoader tries names near the refused ones.
func TestOverridesNeverReachTheLoader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"LD_", "ld_", "Dyld_", "BASH_FUNC_", "Git_Config_"}).Draw(t, "prefix") +
			rapid.StringMatching(`[A-Za-z0-9_]{0,12}`).Draw(t, "rest")
		if _, err := WithOverrides(nil, map[string]string{name: ""}); err == nil {
			t.Fatalf("%s is accepted", name)
		}
	})
}

// TestEnvErrorIsShort keeps a hostile call from filling the answer.
func TestEnvErrorIsShort(t *testing.T) {
	bad := map[string]string{}
	for i := range 1000 {
		bad["-"+strings.Repeat("x", 1000+i)] = ""
	}
	if _, err := WithOverrides(nil, bad); err == nil || len(err.Error()) > 1500 || !strings.Contains(err.Error(), "992 more") {
		t.Errorf("got %v", err)
	}
}

func TestEnvironOfThisMachine(t *testing.T) {
	t.Setenv("FAKE_API_KEY", "s")
	if got := Environ(os.Environ()); slices.ContainsFunc(got, func(e string) bool { return strings.HasPrefix(e, "FAKE") }) {
		t.Errorf("got %q", got)
	}
}
