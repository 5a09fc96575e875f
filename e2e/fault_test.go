package e2e

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/need"
	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

const beginning = "The beginning of an answer."

// faults are what a model server does wrong, and what the person is told: what
// happened, and what to do about it.
var faults = map[string]struct {
	fault modeltest.Fault
	want  []string
}{
	"401":              {modeltest.Fault{Status: 401}, []string{"refuses the key", "the key came from", "set a valid one there"}},
	"403":              {modeltest.Fault{Status: 403}, []string{"refuses the key", "the key came from"}},
	"404":              {modeltest.Fault{Status: 404}, []string{"does not know the model or the path", "check the base URL"}},
	"429":              {modeltest.Fault{Status: 429, RetryAfter: "7"}, []string{"limits the rate", "try again in 7s"}},
	"500":              {modeltest.Fault{Status: 500}, []string{"status 500", "try again later"}},
	"529":              {modeltest.Fault{Status: 529, Message: "Overloaded"}, []string{"Overloaded", "try again later"}},
	"too long":         {modeltest.Fault{Status: 400, Code: "context_length_exceeded", Message: "prompt is too long: 9 > 8"}, []string{"shorten the conversation"}},
	"a page":           {modeltest.Fault{Kind: modeltest.FaultHTML}, []string{"text/html", "It works!", "check the base URL: http://127.0.0.1:"}},
	"a proxy's page":   {modeltest.Fault{Kind: modeltest.FaultHTML, Status: 502}, []string{"502", "a proxy may have answered"}},
	"elsewhere":        {modeltest.Fault{Kind: modeltest.FaultRedirect, Location: "http://127.0.0.1:1/steal"}, []string{"redirects are not followed"}},
	"drops":            {modeltest.Fault{Kind: modeltest.FaultDrop, After: 6}, []string{"broke off", "try again"}},
	"drops at once":    {modeltest.Fault{Kind: modeltest.FaultDrop}, []string{"broke off", "try again"}},
	"ends":             {modeltest.Fault{Kind: modeltest.FaultEnd, After: 6}, []string{"try again"}},
	"fails half-way":   {modeltest.Fault{Kind: modeltest.FaultInStream, After: 6, Type: "overloaded_error", Message: "busy"}, []string{"busy", "try again later"}},
	"garbage half-way": {modeltest.Fault{Kind: modeltest.FaultGarbage, After: 6}, []string{"not what this wire sends"}},
}

// TestModelServersThatFail: in the second turn of a conversation, so that there
// is something to lose.
func TestModelServersThatFail(t *testing.T) {
	for name, c := range faults {
		t.Run(name, func(t *testing.T) {
			eachWire(t, func(t *testing.T, open func(string, ...modeltest.Turn) *talk) {
				t.Parallel()
				k := open(askOff,
					modeltest.Turn{Text: "I look.", Calls: []modeltest.Call{{ID: "c1", Name: "exec", Args: `{"command":"echo seen"}`}}},
					modeltest.Turn{Text: beginning, Fault: &c.fault},
				)
				a := k.ask("what is wrong?")
				if code := a.wait(); code != 1 {
					t.Errorf("exit code %d", code)
				}
				contains(t, a.stderr.String(), append(c.want, "the conversation until here is in "+k.state)...)
				a.keepsSecret(modeltest.Key)
				wantKept(t, a, k.conversation(), c.fault.After > 0)
			})
		})
	}
}

// wantKept wants the prompt, the first turn and what had arrived of the second.
func wantKept(t *testing.T, a *asking, kept []model.Message, partly bool) {
	t.Helper()
	want := 3
	if partly {
		want++
	}
	if len(kept) != want {
		t.Fatalf("kept: %+v", kept)
	}
	if kept[0].Text() != "what is wrong?" || kept[1].Text() != "I look." || !strings.Contains(said(answers(kept[2])[0]), "seen") {
		t.Errorf("kept: %+v", kept)
	}
	if !partly {
		return
	}
	text := kept[3].Text()
	if text == "" || !strings.HasPrefix(beginning, text) || a.stdout.String() != "I look.\n"+text+"\n" {
		t.Errorf("%q was shown, and %q was kept of the broken turn", a.stdout, text)
	}
}

// TestKeysThatAreWrong: the server repeats the key in its answer.
func TestKeysThatAreWrong(t *testing.T) {
	const wrong = "sk-live-0123456789abcdefghijklmnop"
	for wire, want := range map[string]string{
		"anthropic":            "the key came from $ANTHROPIC_API_KEY",
		"openai":               "the key came from $OPENAI_API_KEY",
		"openai by the config": "the key came from CONFIG:1:",
	} {
		t.Run(wire, func(t *testing.T) {
			k := wires[wire](t, askOff)
			k.server.AllowRefusals()
			for i, env := range k.env {
				k.env[i] = strings.ReplaceAll(env, modeltest.Key, wrong)
			}
			a := k.ask("hello")
			if code := a.wait(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			contains(t, a.stderr.String(), "status 401", strings.ReplaceAll(want, "CONFIG", k.config))
			a.keepsSecret(wrong)
			a.keepsSecret(wrong[:12])
			if kept := k.conversation(); len(kept) != 1 || kept[0].Text() != "hello" {
				t.Errorf("kept: %+v", kept)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		k := wires["openai"](t, askOff)
		k.server.AllowRefusals()
		k.env = slices.DeleteFunc(k.env, func(s string) bool { return strings.Contains(s, "KEY") })
		a := k.ask("hello")
		if code := a.wait(); code != 1 {
			t.Errorf("exit code %d", code)
		}
		contains(t, a.stderr.String(), "no key was sent: set $OPENAI_API_KEY")
	})
}

// TestModelsThatNobodyKnows asks for models and providers that are not there.
func TestModelsThatNobodyKnows(t *testing.T) {
	k := wires["openai"](t, askOff)
	k.server.AllowRefusals()
	real := k.server.Models[0]
	for ref, want := range map[string][]string{
		"openai/" + real + "x": {"does not know the model", "did you mean " + real},
		"openai/zzzzzzzz":      {"does not know the model", "it has " + real},
		"openia/" + real:       {`no provider "openia"`, "did you mean openai", "models.providers"},
		"openai/":              {"names no model"},
		real + "-of-nobody":    {"write "},
		"ollama/qwen3":         {"nothing listens at", "start it with `ollama serve`"},
	} {
		if strings.HasPrefix(ref, "ollama/") && localServer(t) != "" {
			continue
		}
		cmd := k.command("run", "--config", k.config, "--model", ref, "hello")
		cmd.Env = append(cmd.Env, k.env...)
		out := k.finish(cmd)
		if out.code != 1 || out.stdout != "" {
			t.Errorf("%s: exit code %d, stdout %q", ref, out.code, out.stdout)
		}
		contains(t, out.stderr, want...)
		if strings.Contains(out.stderr, modeltest.Key) {
			t.Errorf("%s: the key is shown: %s", ref, out.stderr)
		}
	}
}

// TestNoModelAtAll: the error names the ways to get one.
func TestNoModelAtAll(t *testing.T) {
	at := localServer(t)
	need.That(t, at == "", "something listens at "+at+", where a local model server would")
	w := newWorld(t, askOff)
	out := w.run("run", "--config", w.config, "hello")
	if out.code != 1 || out.stdout != "" {
		t.Errorf("exit code %d, stdout %q", out.code, out.stdout)
	}
	contains(t, out.stderr, "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "start a local server", "ollama serve", "--model replay:FILE")
}

// localServer gives where something listens at the port of a local model
// server, or nothing.
func localServer(t *testing.T) string {
	t.Helper()
	for _, p := range model.Providers() {
		if !p.Local() {
			continue
		}
		u, err := url.Parse(p.BaseURL)
		if err != nil {
			t.Fatal(err)
		}
		if conn, err := net.Dial("tcp", u.Host); err == nil {
			conn.Close()
			return u.Host
		}
	}
	return ""
}

// TestRecordingsThatAreDamaged: they are refused with their place before
// anything runs.
func TestRecordingsThatAreDamaged(t *testing.T) {
	example := filepath.Join(need.ModuleRoot(t), "examples", "replay")
	raw, err := os.ReadFile(filepath.Join(example, "fix-a-test.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"cut in a line":    {whole[:strings.Index(whole, "call_4")+20], []string{"r.jsonl:13", "cut off in the middle of this line"}},
		"cut in a turn":    {whole[:strings.Index(whole, `{"done"`)], []string{"r.jsonl:3", "cut off"}},
		"cut after a turn": {whole[:strings.Index(whole, `{"results"`)], []string{"r.jsonl:4", "cut off"}},
		"empty":            {"", []string{"r.jsonl:1", "the file is empty"}},
		"another header":   {strings.Replace(whole, `"toolrest":"replay"`, `"toolrest":"song"`, 1), []string{"r.jsonl:1", "this is no recording"}},
		"another version":  {strings.Replace(whole, `"version":1`, `"version":2`, 1), []string{"r.jsonl:1", "version 2", "version 1"}},
		"another folder":   {strings.Replace(whole, `"workspace":"workspace"`, `"workspace":"/etc"`, 1), []string{"r.jsonl:1", "workspace must be a folder below"}},
		"no folder":        {strings.Replace(whole, `"workspace":"workspace"`, `"workspace":"gone"`, 1), []string{"gone"}},
		"no JSON":          {"#!/bin/sh\necho no\n", []string{"r.jsonl:1", "this is no recording"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, askOff)
			if err := os.CopyFS(w.workspace, os.DirFS(example)); err != nil {
				t.Fatal(err)
			}
			w.write("r.jsonl", c.content)
			w.refusesRecording("replay:r.jsonl", c.want...)
		})
	}
	w := newWorld(t, askOff)
	w.refusesRecording("replay:gone.jsonl", "gone.jsonl", "no such file")
	w.refusesRecording("replay:"+w.workspace, w.workspace, "no regular file")
	w.refusesRecording("replay:", "replay:FILE")
}

func (w *world) refusesRecording(ref string, want ...string) {
	w.t.Helper()
	out := w.run("run", "--config", w.config, "--model", ref)
	if out.code != 1 || out.stdout != "" {
		w.t.Errorf("%s: exit code %d, stdout %q", ref, out.code, out.stdout)
	}
	contains(w.t, out.stderr, want...)
	if strings.Contains(out.stderr, "→") {
		w.t.Errorf("%s: a tool was called: %s", ref, out.stderr)
	}
}
