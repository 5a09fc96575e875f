package adapt

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/schema/check"
	"github.com/toolrest/toolrest/schema/tree"
)

var kinds = []Kind{Gemini, DeepSeek, XAI, Volcengine, Xiaomi, Mistral, Anthropic, OpenAI}

// targetOf is a target of a family.
func targetOf(k Kind) Target {
	switch k {
	case Anthropic:
		return Target{API: "anthropic", Provider: "anthropic", Strict: true}
	case OpenAI:
		return Target{API: "openai", Provider: "openai", Strict: true}
	}
	return Target{API: "openai", Provider: string(k), Strict: true}
}

func TestTargetsOfFamilies(t *testing.T) {
	for _, k := range kinds {
		if got := targetOf(k).Kind(); got != k {
			t.Errorf("the target of %s is of %s", k, got)
		}
	}
}

// accepted holds a result to the provider's rules.
func accepted(t interface {
	Helper()
	Fatalf(string, ...any)
}, raw json.RawMessage, k Kind) *Result {
	t.Helper()
	r := Adapt(raw, targetOf(k))
	if r.Fault != nil {
		return r
	}
	if found := check.For(string(k)).Raw(r.Schema); len(found) > 0 {
		t.Fatalf("%s refuses: %v\nof     %s\nbecame %s", k, found, raw, r.Schema)
	}
	if r.Strict != nil {
		if found := check.Rules(check.OpenAIStrict).Raw(r.Strict); len(found) > 0 {
			t.Fatalf("the strict form is refused: %v\nof     %s\nbecame %s", found, raw, r.Strict)
		}
	}
	return r
}

// corpus is the schemas of the recorded cases.
func corpus(t testing.TB) map[string]json.RawMessage {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "conformance", "testdata", "execution", "schema.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]json.RawMessage{}
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		var c struct {
			ID    string
			Input struct{ Schema json.RawMessage }
		}
		if err := json.Unmarshal(scan.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if len(c.Input.Schema) > 0 {
			out[c.ID] = c.Input.Schema
		}
	}
	if len(out) < 500 {
		t.Fatalf("only %d schemas", len(out))
	}
	return out
}

// TestCorpusIsAccepted holds each recorded schema to the rules of each
// provider. Few of them are beyond saving.
func TestCorpusIsAccepted(t *testing.T) {
	all := corpus(t)
	for _, k := range kinds {
		refused := 0
		for id, raw := range all {
			if r := accepted(t, raw, k); r.Fault != nil {
				refused++
				if r.Fault.Reason == "" {
					t.Errorf("%s: a fault without a reason", id)
				}
			}
		}
		if refused > len(all)/4 {
			t.Errorf("%s: %d of %d schemas are refused", k, refused, len(all))
		}
	}
}

// TestRulesBite shows that the corpus would not pass as it is.
func TestRulesBite(t *testing.T) {
	all := corpus(t)
	for _, k := range kinds {
		refused := 0
		for _, raw := range all {
			if len(check.For(string(k)).Raw(raw)) > 0 {
				refused++
			}
		}
		if refused < len(all)/4 {
			t.Errorf("%s refuses only %d of %d schemas that are not adapted", k, refused, len(all))
		}
	}
}

// TestRandomIsAccepted draws 800 schemas, and 10,000 among the long tests.
func TestRandomIsAccepted(t *testing.T) {
	if os.Getenv("TOOLREST_FULL") != "" {
		if err := flag.Set("rapid.checks", "1250"); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range kinds {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			faults, total := 0, 0
			reasons := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				n := schemas(false).Draw(t, "schema")
				total++
				if r := accepted(t, tree.Encode(n), k); r.Fault != nil {
					faults++
					reasons[r.Fault.Reason]++
				}
			})
			if faults > total/2 {
				t.Errorf("%d of %d were refused: %v", faults, total, reasons)
			}
		})
	}
}

func TestWildIsAcceptedOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := tree.Encode(schemas(true).Draw(t, "schema"))
		for _, k := range kinds {
			accepted(t, raw, k)
		}
		Adapt(raw, Target{Provider: "google", Dialect: OpenClaw}) // must not panic
		Adapt(raw, Target{API: "anthropic", Dialect: OpenClaw})
	})
}
