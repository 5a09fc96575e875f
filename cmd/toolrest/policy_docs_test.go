package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/policy/lint"
)

// Each code has a paragraph and an example, in which lint finds just that code
// first of all; and there is no paragraph about a code that does not exist.
func TestEachLintCodeIsExplained(t *testing.T) {
	raw, err := os.ReadFile("../../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	var told []lint.Code
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(raw), -1) {
		told = append(told, lint.Code(m[1]))
	}
	if !slices.Equal(told, lint.Codes) {
		t.Errorf("docs/lint.md tells of %q\nthe codes are %q", told, lint.Codes)
	}
	t.Setenv("TOOLREST_STATE", t.TempDir())
	for _, code := range lint.Codes {
		t.Run(string(code), func(t *testing.T) {
			_, rest, ok := strings.Cut(string(raw), "```json5 "+string(code)+"\n")
			example, _, _ := strings.Cut(rest, "```")
			if !ok {
				t.Fatal("no example")
			}
			file := filepath.Join(t.TempDir(), "c.json5")
			if err := os.WriteFile(file, []byte(example), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs strings.Builder
			code1 := run([]string{"policy", "lint", "--strict", "--config", file}, streams{strings.NewReader(""), &out, &errs})
			if code1 != exitFailed || errs.Len() > 0 || !strings.Contains(out.String(), "["+string(code)+"]") {
				t.Errorf("exit code %d, stderr %q\n%s", code1, errs.String(), out.String())
			}
		})
	}
}
