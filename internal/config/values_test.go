package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest/internal/json5"
)

func TestValues(t *testing.T) {
	tree, err := json5.Parse("c.json5", []byte(`{tools: {profile: 'coding', deny: ['a', 1, null, true]}, models: {providers: {x: {apiKey: '${KEY}'}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"tools":  map[string]any{"profile": "coding", "deny": []any{"a", 1.0, nil, true}},
		"models": map[string]any{"providers": map[string]any{"x": map[string]any{"apiKey": "${KEY}"}}},
	}
	if diff := cmp.Diff(want, (&Config{tree: tree}).Values()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := (&Config{}).Values(); got != nil {
		t.Errorf("without a file there is %v", got)
	}
}
