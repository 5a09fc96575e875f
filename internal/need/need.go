// Package need is how a test asks for something that a machine may lack: a
// program, a fetched part, a property of the kernel. What is missing skips the
// test with a reason, or fails it where TOOLREST_REQUIRE is "all".
//
// It installs nothing (tools/fetch.sh does that), and no code outside tests
// imports it.
package need

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// The environment variables that decide what happens to a test.
const (
	// envRequire set to "all" turns each skip for something missing into a
	// failure.
	envRequire = "TOOLREST_REQUIRE"
	// envFull set to anything runs the long tests.
	envFull = "TOOLREST_FULL"
	// envCache is the folder of the fetched parts; .cache of the module is the
	// default.
	envCache = "TOOLREST_CACHE"
	// envSkipped is a file that gets one line for each skipped test, because go
	// test prints the reason of a skip only with -v.
	envSkipped = "TOOLREST_SKIPPED"
)

// That skips t, or fails it, unless ok. The reason says what is missing, for
// example "user namespaces".
func That(t testing.TB, ok bool, reason string) {
	t.Helper()
	if ok {
		return
	}
	if os.Getenv(envRequire) == "all" {
		t.Fatalf("missing: %s (and %s=all)", reason, envRequire)
	}
	record(t, reason)
	t.Skipf("missing: %s", reason)
}

// Full skips t unless the long tests were asked for: make test-full. A long
// test that was not asked for is not missing anything, so TOOLREST_REQUIRE
// does not fail it.
func Full(t testing.TB) {
	t.Helper()
	if os.Getenv(envFull) == "" {
		t.Skipf("long: %s is not set (make test-full)", envFull)
	}
}

// Program gives the path of a program on the PATH.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	That(t, err == nil, "the program "+name)
	return path
}

// Node gives the path of the fetched Node 24.
func Node(t testing.TB) string {
	t.Helper()
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return part(t, "Node 24", "node-linux-"+arch, "bin", "node")
}

// Inspector gives the command of the fetched MCP inspector's command-line
// client, to which its own arguments are added.
func Inspector(t testing.TB) []string {
	t.Helper()
	script := part(t, "the MCP inspector",
		"@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	return []string{Node(t), script, "--cli"}
}

// JSON5 gives the folder of the fetched npm package json5, which Node can
// require.
func JSON5(t testing.TB) string {
	t.Helper()
	return filepath.Dir(part(t, "npm's json5", "json5", "package.json"))
}

// part gives the path of a file of the npm parts.
func part(t testing.TB, what string, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{cache(t), "npm", "node_modules"}, path...)...)
	_, err := os.Stat(file)
	That(t, err == nil, what+" (make parts)")
	return file
}

func cache(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv(envCache); dir != "" {
		return dir
	}
	return filepath.Join(ModuleRoot(t), ".cache")
}

// ModuleRoot gives the folder of the module that the test belongs to.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("find the module: %v", err)
	}
	for from := dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("find the module: no go.mod above %s", from)
		}
	}
}

// record appends to the list of skips. The file lies in the module, and
// writing to it keeps go test from caching the run, so that the next one
// reports the skip again.
func record(t testing.TB, reason string) {
	t.Helper()
	path := os.Getenv(envSkipped)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatalf("record the skip: %v", err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%s: %s\n", t.Name(), reason); err != nil {
		t.Fatalf("record the skip: %v", err)
	}
}
