package json5_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/json5"
)

func TestFormatPath(t *testing.T) {
	key, index := json5.KeyStep, json5.IndexStep
	tests := []struct {
		steps []json5.Step
		want  string
	}{
		{nil, ""},
		{[]json5.Step{key("tools"), key("deny")}, "tools.deny"},
		{[]json5.Step{key("agents"), key("list"), index(12), key("tools")}, "agents.list[12].tools"},
		{[]json5.Step{key("providers"), key("my.id"), key("apiKey")}, `providers["my.id"].apiKey`},
		{[]json5.Step{index(0), key("")}, `[0][""]`},
		{[]json5.Step{key("a-b"), key("-b"), key("0")}, `a-b["-b"]["0"]`},
	}
	for _, tt := range tests {
		if got := json5.FormatPath(tt.steps); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestPathsComeBack(t *testing.T) {
	step := rapid.OneOf(
		rapid.Map(rapid.String(), json5.KeyStep),
		rapid.Map(rapid.StringMatching(`[a-z]+[a-zA-Z0-9_-]*`), json5.KeyStep),
		rapid.Map(rapid.IntRange(0, 1000), json5.IndexStep),
	)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(step).Draw(t, "steps")
		path := json5.FormatPath(want)
		got, err := json5.ParsePath(path)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s came back as %v: %v", path, got, err)
		}
	})
}

func TestParsePathRefuses(t *testing.T) {
	for _, path := range []string{".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[01]", "a[1", `a["x]`, `a["x"`, "a[1]b", "a b", "a[`x`]", "a]"} {
		if steps, err := json5.ParsePath(path); err == nil {
			t.Errorf("%q is read as %v", path, steps)
		}
	}
}
