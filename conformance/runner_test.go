// Package conformance holds Toolrest to recorded answers: each case is an
// input and what a real program said to it. The answers come from the
// product's own functions.
package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// EnvVectors names the folder of cases to run instead of those found here.
const EnvVectors = "TOOLREST_VECTORS"

// folders below the root of the cases; all else there is ignored.
var folders = []string{"policy", "execution", "tools"}

// answer tells what Toolrest says to an input, in the form of expected, from
// which it may take out what is not compared. Both are what JSON decodes to.
type answer func(t *testing.T, input json.RawMessage, expected any) (got any, want any)

// testCase is a line of a file.
type testCase struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Input    json.RawMessage `json:"input"`
	Expected any             `json:"expected"`
}

func TestConformance(t *testing.T) {
	passed := 0
	for _, file := range caseFiles(t) {
		passed += runFile(t, file)
	}
	if passed == 0 {
		t.Error("no case passed: are there any?")
	}
}

// caseFiles finds the files to run.
func caseFiles(t *testing.T) []string {
	roots := []string{"testdata", filepath.Join("..", "..", "shared", "conformance")}
	if named := os.Getenv(EnvVectors); named != "" {
		roots = []string{named}
	}
	var out []string
	for _, root := range roots {
		for _, folder := range folders {
			found, err := filepath.Glob(filepath.Join(root, folder, "*.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, found...)
		}
	}
	return out
}

// runFile runs a file, prints its line and gives how many cases passed.
func runFile(t *testing.T, file string) (passed int) {
	short := filepath.ToSlash(filepath.Join(filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".jsonl")))
	failed, absent := 0, 0
	t.Run(short, func(t *testing.T) {
		for _, c := range readCases(t, file) {
			kind := short + ":" + c.Kind
			if slices.Contains(notBuilt, kind) || slices.Contains(notBuilt, short) {
				absent++
				continue
			}
			if t.Run(c.ID, func(t *testing.T) { c.run(t, kind) }) {
				passed++
			} else {
				failed++
			}
		}
	})
	fmt.Printf("%s: %d passed, %d failed, %d not built\n", file, passed, failed, absent)
	return passed
}

func (c testCase) run(t *testing.T, kind string) {
	say, ok := find(kind)
	if !ok {
		t.Fatalf("nobody answers cases of kind %s", kind)
	}
	got, want := say(t, c.Input, c.Expected)
	wanted := plain(t, want)
	if diff := cmp.Diff(wanted, anyText(wanted, plain(t, got))); diff != "" {
		t.Errorf("input %s\n(-want +got)\n%s", c.Input, diff)
	}
}

func find(kind string) (answer, bool) {
	for _, table := range tables {
		if a, ok := table[kind]; ok {
			return a, true
		}
	}
	return nil, false
}

func readCases(t *testing.T, file string) []testCase {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []testCase
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 64<<20)
	for line := 1; scan.Scan(); line++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var c testCase
		if err := json.Unmarshal(scan.Bytes(), &c); err != nil {
			t.Fatalf("%s:%d: %v", file, line, err)
		}
		if c.ID == "" {
			c.ID = fmt.Sprintf("line-%d", line)
		}
		out = append(out, c)
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// plain makes a value what JSON would decode to, with members that are null
// left out: they stand for what is absent.
func plain(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return withoutNull(out)
}

// anyText puts "$text" where want has it and got has some text: the wording is
// ours.
func anyText(want, got any) any {
	switch w := want.(type) {
	case string:
		if text, ok := got.(string); ok && w == "$text" && text != "" {
			return w
		}
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			for key := range g {
				g[key] = anyText(w[key], g[key])
			}
		}
	case []any:
		if g, ok := got.([]any); ok {
			for i := range min(len(g), len(w)) {
				g[i] = anyText(w[i], g[i])
			}
		}
	}
	return got
}

func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if value == nil {
				delete(v, key)
			} else {
				v[key] = withoutNull(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	}
	return v
}

// decode reads an input into a struct.
func decode[T any](t *testing.T, input json.RawMessage) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(input, &out); err != nil {
		t.Fatalf("input %s: %v", input, err)
	}
	return out
}

// without takes keys out of an expected object: what they hold is not
// compared.
func without(expected any, keys ...string) any {
	object, ok := expected.(map[string]any)
	if !ok {
		return expected
	}
	out := map[string]any{}
	for key, value := range object {
		if !slices.Contains(keys, key) {
			out[key] = value
		}
	}
	return out
}
