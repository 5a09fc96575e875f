package openclaw

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/schema/tree"
)

func parse(t *testing.T, text string) *tree.Node {
	t.Helper()
	n, err := tree.Parse([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What changes nothing gives the same node, so that callers can tell.
func TestNothingChanged(t *testing.T) {
	n := parse(t, `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}},"required":["a"]}`)
	out, err := Normalize(n, Options{Provider: "openai"})
	if err != nil || out != n {
		t.Errorf("%p became %p, %v", n, out, err)
	}
	if DeepSeek(n) != n || Strip(n, []string{"format"}) != n {
		t.Error("another node")
	}
}

// A reference that names its target twice, forty times over, is refused, and
// so is it where Gemini's cleaner follows it.
func TestTooLarge(t *testing.T) {
	var defs []string
	for i := range 40 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		defs = append(defs, fmt.Sprintf(`"d%d":{"properties":{"l":%s,"r":%s}}`, i, next, next))
	}
	n := parse(t, `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`+strings.Join(append(defs, `"d40":{}`), ",")+`}}`)
	for name, f := range map[string]func(*tree.Node) (*tree.Node, error){
		"inline": InlineRefs, "gemini": CleanGemini,
		"normalize": func(n *tree.Node) (*tree.Node, error) { return Normalize(n, Options{}) },
		"openai":    func(n *tree.Node) (*tree.Node, error) { return OpenAI(n, true, Compat{}) },
	} {
		if _, err := f(n); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := StrictViolations(n, ""); !errors.Is(err, ErrTooLarge) {
		t.Errorf("strict: %v", err)
	}
}

func TestGeminiModels(t *testing.T) {
	for id, want := range map[string]bool{
		"gemini": true, "gemini-2.5-pro": true, "google/gemini-2.5": true, "a:gemini:free": true, "gemini.x": true,
		"my-gemini": false, "geminiz": false, "xgemini-1": false, "": false, "geminiz/gemini-1": true,
	} {
		if got := geminiModel(id); got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
}

func TestRoutes(t *testing.T) {
	for _, c := range []struct {
		route Route
		want  bool
	}{
		{Route{"openai", "openai-responses", ""}, true},
		{Route{" OpenAI ", "openai-responses", "https://api.openai.com/v1"}, true},
		{Route{"openai", "openai-responses", "http://api.openai.com/v1"}, false},
		{Route{"openai", "openai-responses", "https://api.openai.com.example.com"}, false},
		{Route{"openai", "openai-responses", "https://chatgpt.com/backend-api"}, false},
		{Route{"openai", "openai-chatgpt-responses", "https://chatgpt.com/backend-api/codex"}, true},
		{Route{"openai", "openai-completions", ""}, false},
		{Route{"novita", "openai-responses", ""}, false},
	} {
		if got := c.route.native(); got != c.want {
			t.Errorf("%+v: %v", c.route, got)
		}
	}
}
