package toolrest_test

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// module is what every import of our own begins with.
const module = "github.com/toolrest/toolrest"

// layers is the direction of the module's imports. A folder may import the
// folders of the lines below its own, never those of its own line or above.
// A star stands for one element of a path. Tests may import anything.
//
// A new folder goes into this table first: the place it gets says what it may
// know.
var layers = [][]string{
	{"cmd/toolrest", "examples/*"},
	{"internal/store/sqlite", "internal/store/storetest"},
	{"internal/telemetry"},
	{"internal/config"},
	{"internal/gateway"},
	{"internal/console"},
	{"agent", "internal/cron", "internal/channel", "internal/node"},
	{"model/*"},
	{"model"},
	{"mcp", "internal/plugin", "internal/skill"},
	{"internal/tool"},
	{"internal/tool/*"},
	{"internal/sandbox"},
	{"internal/process"},
	{"internal/shell", "internal/workspace", "internal/blob"},
	{"dispatch"},
	{"hook", "loop", "approve", "audit", "internal/arguments"},
	{"internal/event", "internal/redact"},
	{"plan"},
	{"policy/lint", "policy/expect", "policy/diff"},
	{"policy/survey"},
	{"policy"},
	{"registry"},
	{"internal/catalog", "internal/names"},
	{"."},
	{"schema/adapt"},
	{"schema", "schema/openclaw", "schema/check"},
	{"schema/tree"},
	{"internal/json5"},
}

// free are the folders that hold tests and measurements: they may import
// anything, and only the tests of other folders may import them.
var free = []string{"conformance", "bench", "e2e", "internal/need"}

// only says who may import something beside tests, where the direction alone
// would let too many.
var only = map[string]string{
	// All others take Options, so that nothing reads the file behind a door's back.
	module + "/internal/config": "cmd/toolrest",
	// A user of the library does not pay for vendors' SDKs.
	"github.com/openai/openai-go":            "model/openai",
	"github.com/anthropics/anthropic-sdk-go": "model/anthropic",
	"google.golang.org/genai":                "model/google",
}

// layerOf gives the line of a folder in the table, counted from the top.
func layerOf(folder string) (int, bool) {
	i := slices.IndexFunc(layers, func(line []string) bool {
		return slices.ContainsFunc(line, func(pattern string) bool {
			ok, err := path.Match(pattern, folder)
			return ok && err == nil
		})
	})
	return i, i >= 0
}

// checkPlaced wants each folder in the table.
func checkPlaced(t tree) (wrong []string) {
	for _, f := range t {
		if _, ok := layerOf(f.path); !ok && !slices.Contains(free, f.path) {
			wrong = append(wrong, f.path+": not in the table of layers, which says what a folder may import")
		}
	}
	return wrong
}

// checkDirection wants imports to go down.
func checkDirection(t tree) (wrong []string) {
	for _, f := range t {
		from, ok := layerOf(f.path)
		if !ok {
			continue
		}
		for _, im := range f.imports() {
			to, ours := strings.CutPrefix(im.path, module)
			if !ours {
				continue
			}
			if to = strings.TrimPrefix(to, "/"); to == "" {
				to = "."
			}
			if slices.Contains(free, to) {
				wrong = append(wrong, fmt.Sprintf("%s: imports %s, which is for tests", im.file, to))
			} else if layer, ok := layerOf(to); ok && layer <= from {
				wrong = append(wrong, fmt.Sprintf("%s: imports %s, which does not lie below %s", im.file, to, f.path))
			}
		}
	}
	return wrong
}

// checkExamples wants examples that their readers can copy into a program of
// their own, which cannot import what is internal.
func checkExamples(t tree) (wrong []string) {
	for _, f := range t {
		if !strings.HasPrefix(f.path, "examples/") {
			continue
		}
		for _, im := range f.imports() {
			if within(im.path, module+"/internal") {
				wrong = append(wrong, fmt.Sprintf("%s: an example imports %s", im.file, im.path))
			}
		}
	}
	return wrong
}

// checkOnly wants the imports of some packages in one place.
func checkOnly(t tree) (wrong []string) {
	for _, f := range t {
		for _, im := range f.imports() {
			for pkg, owner := range only {
				if within(im.path, pkg) && f.path != owner {
					wrong = append(wrong, fmt.Sprintf("%s: imports %s, which only %s may", im.file, im.path, owner))
				}
			}
		}
	}
	return wrong
}

// within reports whether an import path is pkg or lies below it, whatever the
// major version in its path.
func within(importPath, pkg string) bool {
	return importPath == pkg || strings.HasPrefix(importPath, pkg+"/")
}

func TestLayering(t *testing.T) {
	ours := readTree(t, os.DirFS("."))
	if len(ours) < 5 {
		t.Fatalf("found only %d folders: the walk is broken", len(ours))
	}
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			for _, w := range check(ours) {
				t.Error(w)
			}
		})
	}
}

// TestLayersAreDisjoint keeps the table unambiguous: the first match counts.
func TestLayersAreDisjoint(t *testing.T) {
	seen := map[string]bool{}
	for _, pattern := range slices.Concat(append(layers, free)...) {
		if seen[pattern] {
			t.Errorf("%s stands twice in the table", pattern)
		}
		seen[pattern] = true
	}
}
