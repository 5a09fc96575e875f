package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// limit is the size of the largest request, in bytes.
const limit = 4 << 20

const (
	initialize  = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listTools   = `{"jsonrpc":"2.0","id":"list","method":"tools/list"}`
)

// reply is a JSON-RPC answer.
type reply struct {
	ID     any
	Result *struct{ Tools []struct{ Name string } }
	Error  *struct {
		Code    int
		Message string
	}
}

// wire is `toolrest mcp` with nothing between the test and its pipes.
type wire struct {
	w      *world
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan string // what it says, until it ends
	stderr *transcript
}

func (w *world) wire() *wire {
	w.t.Helper()
	cmd := w.command("mcp", "--config", w.config)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	x := &wire{w: w, cmd: cmd, stdin: stdin, lines: make(chan string), stderr: newTranscript()}
	cmd.Stderr = x.stderr
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	go x.pump(stdout)
	return x
}

func (x *wire) pump(stdout io.Reader) {
	defer close(x.lines)
	for r := bufio.NewReader(stdout); ; {
		line, err := r.ReadString('\n')
		if line != "" {
			x.lines <- line
		}
		if err != nil {
			return
		}
	}
}

func (x *wire) send(frame string) {
	x.w.t.Helper()
	if _, err := io.WriteString(x.stdin, frame+"\n"); err != nil {
		x.w.t.Fatalf("send %.80q: %v\nstderr: %s", frame, err, x.stderr)
	}
}

// receive gives the next answer; requests and notifications of the server are
// passed over.
func (x *wire) receive() reply {
	x.w.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-x.lines:
			if !ok {
				x.w.t.Fatalf("it ended instead of answering\nstderr: %s", x.stderr)
			}
			var r reply
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				x.w.t.Fatalf("something beside the protocol on stdout: %q", line)
			}
			if r.Result != nil || r.Error != nil {
				return r
			}
		case <-timeout:
			x.w.t.Fatalf("no answer\nstderr: %s", x.stderr)
		}
	}
}

// end closes stdin and wants the process to end well.
func (x *wire) end() {
	x.w.t.Helper()
	x.stdin.Close()
	for line := range x.lines {
		x.w.t.Logf("at the end: %s", line)
	}
	if err := x.cmd.Wait(); err != nil {
		x.w.t.Errorf("the end of the input is no clean end: %v\nstderr: %s", err, x.stderr)
	}
	x.w.noRace(x.cmd, x.stderr.String())
}

func (x *wire) alive() {
	x.w.t.Helper()
	x.send(listTools)
	if r := x.receive(); r.ID != "list" || r.Result == nil || len(r.Result.Tools) == 0 {
		x.w.t.Errorf("tools/list is not answered any more: %+v", r)
	}
}

// badFrames are bodies that are no request, with the code of the answer.
var badFrames = map[string]struct {
	frame string
	code  int
}{
	"no JSON":           {`tools/list`, -32700},
	"cut off":           {`{"jsonrpc":"2.0","id":1,"method":"tools/li`, -32700},
	"two values":        {`{"jsonrpc":"2.0","id":1,"method":"ping"}{}`, -32700},
	"not UTF-8":         {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", -32700},
	"a number":          {`42`, -32600},
	"null":              {`null`, -32600},
	"no version":        {`{"id":1,"method":"ping"}`, -32600},
	"another version":   {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
	"method of no name": {`{"jsonrpc":"2.0","id":1,"method":7}`, -32600},
	"nothing asked":     {`{"jsonrpc":"2.0","id":1}`, -32600},
	"deep":              {strings.Repeat("[", 100_000), -32700},
	"oversized":         {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", limit) + `"}}`, -32600},
}

func TestMalformedFramesOnStdio(t *testing.T) {
	w := newWorld(t, askOff)
	x := w.wire()
	x.send(initialize)
	if r := x.receive(); r.ID != "init" || r.Error != nil {
		t.Fatalf("initialize: %+v", r)
	}
	x.send(initialized)
	for name, bad := range badFrames {
		x.send(bad.frame)
		if r := x.receive(); r.Error == nil || r.Error.Code != bad.code || r.Error.Message == "" {
			t.Errorf("%s: got %+v %+v, want code %d", name, r, r.Error, bad.code)
		}
		x.alive()
	}
	x.end()
}

func TestMalformedBodiesOverHTTP(t *testing.T) {
	w := newWorld(t, askOff)
	s := w.serve()
	header := s.session()
	for name, bad := range badFrames {
		res, body := s.post(strings.NewReader(bad.frame), header)
		want := http.StatusBadRequest
		if name == "oversized" {
			want = http.StatusRequestEntityTooLarge
		}
		var r reply
		if err := json.Unmarshal([]byte(body), &r); err != nil || res.StatusCode != want || r.Error == nil || r.Error.Message == "" {
			t.Errorf("%s: got %s with %.300q, want %d and a JSON-RPC error", name, res.Status, body, want)
		}
		if res, body := s.post(strings.NewReader(listTools), header); res.StatusCode != http.StatusOK || !strings.Contains(body, `"exec"`) {
			t.Errorf("after %s: tools/list is not answered any more: %s %.200q", name, res.Status, body)
		}
	}
}

// TestOversizedWithoutLength: a body that does not say how long it is gets cut
// at the same size.
func TestOversizedWithoutLength(t *testing.T) {
	s := newWorld(t, askOff).serve()
	res, body := s.post(io.LimitReader(spaces{}, limit+1), nil)
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("got %s: %.200q", res.Status, body)
	}
	contains(t, body, strconv.Itoa(limit))
}

// spaces never ends.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestArgumentsThatDoNotFit: the answer is a result that the model can read.
func TestArgumentsThatDoNotFit(t *testing.T) {
	eachDoor(t, askOff, func(t *testing.T, w *world, c *client) {
		w.write("a.txt", "content")
		for name, test := range map[string]struct {
			tool string
			args args
			want []string
		}{
			"missing":    {"read", args{}, []string{"path"}},
			"wrong type": {"read", args{"path": []string{"a.txt"}}, []string{"path", "string"}},
			"unknown":    {"read", args{"path": "a.txt", "encodng": "utf-8"}, []string{"encodng", "limit"}},
			"misspelt":   {"raed", args{"path": "a.txt"}, []string{"raed", "read"}},
		} {
			text, failed := c.call(t, test.tool, test.args)
			if !failed {
				t.Errorf("%s: no error: %s", name, text)
			}
			contains(t, text, test.want...)
		}
		contains(t, c.must(t, "read", args{"path": "a.txt"}), "content")
	})
}
