package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
)

func TestDefaults(t *testing.T) {
	p := newPlace(t)
	c := p.mustLoad()
	if c.File != "" || c.Found != config.FoundNone || !c.Trusted || c.Base != nil || len(c.Ignored) > 0 {
		t.Errorf("no file, but %+v", c)
	}
	if c.Workspace != p.work || !c.WorkspacePos.IsZero() {
		t.Errorf("workspace %q at %v", c.Workspace, c.WorkspacePos)
	}
	if c.Exec != (config.Exec{Ask: config.AskAlways}) || c.ExecFor("main") != c.Exec {
		t.Errorf("exec %+v", c.Exec)
	}
	if diff := cmp.Diff(policy.Section{
		Path:  "tools",
		Allow: policy.List{Path: "tools.allow"}, AlsoAllow: policy.List{Path: "tools.alsoAllow"}, Deny: policy.List{Path: "tools.deny"},
	}, c.Policy.Tools.Section); diff != "" {
		t.Errorf("tools:\n%s", diff)
	}
	if config.DefaultProfile != "coding" {
		t.Errorf("default profile %q", config.DefaultProfile)
	}
	if _, err := os.Lstat(filepath.Join(p.home, ".toolrest")); err == nil {
		t.Error("loading made the state folder")
	}
}

func TestAnEmptyObjectIsTheDefaults(t *testing.T) {
	p := newPlace(t)
	p.own("{}")
	c := p.mustLoad()
	if c.Policy.Tools.Profile != "" || c.Exec.Ask != config.AskAlways || c.Workspace != p.work {
		t.Errorf("%+v", c)
	}
}

func TestValuesAndPlaces(t *testing.T) {
	p := newPlace(t)
	p.mkdir(filepath.Join(p.home, "proj"), 0o755)
	p.env["KEY"] = "hunter2"
	p.env["EMPTY"] = ""
	file := p.own(`// mine
{
  workspace: '~/proj',
  tools: {
    profile: 'messaging',
    alsoAllow: ['exec', ' Read '],
    deny: [
      'group:web', // no web
    ],
    exec: { ask: 'off' },
  },
  agents: { list: [
    { id: ' Ops ', tools: { allow: ['exec'], exec: { ask: 'always' } } },
    { id: 'b', },
  ] },
  models: { providers: {
    local: { baseUrl: 'http://127.0.0.1:1/v1', api: 'openai-completions', apiKey: 'x${KEY}$${KEY}', models: [
      { id: 'm', name: 'M', contextWindow: 8192, maxTokens: 1e3, reasoning: true },
    ] },
  } },
}
`)
	at := func(line, col int) toolrest.Pos { return toolrest.Pos{File: file, Line: line, Col: col} }
	c := p.mustLoad()
	if c.File != file || c.Found != config.FoundHome || !c.Trusted {
		t.Errorf("file %q found %s trusted %v", c.File, c.Found, c.Trusted)
	}
	if c.Workspace != filepath.Join(p.home, "proj") || c.WorkspacePos != at(3, 14) {
		t.Errorf("workspace %s at %s", c.Workspace, c.WorkspacePos)
	}
	wantTools := policy.Section{
		Path: "tools", Pos: at(4, 10), Profile: "messaging", ProfilePos: at(5, 14),
		Allow: policy.List{Path: "tools.allow"},
		AlsoAllow: policy.List{Set: true, Path: "tools.alsoAllow", Pos: at(6, 16), Entries: []policy.Entry{
			{Text: "exec", Pos: at(6, 17)}, {Text: " Read ", Pos: at(6, 25)},
		}},
		Deny: policy.List{Set: true, Path: "tools.deny", Pos: at(7, 11), Entries: []policy.Entry{{Text: "group:web", Pos: at(8, 7)}}},
	}
	if diff := cmp.Diff(wantTools, c.Policy.Tools.Section); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if c.Exec != (config.Exec{Ask: config.AskOff, Key: "tools.exec.ask", Pos: at(10, 18)}) {
		t.Errorf("exec %+v", c.Exec)
	}
	ops, ok := c.Agent("OPS")
	if !ok || ops.ID != "ops" || ops.Pos != at(13, 5) || ops.Exec.Ask != config.AskAlways {
		t.Errorf("agent ops: %v %+v", ok, ops)
	}
	tools := c.Policy.Agents[0].Tools
	if tools.Path != "agents.list[0].tools" || tools.Allow.Path != "agents.list[0].tools.allow" || tools.Allow.Entries[0].Pos != at(13, 37) {
		t.Errorf("tools of ops: %+v", tools)
	}
	if _, ok := c.Agent("main"); ok {
		t.Error("an agent that is not in the list is found")
	}
	provider := c.Models.Providers[0]
	if provider.APIKey.Reveal() != "xhunter2${KEY}" {
		t.Errorf("key %q", provider.APIKey.Reveal())
	}
	wantModel := config.Model{ID: "m", Pos: at(18, 7), Name: "M", ContextWindow: 8192, MaxTokens: 1000, Reasoning: true}
	if provider.ID != "local" || provider.BaseURL != "http://127.0.0.1:1/v1" || provider.API != "openai-completions" || provider.Models[0] != wantModel {
		t.Errorf("provider %+v", provider)
	}
}

// The agent's word on asking counts before the global one.
func TestExecFor(t *testing.T) {
	tests := []struct{ global, agent, want string }{
		{"", "", "always"},
		{"off", "", "off"},
		{"always", "", "always"},
		{"", "off", "off"},
		{"always", "off", "off"},
		{"off", "always", "always"},
	}
	for _, tt := range tests {
		p := newPlace(t)
		ask := func(value string) string {
			if value == "" {
				return "{}"
			}
			return "{ exec: { ask: '" + value + "' } }"
		}
		p.own("{ tools: " + ask(tt.global) + ", agents: { list: [{ id: 'a', tools: " + ask(tt.agent) + " }] } }")
		if got := p.mustLoad().ExecFor("A").Ask; got != tt.want {
			t.Errorf("global %q, agent %q: asks %q, want %q", tt.global, tt.agent, got, tt.want)
		}
	}
}

// A bound that is written for all holds for an agent that says nothing of
// bounds, and it is named as what asks.
func TestAskingNothingLiftsNoBound(t *testing.T) {
	for _, tt := range []struct{ global, agent, want, key string }{
		{"security: 'deny'", "ask: 'off'", "always", "tools.exec.security"},
		{"security: 'allowlist', ask: 'on-miss'", "ask: 'off'", "always", "tools.exec.security"},
		{"mode: 'ask'", "ask: 'off'", "always", "tools.exec.mode"},
		{"security: 'deny'", "security: 'full', ask: 'off'", "off", "agents.list[0].tools.exec.ask"},
		{"security: 'deny'", "security: 'full'", "always", "tools.exec.security"},
		{"security: 'deny'", "ask: 'always'", "always", "agents.list[0].tools.exec.ask"},
		{"security: 'full', ask: 'always'", "ask: 'off'", "off", "agents.list[0].tools.exec.ask"},
		{"ask: 'off'", "mode: 'deny'", "always", "agents.list[0].tools.exec.mode"},
	} {
		p := newPlace(t)
		p.own("{ tools: { exec: { " + tt.global + " } }, agents: { list: [{ id: 'a', tools: { exec: { " + tt.agent + " } } }] } }")
		if got := p.mustLoad().ExecFor("a"); got.Ask != tt.want || got.Key != tt.key {
			t.Errorf("global %s, agent %s: asks %q by %s, want %q by %s", tt.global, tt.agent, got.Ask, got.Key, tt.want, tt.key)
		}
	}
}

// TestFindOrder puts a config in every place and takes them away one by one.
func TestFindOrder(t *testing.T) {
	p := newPlace(t)
	opts := p.options()
	opts.Path = "named.json5"
	named := p.write(filepath.Join(p.work, "named.json5"), "{}")
	env := p.write(filepath.Join(p.home, "env.json5"), "{}")
	p.env[config.EnvConfig] = "~/env.json5"
	here := p.here("{}")
	own := p.own("{}")

	check := func(file string, found config.Found, trusted bool) {
		t.Helper()
		c, err := config.Load(opts)
		if err != nil {
			t.Fatal(err)
		}
		if c.File != file || c.Found != found || c.Trusted != trusted {
			t.Errorf("got %q %s %v, want %q %s %v", c.File, c.Found, c.Trusted, file, found, trusted)
		}
	}
	check(named, config.FoundNamed, true)
	opts.Path = ""
	check(env, config.FoundEnv, true)
	delete(p.env, config.EnvConfig)
	check(here, config.FoundWorkspace, false)
	if err := os.Remove(here); err != nil {
		t.Fatal(err)
	}
	check(own, config.FoundHome, true)
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	check("", config.FoundNone, true)
}

// Nobody but the current folder itself and the user's own are asked.
func TestParentFoldersAreNotAsked(t *testing.T) {
	p := newPlace(t)
	p.here("{ not a config")
	p.work = filepath.Join(p.work, "below")
	p.mkdir(p.work, 0o755)
	if c := p.mustLoad(); c.Found != config.FoundNone {
		t.Errorf("found %s", c.File)
	}
}

func TestNamedMustExist(t *testing.T) {
	p := newPlace(t)
	p.here("{}")
	p.own("{}")
	opts := p.options()
	opts.Path = "gone.json5"
	_, err := config.Load(opts)
	want := "$WORK/gone.json5: there is no such file\n  it was named by --config"
	if err == nil || p.names(err.Error()) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A config that is no regular file is refused, without waiting for it.
func TestOddFiles(t *testing.T) {
	odd := map[string]func(path string) error{
		"pipe":        func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder":      func(path string) error { return os.Mkdir(path, 0o700) },
		"device":      func(path string) error { return os.Symlink("/dev/zero", path) },
		"broken link": func(path string) error { return os.Symlink("nowhere", path) },
		"large": func(path string) error {
			return os.WriteFile(path, []byte("{}"+strings.Repeat(" ", 4<<20)), 0o600)
		},
	}
	want := map[string]string{
		"pipe": "this is not a regular file", "folder": "this is a folder, not a file", "device": "this is not a regular file",
		"broken link": "there is no such file", "large": "the file is larger than 4096 KiB",
	}
	for name, create := range odd {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			path := filepath.Join(p.work, config.FileName)
			if err := create(path); err != nil {
				t.Fatal(err)
			}
			if _, err := p.load(); err == nil || err.Error() != path+": "+want[name] {
				t.Errorf("got %v", err)
			}
		})
	}
}

// What the system says about a place that cannot be is passed on, once.
func TestPlacesBelowAFile(t *testing.T) {
	p := newPlace(t)
	file := p.write(filepath.Join(p.home, "file"), "")
	opts := p.options()
	opts.Path = filepath.Join(file, "x.json5")
	_, err := config.Load(opts)
	if err == nil || err.Error() != opts.Path+": read it: not a directory\n  it was named by --config" {
		t.Errorf("config: %v", err)
	}
	opts = p.options()
	opts.State = filepath.Join(file, "state")
	_, err = config.OpenState(opts)
	if err == nil || err.Error() != opts.State+": make the state folder: not a directory" {
		t.Errorf("state folder: %v", err)
	}
	p.own("{ workspace: '~/file/x' }")
	_, err = p.load()
	var one *config.Error
	if !errors.As(err, &one) || one.Line != 1 || one.Text != "look at the folder: not a directory: "+file+"/x" {
		t.Errorf("workspace: %v", err)
	}
}

func TestFilesAreTheReins(t *testing.T) {
	p := newPlace(t)
	elsewhere := p.write(filepath.Join(p.home, "real.json5"), "{}")
	here := filepath.Join(p.work, config.FileName)
	if err := os.Symlink(elsewhere, here); err != nil {
		t.Fatal(err)
	}
	own := p.own("{}")
	if diff := cmp.Diff([]string{here, elsewhere, own}, p.mustLoad().Files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Those that could be made count, too.
	p = newPlace(t)
	want := []string{filepath.Join(p.work, config.FileName), filepath.Join(p.home, ".toolrest", config.FileName)}
	if diff := cmp.Diff(want, p.mustLoad().Files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorkspacePaths(t *testing.T) {
	p := newPlace(t)
	p.mkdir(filepath.Join(p.home, "proj", "sub"), 0o755)
	if err := os.Symlink(filepath.Join(p.home, "proj"), filepath.Join(p.home, "link")); err != nil {
		t.Fatal(err)
	}
	p.env["SUB"] = "sub"
	sub, proj := filepath.Join(p.home, "proj", "sub"), filepath.Join(p.home, "proj")
	for text, want := range map[string]string{
		"~/proj": proj, "../proj/sub": sub, proj: proj, "~": p.home, "~/link/sub": sub, "../link/.": proj,
		"~/proj/${SUB}": sub, "~/proj//sub/..": proj,
	} {
		p.own("{ workspace: '" + text + "' }")
		if got := p.mustLoad().Workspace; got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestTheCurrentFolderMustExist(t *testing.T) {
	p := newPlace(t)
	p.work = filepath.Join(p.work, "gone")
	_, err := p.load()
	want := "workspace: there is no such folder: " + p.work + "\n  it is the current folder, because the config names none"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestRelativePlacesAreRefused(t *testing.T) {
	p := newPlace(t)
	opts := p.options()
	opts.Dir = "work"
	if _, err := config.Load(opts); err == nil {
		t.Error("a relative current folder is taken")
	}
	p.env[config.EnvState] = "state"
	if _, err := p.load(); err == nil || err.Error() != "$TOOLREST_STATE: must be an absolute path, or begin with ~/" {
		t.Errorf("a relative state folder: %v", err)
	}
}

// Without a home folder everything works but what lies in it.
func TestWithoutAHome(t *testing.T) {
	t.Setenv("HOME", "")
	p := newPlace(t)
	p.home = ""
	p.here("{ tools: { deny: ['exec'] } }")
	if c := p.mustLoad(); c.Trusted || len(c.Policy.Tools.Deny.Entries) != 1 {
		t.Errorf("%+v", c)
	}
	if _, err := config.OpenState(p.options()); err == nil || !strings.Contains(err.Error(), "set $TOOLREST_STATE") {
		t.Errorf("state folder: %v", err)
	}
	p.here("{ workspace: '~/x' }")
	if _, err := p.load(); err == nil || !strings.Contains(err.Error(), ":1:14: workspace: ~/ stands for nothing here") {
		t.Errorf("workspace: %v", err)
	}
}

func TestReference(t *testing.T) {
	const golden = "testdata/reference.txt"
	got := config.Reference()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s", got)
	}
	for line := range strings.Lines(got) {
		if !strings.HasSuffix(line, ".\n") || strings.HasSuffix(line, ". .\n") {
			t.Errorf("a key without a description: %s", line)
		}
	}
}

// FuzzLoad loads any bytes: no panic, and each error has a place in the file.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{tools: {allow: [], alsoAllow: ['x'], deny: ['*'], profile: 'full', exec: {ask: 'off'}}}`,
		`{agents: {list: [{id: 'a', tools: {}}, {id: 'A'}, {}]}}`, `{workspace: '${HOME}', a: 1}`, `{workspace: '\0'}`,
		`{models: {providers: {x: {baseUrl: 'http://a', models: [{id: 'm', maxTokens: 1e300}]}}}}`, `[`, `{tools: {}, tools: 1}`,
	} {
		f.Add([]byte(seed))
	}
	p := newPlace(f)
	own, here := filepath.Join(p.work, "own.json5"), filepath.Join(p.work, config.FileName)
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, path := range []string{own, here} {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			opts := p.options()
			if path == own {
				opts.Path = path
			}
			c, err := config.Load(opts)
			if err == nil {
				checkLoaded(t, p, c)
				continue
			}
			if len(text) > 1<<20 {
				return
			}
			lines := strings.Count(string(text), "\n") + strings.Count(string(text), "\r") + 1
			for _, e := range asErrors(t, err) {
				if e.File != own && e.File != here || e.Line < 1 || e.Line > lines || e.Col < 1 || e.Text == "" {
					t.Errorf("error without a place in the file: %+v", e)
				}
			}
		}
	})
}

func checkLoaded(t *testing.T, p *place, c *config.Config) {
	t.Helper()
	if !filepath.IsAbs(c.Workspace) {
		t.Errorf("workspace %q", c.Workspace)
	}
	if !c.Trusted && (c.Exec.Ask != config.AskAlways || len(c.Models.Providers) > 0 || !strings.HasPrefix(c.Workspace, p.work)) {
		t.Errorf("an untrusted config widens: %+v", c)
	}
}
