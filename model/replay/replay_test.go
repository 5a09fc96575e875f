package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"go.uber.org/goleak"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const head = `{"toolrest":"replay","version":1,"model":"p/m","about":"a test","prompt":"go","delayMs":100}`

// story has two turns with calls and an answer.
const story = head + `
{"thinking":"let me see"}
{"text":"Two things."}
{"call":{"id":"a","name":"read","args":{"path": "x"}}}
{"call":{"id":"b","name":"exec","raw":"{\"cut"}}
{"done":{"stop":"calls","usage":{"input":7,"output":3}}}
{"results":[{"call":"a","name":"read","isError":false,"contains":"needle"},{"call":"b","name":"exec","isError":true,"text":"for people"}]}
{"call":{"id":"c","name":"read","raw":""}}
{"done":{"stop":"calls"}}
{"text":"Done."}
{"done":{"stop":"end"}}
`

func record(t *testing.T, text string, opts *Options) *Recording {
	t.Helper()
	r, err := Open(write(t, text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func good(calls []model.Call) model.Message {
	return model.Results(
		calls[0].Answer(toolrest.TextResult("a needle in hay")),
		calls[1].Answer(&toolrest.Result{IsError: true}))
}

func TestPlay(t *testing.T) {
	r := record(t, story, nil)
	if h := r.Header(); h.Model != "p/m" || h.About != "a test" || h.Prompt != "go" || h.Delay() != 100*time.Millisecond || !strings.HasSuffix(r.File(), "r.jsonl") {
		t.Errorf("%+v", h)
	}
	messages := []model.Message{model.User(model.Text("go"))}
	first, err := modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
	if err != nil {
		t.Fatal(err)
	}
	calls := first.Message.Calls()
	if first.Stop != model.StopCalls || first.Usage.Input != 7 || first.Message.Text() != "Two things." || len(calls) != 2 ||
		string(calls[0].Args) != `{"path": "x"}` || string(calls[1].Args) != `{"cut` || first.Message.From != "replay:"+r.File() {
		t.Errorf("%+v", first)
	}
	messages = append(messages, first.Message, good(calls), model.User(model.Text("in between")))
	second, err := modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
	if err != nil || len(second.Message.Calls()) != 1 || second.Message.Calls()[0].Args != nil {
		t.Fatalf("%+v, %v", second, err)
	}
	messages = append(messages, second.Message, model.Results(second.Message.Calls()[0].Answer(nil)))
	last, err := modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
	if err != nil || last.Stop != model.StopEnd || last.Message.Text() != "Done." {
		t.Fatalf("%+v, %v", last, err)
	}
	messages = append(messages, last.Message, model.User(model.Text("and more")))
	_, err = modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
	wantReplay(t, err, "line 11: the recording is over after 3 turns")
}

func wantReplay(t *testing.T, err error, text string) {
	t.Helper()
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.KindReplay || fault.Retryable || fault.Hint == "" || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, want %q", err, text)
	}
}

// TestFollow goes other ways than the recording.
func TestFollow(t *testing.T) {
	r := record(t, story, nil)
	for name, test := range map[string]struct {
		change func(m, results *model.Message)
		want   string
	}{
		"another call": {func(m, _ *model.Message) { m.Blocks[2].Call.Name = "write" },
			`line 4: the recording calls read (a), the conversation "write" ("a")`},
		"another id": {func(m, _ *model.Message) { m.Blocks[3].Call.ID = "z" },
			`line 5: the recording calls exec (b), the conversation "exec" ("z")`},
		"a call less": {func(m, _ *model.Message) { m.Blocks = m.Blocks[:3] },
			"line 5: the recording calls exec (b), the conversation nothing"},
		"a call more": {func(m, _ *model.Message) {
			m.Blocks = append(m.Blocks, model.Block{Kind: model.BlockCall, Call: &model.Call{ID: "z", Name: "rm"}})
		}, `line 2: the conversation calls "rm" ("z"), the recording does not`},
		"no result":       {func(_, r *model.Message) { r.Blocks = nil }, "line 4: the call of read (a) has no result in its place"},
		"results swapped": {func(_, r *model.Message) { r.Blocks[0], r.Blocks[1] = r.Blocks[1], r.Blocks[0] }, "line 4: the call of read (a) has no result in its place"},
		"another result":  {func(_, r *model.Message) { r.Blocks[0].Result.CallID = "z" }, "line 4: the call of read (a) has no result in its place"},
		"result twice":    {func(_, r *model.Message) { r.Blocks = append(r.Blocks, r.Blocks[1]) }, "line 2: there are 3 results for 2 calls"},
		"refused": {func(_, r *model.Message) {
			*r.Blocks[0].Result = model.Result{CallID: "a", Name: "read", IsError: true, Content: []toolrest.Content{toolrest.Text("nobody\x1b[0m to ask")}}
		}, `line 7: the recording goes on from a good result of read (a), but it was an error: "nobody\x1b[0m to ask"`},
		"went well":    {func(_, r *model.Message) { r.Blocks[1].Result.IsError = false }, "line 7: the recording goes on from an error of exec (b), but it went well"},
		"another text": {func(_, r *model.Message) { r.Blocks[0].Result.Content = []toolrest.Content{toolrest.Text("hay")} }, `line 7: the recording relies on "needle" in the result of read (a), which was: "hay"`},
	} {
		t.Run(name, func(t *testing.T) {
			messages := []model.Message{model.User(model.Text("go"))}
			first, err := modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
			if err != nil {
				t.Fatal(err)
			}
			results := good(first.Message.Calls())
			test.change(&first.Message, &results)
			messages = append(messages, first.Message, results)
			_, err = modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
			wantReplay(t, err, test.want)
			var where *Error
			if !errors.As(err, &where) || where.Line == 0 || where.File != r.File() {
				t.Errorf("no place: %v", err)
			}
		})
	}
}

func TestPaced(t *testing.T) {
	file := write(t, head+"\n"+`{"text":"one two three"}`+"\n"+`{"done":{"stop":"end"}}`)
	synctest.Test(t, func(t *testing.T) {
		r, err := Open(file, &Options{Paced: true})
		if err != nil {
			t.Fatal(err)
		}
		req := &model.Request{Messages: []model.Message{model.User(model.Text("go"))}}
		start := time.Now()
		if done, err := modeltest.Collect(t, r.Stream(t.Context(), req)); err != nil || done.Message.Text() != "one two three" || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%+v, %v after %s", done, err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
		defer cancel()
		start = time.Now()
		_, err = modeltest.Collect(t, r.Stream(ctx, req))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != model.KindCancelled || !errors.Is(err, context.DeadlineExceeded) ||
			fault.Partial == nil || fault.Partial.Text() != "one two " || time.Since(start) != 250*time.Millisecond {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		for range r.Stream(t.Context(), req) { // a caller that leaves hears no more
			break
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/bad.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		want, text, _ := strings.Cut(string(f.Data), "\n")
		text = strings.ReplaceAll(text, "HEAD", head)
		text, _, _ = strings.Cut(text, "<CUT>")
		file := write(t, text)
		_, err := Open(file, nil)
		var where *Error
		if !errors.As(err, &where) || where.Hint == "" {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); first != file+":"+want {
			t.Errorf("%s: %s, want %s", f.Name, strings.TrimPrefix(first, file+":"), want)
		}
	}
}

func TestOpenReadsFilesOnly(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(dir, "huge")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, maxFile+1); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file or directory",
		dir:                        "no regular file",
		pipe:                       "no regular file",
		"/dev/zero":                "no regular file",
		huge:                       "larger than any recording",
	} {
		_, err := Open(file, nil)
		if err == nil || !strings.HasPrefix(err.Error(), file+": ") || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "replay:FILE") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := Open(write(t, "\ufeff"+strings.ReplaceAll(story, "\n", "\r\n")), nil); err != nil {
		t.Errorf("a file from an editor of another system: %v", err)
	}
}

// FuzzParse wants a line inside the file for every complaint, and a recording
// that is accepted to play to its end.
func FuzzParse(f *testing.F) {
	f.Add(story)
	f.Add(head + "\n{\"text\":\"a\"}\n{\"done\":{\"stop\":\"length\"}}")
	f.Add(head + "\n{\"results\":null}")
	f.Add("{\"toolrest\":\"replay\"\n\n")
	f.Fuzz(func(t *testing.T, src string) {
		header, turns, line, err := parse([]byte(src))
		if lines := strings.Count(src, "\n") + 1; line < 1 || line > lines {
			t.Fatalf("line %d of %d: %v", line, lines, err)
		}
		if err != nil {
			return
		}
		r := &Recording{file: "f", header: header, turns: turns, last: line}
		messages := []model.Message{model.User(model.Text("go"))}
		for i := range turns {
			done, err := modeltest.Collect(t, r.Stream(t.Context(), &model.Request{Messages: messages}))
			if err != nil {
				t.Fatalf("turn %d: %v", i, err)
			}
			messages = append(messages, done.Message)
			var results []model.Result
			for j, c := range done.Message.Calls() {
				a := c.Answer(toolrest.TextResult(""))
				if turns[i].results != nil {
					want := turns[i].results[j]
					a = c.Answer(&toolrest.Result{Content: []toolrest.Content{toolrest.Text(want.Contains)}, IsError: want.IsError != nil && *want.IsError})
					if strings.TrimSpace(want.Contains) == "" && want.Contains != "" {
						return // such a text is never sent
					}
				}
				results = append(results, a)
			}
			messages = append(messages, model.Results(results...))
		}
	})
}

func TestWorkspaceIsCopied(t *testing.T) {
	const named = `{"toolrest":"replay","version":1,"workspace":"ws"}` + "\n{\"text\":\"a\"}\n{\"done\":{\"stop\":\"end\"}}"
	outside := t.TempDir()
	for name, test := range map[string]struct {
		make func(t *testing.T, beside, dst string)
		want string
	}{
		"fine": {func(t *testing.T, beside, _ string) {
			must(t, os.MkdirAll(filepath.Join(beside, "ws", "sub"), 0o777))
			must(t, os.WriteFile(filepath.Join(beside, "ws", "sub", "f"), []byte("x"), 0o666))
		}, ""},
		"missing": {func(*testing.T, string, string) {}, "no such file or directory"},
		"not empty": {func(t *testing.T, beside, dst string) {
			must(t, os.Mkdir(filepath.Join(beside, "ws"), 0o777))
			must(t, os.WriteFile(filepath.Join(dst, "mine"), nil, 0o666))
		}, "is not empty"},
		"a link": {func(t *testing.T, beside, _ string) {
			must(t, os.Mkdir(filepath.Join(beside, "ws"), 0o777))
			must(t, os.Symlink("/etc/passwd", filepath.Join(beside, "ws", "l")))
		}, "l is neither a file nor a folder"},
		"itself a link": {func(t *testing.T, beside, _ string) {
			must(t, os.Symlink(outside, filepath.Join(beside, "ws")))
		}, "escapes"},
		"many files": {func(t *testing.T, beside, _ string) {
			must(t, os.Mkdir(filepath.Join(beside, "ws"), 0o777))
			for i := range maxWorkspaceFiles + 1 {
				must(t, os.WriteFile(filepath.Join(beside, "ws", fmt.Sprint(i)), nil, 0o666))
			}
		}, "more than 1000 files"},
		"large": {func(t *testing.T, beside, _ string) {
			must(t, os.Mkdir(filepath.Join(beside, "ws"), 0o777))
			must(t, os.WriteFile(filepath.Join(beside, "ws", "f"), nil, 0o666))
			must(t, os.Truncate(filepath.Join(beside, "ws", "f"), maxWorkspace+1))
		}, "more than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			r, dst := record(t, named, nil), t.TempDir()
			test.make(t, filepath.Dir(r.File()), dst)
			ok, err := r.CopyWorkspace(dst)
			if test.want != "" {
				if ok || err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%t, %v, want %q", ok, err, test.want)
				}
				return
			}
			if text, readErr := os.ReadFile(filepath.Join(dst, "sub", "f")); !ok || err != nil || readErr != nil || string(text) != "x" {
				t.Errorf("%t, %v, %v, %q", ok, err, readErr, text)
			}
		})
	}
	if ok, err := record(t, story, nil).CopyWorkspace(t.TempDir()); ok || err != nil {
		t.Errorf("a recording without a workspace: %t, %v", ok, err)
	}
	r := record(t, named, nil)
	if _, err := r.CopyWorkspace(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that does not exist was copied into")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
