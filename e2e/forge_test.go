package e2e

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// Well-behaved clients refuse to call a tool that is not in the list. So that
// a real one sends a forged call, a middleman adds the tool to the list on its
// way and passes on all else.

// envForge names the tool that this test binary adds when it is started as the
// middleman of `toolrest mcp`.
const envForge = "TOOLREST_E2E_FORGE"

// addTool puts a tool at the head of a list of tools, whatever else is in text.
func addTool(text []byte, tool string) []byte {
	forged := []byte(`"tools":[{"name":"` + tool + `","inputSchema":{"type":"object"}},`)
	return bytes.Replace(text, []byte(`"tools":[`), forged, 1)
}

// forge is the middleman of stdio: it runs the command and passes its answers
// on line by line.
func forge(command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 1
	}
	if err := cmd.Start(); err != nil {
		return 1
	}
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		os.Stdout.Write(addTool(line, os.Getenv(envForge)))
		if err != nil {
			break
		}
	}
	cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// forgeHTTP is the middleman of HTTP; it gives its own URL.
func forgeHTTP(t *testing.T, endpoint, tool string) string {
	t.Helper()
	target, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
		},
		FlushInterval: -1,
		ModifyResponse: func(res *http.Response) error {
			if res.Request.Method != http.MethodPost {
				return nil // a stream of events, which has no end to wait for
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			body = addTool(body, tool)
			res.Body = io.NopCloser(bytes.NewReader(body))
			res.ContentLength = int64(len(body))
			res.Header.Set("Content-Length", strconv.Itoa(len(body)))
			return err
		},
		Transport: &http.Transport{DisableKeepAlives: true},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return server.URL + target.Path
}
