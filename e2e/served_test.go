package e2e

import (
	"bytes"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// served is a running `toolrest serve`.
type served struct {
	w          *world
	cmd        *exec.Cmd
	url, token string
	stdout     *transcript
	stderr     *transcript
	done       chan struct{} // closed when the process has ended
}

var (
	urlLine   = regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`)
	tokenLine = regexp.MustCompile(`tr_[A-Za-z0-9_-]{43}`)
)

// serve starts the gateway on a free port and reads where it listens from
// what it prints. The test's end stops it.
func (w *world) serve(args ...string) *served {
	w.t.Helper()
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--config", w.config}, args...)
	return w.serveCommand(w.command(args...))
}

func (w *world) serveCommand(cmd *exec.Cmd) *served {
	w.t.Helper()
	s := &served{
		w: w, cmd: cmd,
		stdout: newTranscript(), stderr: newTranscript(), done: make(chan struct{}),
	}
	cmd.Stdout, cmd.Stderr = s.stdout, s.stderr
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		cmd.Wait() // its code is in ProcessState
		s.stdout.end()
	}()
	w.t.Cleanup(func() { s.stop() })
	s.url = s.stdout.await(urlLine)
	s.token = s.stdout.await(tokenLine)
	if s.url == "" || s.token == "" {
		w.t.Fatalf("serve printed no URL or no token\nstdout: %s\nstderr: %s", s.stdout, s.stderr)
	}
	return s
}

// stop sends SIGINT, as Ctrl-C does, and gives the exit code. A second call
// gives it again.
func (s *served) stop() int {
	s.w.t.Helper()
	select {
	case <-s.done:
	default:
		s.cmd.Process.Signal(syscall.SIGINT)
	}
	select {
	case <-s.done:
	case <-time.After(patience):
		s.w.t.Errorf("serve does not stop on SIGINT\nstderr: %s", s.stderr)
		s.cmd.Process.Kill()
		<-s.done
	}
	s.w.noRace(s.cmd, s.stderr.String())
	return s.cmd.ProcessState.ExitCode()
}

// post sends a body to the MCP endpoint with the token and further headers.
func (s *served) post(body io.Reader, header http.Header) (*http.Response, string) {
	s.w.t.Helper()
	return s.send(http.MethodPost, body, header)
}

// send is post with any method. A goroutine may call it too.
func (s *served) send(method string, body io.Reader, header http.Header) (*http.Response, string) {
	s.w.t.Helper()
	req, err := http.NewRequest(method, s.url, body)
	if err != nil {
		s.w.t.Errorf("%s %s: %v", method, s.url, err)
		return &http.Response{}, ""
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+s.token)
	for key, values := range header {
		req.Header[key] = values
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	res, err := client.Do(req)
	if err != nil {
		s.w.t.Errorf("%s %s: %v", method, s.url, err)
		return &http.Response{}, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.w.t.Errorf("read the answer: %v", err)
	}
	return res, string(text)
}

// session opens one and gives the headers of its requests.
func (s *served) session() http.Header {
	s.w.t.Helper()
	res, body := s.post(strings.NewReader(initialize), nil)
	id := res.Header.Get("Mcp-Session-Id")
	if res.StatusCode != http.StatusOK || id == "" {
		s.w.t.Fatalf("initialize: %s, session %q: %s", res.Status, id, body)
	}
	header := http.Header{"Mcp-Session-Id": {id}, "Mcp-Protocol-Version": {"2025-06-18"}}
	s.post(strings.NewReader(initialized), header)
	return header
}

// transcript keeps what a process writes and lets a test wait for a part.
type transcript struct {
	mu    sync.Mutex // guards text and ended
	more  *sync.Cond
	text  bytes.Buffer
	ended bool
}

func newTranscript() *transcript {
	t := &transcript{}
	t.more = sync.NewCond(&t.mu)
	return t
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.more.Broadcast()
	return t.text.Write(p)
}

func (t *transcript) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.more.Broadcast()
}

// await gives the first match, or nothing when the process ended or patience
// did.
func (t *transcript) await(re *regexp.Regexp) string {
	stop := time.AfterFunc(patience, t.end)
	defer stop.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if m := re.FindString(t.text.String()); m != "" || t.ended {
			return m
		}
		t.more.Wait()
	}
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
