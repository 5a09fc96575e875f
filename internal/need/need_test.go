package need

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// outcome is a test that only notes how it ended.
type outcome struct {
	testing.TB
	skipped, failed string
}

func (o *outcome) Helper()      {}
func (o *outcome) Name() string { return "TestFake" }

func (o *outcome) Skipf(format string, args ...any) {
	o.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (o *outcome) Fatalf(format string, args ...any) {
	o.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// ends runs f as a test would and says how it ended.
func ends(f func(testing.TB)) *outcome {
	o := &outcome{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(o)
	}()
	<-done
	return o
}

func TestMissing(t *testing.T) {
	empty := t.TempDir()
	asks := map[string]func(testing.TB){
		"user namespaces":                  func(t testing.TB) { That(t, false, "user namespaces") },
		"the program no-such-program":      func(t testing.TB) { Program(t, "no-such-program") },
		"Node 24 (make parts)":             func(t testing.TB) { Node(t) },
		"npm's json5 (make parts)":         func(t testing.TB) { JSON5(t) },
		"the MCP inspector (make parts)":   func(t testing.TB) { Inspector(t) },
		"the program \x00 of a bad caller": func(t testing.TB) { Program(t, "\x00 of a bad caller") },
	}
	for want, ask := range asks {
		t.Run(want, func(t *testing.T) {
			t.Setenv(envCache, empty)
			t.Setenv(envRequire, "")
			t.Setenv(envSkipped, filepath.Join(t.TempDir(), "skipped"))
			if o := ends(ask); o.skipped != "missing: "+want || o.failed != "" {
				t.Errorf("skipped %q, failed %q; want a skip for %q", o.skipped, o.failed, want)
			}
			recorded, err := os.ReadFile(os.Getenv(envSkipped))
			if err != nil || string(recorded) != "TestFake: "+want+"\n" {
				t.Errorf("recorded %q, %v", recorded, err)
			}
			t.Setenv(envRequire, "all")
			if o := ends(ask); !strings.Contains(o.failed, want) || o.skipped != "" {
				t.Errorf("skipped %q, failed %q; want a failure for %q", o.skipped, o.failed, want)
			}
		})
	}
}

func TestThere(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(envCache, dir)
	t.Setenv(envRequire, "all")
	modules := filepath.Join(dir, "npm", "node_modules")
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	node := filepath.Join(modules, "node-linux-"+arch, "bin", "node")
	script := filepath.Join(modules, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	json5 := filepath.Join(modules, "json5", "package.json")
	for _, f := range []string{node, script, json5} {
		if err := os.MkdirAll(filepath.Dir(f), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if got := Inspector(t); len(got) != 3 || got[0] != node || got[1] != script || got[2] != "--cli" {
		t.Errorf("Inspector gave %q", got)
	}
	if got := JSON5(t); got != filepath.Dir(json5) {
		t.Errorf("JSON5 gave %q", got)
	}
	if got := Program(t, "go"); !filepath.IsAbs(got) {
		t.Errorf("Program gave %q", got)
	}
	That(t, true, "nothing")
}

func TestFull(t *testing.T) {
	t.Setenv(envRequire, "all")
	t.Setenv(envFull, "")
	if o := ends(Full); o.skipped == "" || o.failed != "" {
		t.Errorf("skipped %q, failed %q; want a skip", o.skipped, o.failed)
	}
	t.Setenv(envFull, "1")
	if o := ends(Full); o.skipped != "" || o.failed != "" {
		t.Errorf("skipped %q, failed %q; want neither", o.skipped, o.failed)
	}
}

func TestModuleRoot(t *testing.T) {
	if _, err := os.Stat(filepath.Join(ModuleRoot(t), "internal", "need", "need.go")); err != nil {
		t.Errorf("not the module's folder: %v", err)
	}
	t.Chdir(t.TempDir())
	if o := ends(func(t testing.TB) { ModuleRoot(t) }); !strings.Contains(o.failed, "no go.mod") {
		t.Errorf("outside a module: failed %q", o.failed)
	}
}
