package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/toolrest/toolrest/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	testscript.Main(m, map[string]func(){"toolrest": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
			env.Setenv("TOOLREST_STATE", filepath.Join(env.WorkDir, ".home/state"))
			env.Setenv("PWD", env.WorkDir)
			return os.MkdirAll(filepath.Join(env.WorkDir, ".home"), 0o700)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code": cmdCode,
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// cmdCode runs a program and wants an exit code: code 10 toolrest explain exec.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = regexp.MustCompile(`\d+$`).FindString(err.Error())
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s (%v)", got, args[0], err)
	}
}

// The README shows what explain prints, to the letter.
func TestReadmeShowsExplain(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(lang string) string {
		_, rest, ok := strings.Cut(string(raw), "```"+lang+"\n")
		text, _, closed := strings.Cut(rest, "```")
		if !ok || !closed {
			t.Fatalf("the README has no %s block", lang)
		}
		return text
	}
	t.Chdir(t.TempDir())
	t.Setenv("TOOLREST_STATE", t.TempDir())
	if err := os.WriteFile("toolrest.json5", []byte(block("json5")), 0o600); err != nil {
		t.Fatal(err)
	}
	command, want, _ := strings.Cut(block("console"), "\n")
	args := strings.Fields(strings.TrimPrefix(command, "$ toolrest "))
	var out, errs strings.Builder
	if code := run(args, streams{strings.NewReader(""), &out, &errs}); code != exitDenied || errs.Len() > 0 {
		t.Errorf("exit code %d, stderr %s", code, errs.String())
	}
	if out.String() != want {
		t.Errorf("%s prints\n%s\nthe README shows\n%s", command, out.String(), want)
	}
}

// What the README says of the library stands in the example that is built.
func TestReadmeShowsTheLibrary(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../examples/library/main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	shown, _, _ := strings.Cut(rest, "```")
	flat := strings.Join(strings.Fields(string(example)), " ")
	if shown == "" || !strings.Contains(flat, strings.Join(strings.Fields(shown), " ")) {
		t.Errorf("the README shows code that is not in examples/library:\n%s", shown)
	}
}
