package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/model/modeltest"
)

var (
	inForce = regexp.MustCompile("the config has changed and is in force")
	broken  = regexp.MustCompile(`the config is broken; the one before it stays in force.*tools\.dney`)
)

// edit changes the config; WORKSPACE stands for the path of the workspace.
func (w *world) edit(text string) {
	w.t.Helper()
	w.write(w.config, strings.ReplaceAll(text, "WORKSPACE", w.workspace))
}

// gate is a call that runs from its file "at" until the file "go" is there.
func gate(n string) []modeltest.Call {
	return []modeltest.Call{{
		ID: "c" + n, Name: "exec",
		Args: `{"command":"touch at` + n + `; until [ -e go` + n + ` ]; do sleep 0.01; done; echo through ` + n + `","timeout":60}`,
	}}
}

// sees wants the model to be shown write, or not; exec it sees always.
func sees(write bool) func(testing.TB, *modeltest.Request) {
	return func(t testing.TB, req *modeltest.Request) {
		var names []string
		for _, tool := range req.Tools {
			names = append(names, tool.Name)
		}
		if slices.Contains(names, "write") != write || !slices.Contains(names, "exec") {
			t.Errorf("the model is shown %v", names)
		}
		for _, r := range req.Results {
			if !strings.Contains(r.Text, "through") {
				t.Errorf("the call that ran during the change gave %q", r.Text)
			}
		}
	}
}

// TestOneEditReachesEveryDoor edits one config while serve, mcp and a
// conversation are open on it: denied, broken, mended.
func TestOneEditReachesEveryDoor(t *testing.T) {
	k := wires["anthropic"](t, askOff,
		modeltest.Turn{Calls: gate("1"), Expect: sees(true)},
		modeltest.Turn{Calls: gate("2"), Expect: sees(false)},
		modeltest.Turn{Calls: gate("3"), Expect: sees(false)},
		modeltest.Turn{Text: "Done.", Expect: sees(true)},
	)
	doors := []*told{tell(t, k.world, "http"), tell(t, k.world, "stdio")}
	a := k.ask("go")
	logs := []*transcript{a.stderr, doors[0].stderr, doors[1].stderr}

	listed := func(write bool) {
		t.Helper()
		for _, c := range doors {
			if got := c.names(t); slices.Contains(got, "write") != write || !slices.Contains(got, "read") {
				t.Errorf("the tools are %v", got)
			}
		}
	}
	logged := func(what *regexp.Regexp) {
		t.Helper()
		for i, log := range logs {
			if log.await(what) == "" {
				t.Fatalf("log %d does not say %q: %s", i, what, log)
			}
		}
	}

	k.await("at1")
	k.edit(noWrite)
	doors[0].hears(t, "the deny")
	doors[1].hears(t, "the deny")
	logged(inForce)
	listed(false)
	k.write("go1", "")

	k.await("at2")
	k.edit("{ tools: { dney: [] } }")
	logged(broken)
	listed(false)
	doctor := k.run("doctor", "--config", k.config)
	if doctor.code != 1 {
		t.Errorf("doctor ends with %d", doctor.code)
	}
	contains(t, doctor.stdout, "fail  config", filepath.Base(k.config)+":1:12", "did you mean deny")
	k.write("go2", "")

	k.await("at3")
	k.edit(askOff)
	doors[0].hears(t, "the mended config")
	doors[1].hears(t, "the mended config")
	logged(regexp.MustCompile(`(?s)has changed.*is broken.*has changed`))
	listed(true)
	k.write("go3", "")

	if code := a.wait(); code != 0 || a.stdout.String() != "Done.\n" {
		t.Errorf("exit code %d\n%s\n%s", code, a.stdout, a.stderr)
	}
	if got := len(answers(k.conversation()...)); got != 3 {
		t.Errorf("%d results", got)
	}
}

// TestCallAfterAnEdit: the model was shown a tool, and its call comes after the
// config that denies it.
func TestCallAfterAnEdit(t *testing.T) {
	eachWire(t, func(t *testing.T, open func(string, ...modeltest.Turn) *talk) {
		asked, edited := make(chan struct{}), make(chan struct{})
		k := open(askOff,
			modeltest.Turn{
				Calls: []modeltest.Call{{ID: "c1", Name: "write", Args: `{"path":"a.txt","content":"x"}`}},
				Expect: func(t testing.TB, req *modeltest.Request) {
					sees(true)(t, req)
					close(asked)
					select {
					case <-edited:
					case <-t.Context().Done():
					}
				},
			},
			modeltest.Turn{Text: "Then not.", Expect: func(t testing.TB, req *modeltest.Request) {
				if len(req.Results) != 1 || !strings.Contains(req.Results[0].Text, "denied by tools.deny") {
					t.Errorf("the model got %+v", req.Results)
				}
			}},
		)
		a := k.ask("write")
		<-asked
		k.edit(noWrite)
		if a.stderr.await(inForce) == "" {
			t.Errorf("stderr: %s", a.stderr)
		}
		close(edited)
		if code := a.wait(); code != 0 {
			t.Errorf("exit code %d\n%s", code, a.stderr)
		}
		if _, err := os.Lstat(k.path("a.txt")); err == nil {
			t.Error("a denied tool wrote")
		}
	})
}

// TestConfigThatAppearsInARun: what comes into the workspace in the middle of a
// conversation, for example with the files of a repository, takes a tool away
// and gives none.
func TestConfigThatAppearsInARun(t *testing.T) {
	asked, appeared := make(chan struct{}), make(chan struct{})
	k := wires["anthropic"](t, "{}",
		modeltest.Turn{
			Calls: []modeltest.Call{
				{ID: "c1", Name: "write", Args: `{"path":"a.txt","content":"x"}`},
				{ID: "c2", Name: "exec", Args: `{"command":"touch b.txt"}`},
			},
			Expect: func(t testing.TB, req *modeltest.Request) {
				sees(true)(t, req)
				close(asked)
				select {
				case <-appeared:
				case <-t.Context().Done():
				}
			},
		},
		modeltest.Turn{Text: "Then not.", Expect: func(t testing.TB, req *modeltest.Request) {
			if len(req.Tools) != 3 || len(req.Results) != 2 {
				t.Errorf("%d tools, %d results", len(req.Tools), len(req.Results))
				return
			}
			for i, want := range []string{"denied by tools.deny", "is not trusted, so it cannot switch asking off"} {
				if text := req.Results[i].Text; !strings.Contains(text, want) {
					t.Errorf("the model got %q, want %q", text, want)
				}
			}
		}},
	)
	k.unnamed = true
	a := k.ask("write")
	<-asked
	k.write("toolrest.json5", loose)
	if a.stderr.await(inForce) == "" {
		t.Errorf("stderr: %s", a.stderr)
	}
	close(appeared)
	if code := a.wait(); code != 0 {
		t.Errorf("exit code %d\n%s", code, a.stderr)
	}
	for _, file := range []string{"a.txt", "b.txt"} {
		if _, err := os.Lstat(k.path(file)); err == nil {
			t.Errorf("%s was made", file)
		}
	}
}

// TestEditsAsEditorsMakeThem: a config is replaced, removed and made again, or
// changed behind a link.
func TestEditsAsEditorsMakeThem(t *testing.T) {
	for name, edit := range map[string]func(w *world, text string) error{
		"renamed over": func(w *world, text string) error {
			w.write(w.config+".new", text)
			return os.Rename(w.config+".new", w.config)
		},
		"removed and made again": func(w *world, text string) error {
			err := os.Remove(w.config)
			w.write(w.config, text)
			return err
		},
		"moved away and made again": func(w *world, text string) error {
			err := os.Rename(w.config, w.config+"~")
			w.write(w.config, text)
			return err
		},
		"behind a link": func(w *world, text string) error {
			target, err := filepath.EvalSymlinks(w.config)
			w.write(target, text)
			return err
		},
		"another link": func(w *world, text string) error {
			w.write(w.config+".second", text)
			if err := os.Symlink(w.config+".second", w.config+".link"); err != nil {
				return err
			}
			return os.Rename(w.config+".link", w.config)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, askOff)
			dotfiles := filepath.Join(w.home, "dotfiles")
			if strings.Contains(name, "link") {
				if err := os.Mkdir(dotfiles, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(w.config, dotfiles+"/c.json5"); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(dotfiles+"/c.json5", w.config); err != nil {
					t.Fatal(err)
				}
			}
			c := tell(t, w, "stdio")
			if err := edit(w, strings.ReplaceAll(noWrite, "WORKSPACE", w.workspace)); err != nil {
				t.Fatal(err)
			}
			c.hears(t, "the deny")
			if names := c.names(t); slices.Contains(names, "write") || !slices.Contains(names, "exec") {
				t.Errorf("the tools are %v", names)
			}
		})
	}
}
