package model

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Ref{
		"anthropic/claude-x":            {"anthropic", "claude-x"},
		" OpenAI/gpt-x ":                {"openai", "gpt-x"},
		"ollama/qwen3:8b":               {"ollama", "qwen3:8b"},
		"lmstudio/qwen/qwen3-8b":        {"lmstudio", "qwen/qwen3-8b"},
		"replay:a b/c.jsonl":            {Replay, "a b/c.jsonl"},
		"replay: x.jsonl":               {Replay, "x.jsonl"},
		"my-server_2/hf.co/x/y:Q4_K_M":  {"my-server_2", "hf.co/x/y:Q4_K_M"},
		"openrouter/deepseek/x:free@v1": {"openrouter", "deepseek/x:free@v1"},
	} {
		got, err := Parse(in)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%q does not read back: %v, %v", got, again, err)
		}
	}
	for in, want := range map[string]string{
		"":                               "the model is empty",
		"claude-x":                       "write anthropic/claude-x",
		"gpt-x":                          "write openai/gpt-x",
		"qwen3":                          "write provider/qwen3, for example ollama/qwen3",
		"/x":                             "no name of a provider",
		"a b/x":                          "no name of a provider",
		"-a/x":                           "no name of a provider",
		"openai/":                        "names no model",
		"openai/a b":                     "names no model",
		"replay:":                        "names no file",
		"replay/x.jsonl":                 "is written replay:FILE",
		"openai/\x1b[31m":                "characters that no name has",
		"a/" + strings.Repeat("x", 9999): "too long",
	} {
		if got, err := Parse(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", clip(in, 40), got, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"anthropic/claude", "replay:x", "a//b", "/", "replay:replay:x", "A/\u0085x", "a/\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := Parse(s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\x1b\x00\n") {
				t.Errorf("the error repeats control characters: %q", err)
			}
			return
		}
		if again, err := Parse(ref.String()); err != nil || again != ref {
			t.Errorf("%q gave %+v, which reads as %+v, %v", s, ref, again, err)
		}
	})
}

func TestFind(t *testing.T) {
	own := []Provider{{ID: "mine", API: APIOpenAI}, {ID: "ollama", BaseURL: "http://gpu:11434/v1"}}
	if p, err := Find("MINE", own); err != nil || p.ID != "mine" {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := Find("ollama", own); err != nil || p.BaseURL != own[1].BaseURL {
		t.Errorf("a configured provider does not go first: %v, %v", p, err)
	}
	if _, err := Find("antropic", own); err == nil || !strings.Contains(err.Error(), "did you mean anthropic?") || !strings.Contains(err.Error(), "mine") {
		t.Errorf("%v", err)
	}
	if _, err := Find("zzzzzzzz", nil); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Errorf("%v", err)
	}
}
