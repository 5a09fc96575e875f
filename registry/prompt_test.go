package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPromptsAreSqueezed(t *testing.T) {
	for _, c := range []struct{ given, want Prompt }{
		{Prompt{}, Prompt{}},
		{Prompt{Snippet: "two\n lines  here", Guidelines: []string{"g1", " g1 ", "g2"}}, Prompt{Snippet: "two lines here", Guidelines: []string{"g1", "g2"}}},
		{Prompt{Snippet: "  ", Guidelines: []string{"", " "}}, Prompt{}},
		{Prompt{Snippet: "a\x1b[2J\x00b\xff\u0085\u202e\U000e0041c\u200dd", Guidelines: []string{"  a\n b "}}, Prompt{Snippet: "a[2Jb\ufffdc\u200dd", Guidelines: []string{"a\n b"}}},
		{Prompt{Snippet: strings.Repeat("é", 5000)}, Prompt{Snippet: strings.Repeat("é", 1000) + "…"}},
	} {
		if diff := cmp.Diff(c.want, c.given.squeeze()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.given, diff)
		}
	}
}

func TestThePromptFollowsTheActiveSet(t *testing.T) {
	core := source(Core, "", "read", "edit", "exec")
	core.Prompts = map[string]Prompt{
		"read": {Snippet: "shows a file", Guidelines: []string{"Read before you edit."}},
		"edit": {Snippet: "changes a file", Guidelines: []string{"Read before you edit.", "Keep edits\nsmall."}},
		"exec": {Snippet: "runs a command"},
	}
	own := source(SDK, "", "exec")
	s := NewSession(start(t, core, own), nil)
	got := s.View().Prompt()
	want, err := os.ReadFile(filepath.Join("testdata", "prompt.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("all active (-want +got):\n%s", diff)
	}
	s.SetActive("exec", "exec")
	if got := s.View().Prompt(); got != "Your tools:\n- exec\n" {
		t.Errorf("of the winning definition: %q", got)
	}
	s.SetActive()
	if got := s.View().Prompt(); got != "" {
		t.Errorf("without tools: %q", got)
	}
}

// TestAPromptIsLines: no source writes a line that is not its own.
func TestAPromptIsLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := source(MCP, "m", "a")
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		s.Prompts = map[string]Prompt{"a": {Snippet: text.Draw(t, "snippet"), Guidelines: rapid.SliceOf(text).Draw(t, "guidelines")}}
		r, err := New(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		prompt := ToolPrompt(r.Snapshot().Rows)
		if !utf8.ValidString(prompt) {
			t.Fatal("not valid UTF-8")
		}
		for _, line := range strings.Split(strings.TrimSuffix(prompt, "\n"), "\n") {
			if line != "" && line != "Your tools:" && line != "How to use them:" && !strings.HasPrefix(line, "- ") {
				t.Fatalf("line %q of %q", line, prompt)
			}
		}
	})
}
