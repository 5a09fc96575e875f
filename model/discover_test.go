package model

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// world answers for the environment and for servers.
func world(env map[string]string, servers map[string][]string) *DiscoverOptions {
	return &DiscoverOptions{
		Getenv: func(name string) string { return env[name] },
		Probe: func(_ context.Context, base, key string) ([]string, error) {
			if models, ok := servers[base+" "+key]; ok {
				return models, nil
			}
			return nil, errors.New("connection refused")
		},
	}
}

func TestDiscover(t *testing.T) {
	type list = map[string][]string
	const ollama, vllm = "http://127.0.0.1:11434/v1 ", "http://127.0.0.1:8000/v1 "
	for name, test := range map[string]struct {
		env     map[string]string
		servers list
		want    string // reference, base URL, who said so, variable of the key
	}{
		"anthropic":       {map[string]string{"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}, nil, "anthropic/claude-sonnet-5-5 https://api.anthropic.com  ANTHROPIC_API_KEY"},
		"openai":          {map[string]string{"OPENAI_API_KEY": "k"}, list{ollama: {"x"}}, "openai/gpt-6.1-terra https://api.openai.com/v1  OPENAI_API_KEY"},
		"blank key":       {map[string]string{"OPENAI_API_KEY": " "}, list{ollama: {"x"}}, "ollama/x http://127.0.0.1:11434/v1  "},
		"other anthropic": {map[string]string{"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://a"}, nil, "anthropic/claude-sonnet-5-5 http://a $ANTHROPIC_BASE_URL ANTHROPIC_API_KEY"},
		"other openai":    {map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://o"}, list{"http://o k": {"m"}}, "openai/m http://o $OPENAI_BASE_URL OPENAI_API_KEY"},
		"same openai":     {map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://o"}, list{"http://o k": {"m", "gpt-6.1-terra"}}, "openai/gpt-6.1-terra http://o $OPENAI_BASE_URL OPENAI_API_KEY"},
		"silent openai":   {map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://o"}, nil, "openai/gpt-6.1-terra http://o $OPENAI_BASE_URL OPENAI_API_KEY"},
		"no key":          {map[string]string{"OPENAI_BASE_URL": "http://o"}, list{"http://o ": {"m"}, ollama: {"x"}}, "openai/m http://o $OPENAI_BASE_URL "},
		"order":           {nil, list{vllm: {"v"}, ollama: {"x"}}, "ollama/x http://127.0.0.1:11434/v1  "},
		"empty server":    {nil, list{vllm: {"v"}, ollama: {}}, "vllm/v http://127.0.0.1:8000/v1  "},
		"embedding":       {nil, list{ollama: {"nomic-embed-text", "qwen3"}}, "ollama/qwen3 http://127.0.0.1:11434/v1  "},
		"embedding alone": {nil, list{ollama: {"nomic-embed-text"}}, "ollama/nomic-embed-text http://127.0.0.1:11434/v1  "},
	} {
		c, err := Discover(t.Context(), world(test.env, test.servers))
		got := strings.Join([]string{c.Ref.String(), c.BaseURL, c.BaseURLFrom, c.KeyEnv}, " ")
		if err != nil || got != test.want || c.Why == "" {
			t.Errorf("%s: %q (%s), %v, want %q", name, got, c.Why, err, test.want)
		}
	}
}

// TestDiscoverNothing is the error that a new user sees first.
func TestDiscoverNothing(t *testing.T) {
	_, err := Discover(t.Context(), world(map[string]string{"OPENAI_BASE_URL": "http://o"}, map[string][]string{"http://127.0.0.1:11434/v1 ": nil}))
	if !errors.Is(err, ErrNoModel) {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{
		"export ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "`ollama serve`", "--model replay:FILE",
		"Ollama answers at http://127.0.0.1:11434/v1 but has no model", "$OPENAI_BASE_URL gave no models: connection refused",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if _, err := Discover(t.Context(), nil); !errors.Is(err, ErrNoModel) {
		t.Errorf("without options: %v", err)
	}
}

// TestDiscoverAsksSideBySide has servers that never answer, which together
// may cost one timeout, and a caller who leaves.
func TestDiscoverAsksSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &DiscoverOptions{Probe: func(ctx context.Context, base, _ string) ([]string, error) {
			if strings.Contains(base, ":8000") {
				return []string{"v"}, nil
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		start := time.Now()
		c, err := Discover(t.Context(), slow)
		if err != nil || c.Ref.String() != "vllm/v" || time.Since(start) != 500*time.Millisecond {
			t.Errorf("%v, %v after %s", c.Ref, err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		cancel()
		slow.Probe = func(ctx context.Context, _, _ string) ([]string, error) { return nil, ctx.Err() }
		if _, err := Discover(ctx, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}
