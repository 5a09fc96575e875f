package e2e

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

// talk is a world with a model server in it.
type talk struct {
	*world
	server *modeltest.Server
	choose []string // the arguments that choose the model
	env    []string
	// unnamed leaves it to the program to find its config.
	unnamed bool
}

// wires are the ways to a model server: each wire by the environment, and one
// by the config.
var wires = map[string]func(t *testing.T, config string, turns ...modeltest.Turn) *talk{
	"anthropic": func(t *testing.T, config string, turns ...modeltest.Turn) *talk {
		s := modeltest.NewAnthropic(t, turns...)
		return &talk{world: newWorld(t, config), server: s, choose: []string{"--model", "anthropic/" + s.Models[0]},
			env: []string{"ANTHROPIC_BASE_URL=" + s.URL, "ANTHROPIC_API_KEY=" + modeltest.Key}}
	},
	"openai": func(t *testing.T, config string, turns ...modeltest.Turn) *talk {
		s := modeltest.NewOpenAI(t, turns...)
		return &talk{world: newWorld(t, config), server: s, choose: []string{"--model", "openai/" + s.Models[0]},
			env: []string{"OPENAI_BASE_URL=" + s.URL, "OPENAI_API_KEY=" + modeltest.Key}}
	},
	"openai by the config": func(t *testing.T, config string, turns ...modeltest.Turn) *talk {
		s := modeltest.NewOpenAI(t, turns...)
		house := "{ models: { providers: { house: { baseUrl: '" + s.URL + "', apiKey: '${HOUSE_KEY}', api: 'openai-completions', models: [{ id: '" + s.Models[0] + "' }] } } },"
		return &talk{world: newWorld(t, strings.Replace(config, "{", house, 1)), server: s, env: []string{"HOUSE_KEY=" + modeltest.Key}}
	},
}

// eachWire runs a test with every way to a model server.
func eachWire(t *testing.T, test func(t *testing.T, open func(config string, turns ...modeltest.Turn) *talk)) {
	t.Helper()
	for name, open := range wires {
		t.Run(name, func(t *testing.T) {
			test(t, func(config string, turns ...modeltest.Turn) *talk {
				t.Helper()
				return open(t, config, turns...)
			})
		})
	}
}

// asking is `toolrest run` under way.
type asking struct {
	talk           *talk
	stdout, stderr *transcript
	wait           func() (code int)
	pid            int
}

// ask starts a run.
func (k *talk) ask(prompt string) *asking {
	k.t.Helper()
	argv := []string{"run"}
	if !k.unnamed {
		argv = append(argv, "--config", k.config)
	}
	cmd := k.command(append(append(argv, k.choose...), prompt)...)
	cmd.Env = append(cmd.Env, k.env...)
	a := &asking{talk: k, stdout: newTranscript(), stderr: newTranscript()}
	cmd.Stdout, cmd.Stderr = a.stdout, a.stderr
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	a.pid = cmd.Process.Pid
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait() // its code is in ProcessState
		a.stdout.end()
		a.stderr.end()
	}()
	k.t.Cleanup(func() { // a test that failed half-way leaves it running
		_ = cmd.Process.Kill()
		<-done
	})
	a.wait = func() int {
		<-done
		k.noRace(cmd, a.stderr.String())
		return cmd.ProcessState.ExitCode()
	}
	return a
}

// conversation reads the one transcript and wants exactly one result for each
// call, in order, in the message after it.
func (w *world) conversation() []model.Message {
	w.t.Helper()
	var messages []model.Message
	var open []model.Call
	for line := range strings.Lines(w.transcriptText()) {
		var m model.Message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			w.t.Fatalf("%v in %q", err, line)
		}
		if answered := answers(m); len(answered) != len(open) {
			w.t.Fatalf("%d results for %d calls: %s", len(answered), len(open), line)
		}
		for i, r := range answers(m) {
			if r.CallID != open[i].ID || r.Name != open[i].Name {
				w.t.Errorf("result %d answers %s of %s, want %+v", i, r.CallID, r.Name, open[i])
			}
		}
		messages, open = append(messages, m), m.Calls()
	}
	if len(open) > 0 {
		w.t.Fatalf("the last %d calls have no results", len(open))
	}
	return messages
}

// transcriptText is what the one run of a world has kept.
func (w *world) transcriptText() string {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.state, "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		w.t.Fatalf("transcripts: %v, %v", files, err)
	}
	return w.read(files[0])
}

func answers(messages ...model.Message) (results []model.Result) {
	for _, m := range messages {
		for _, b := range m.Blocks {
			if b.Kind == model.BlockResult {
				results = append(results, *b.Result)
			}
		}
	}
	return results
}

// said is the text of a result.
func said(r model.Result) string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// keepsSecret fails the test when the secret is in what was printed or kept.
func (a *asking) keepsSecret(secret string) {
	t := a.talk.t
	t.Helper()
	if strings.Contains(a.stdout.String()+a.stderr.String(), secret) {
		t.Errorf("the key is shown:\n%s\n%s", a.stdout, a.stderr)
	}
	for _, dir := range []string{a.talk.state, a.talk.workspace} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.Contains(a.talk.read(path), secret) {
				t.Errorf("%s holds the key", path)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
	}
}
