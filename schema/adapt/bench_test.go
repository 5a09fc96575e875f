package adapt

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/schema/tree"
)

// coreTools are 33 schemas of real tools, about 35 KB.
func coreTools(t testing.TB) []json.RawMessage {
	distinct := map[string]bool{}
	for id, raw := range corpus(t) {
		if strings.Contains(id, "/real-") {
			n, err := tree.Parse(raw, nil)
			if err != nil {
				t.Fatal(err)
			}
			distinct[n.String()] = true
		}
	}
	var all []string
	for text := range distinct {
		all = append(all, text)
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	var out []json.RawMessage
	for _, text := range all[:33] {
		out = append(out, json.RawMessage(text))
	}
	return out
}

// wideUnion is a root union of variants with properties each.
func wideUnion(variants, properties int) json.RawMessage {
	var all []string
	for v := range variants {
		parts := []string{fmt.Sprintf(`"action":{"type":"string","const":"act_%d"}`, v)}
		for p := range properties {
			switch p % 3 {
			case 0:
				parts = append(parts, fmt.Sprintf(`"p%d":{"type":"string","enum":["a%d","b","c"],"description":"x"}`, p, v))
			case 1:
				parts = append(parts, fmt.Sprintf(`"p%d":{"type":"integer","minimum":0,"description":"y"}`, p))
			default:
				parts = append(parts, fmt.Sprintf(`"p%d":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","format":"uri"},"b":{"$ref":"#/$defs/B"}},"additionalProperties":false}}`, p))
			}
		}
		all = append(all, `{"type":"object","required":["action","p0"],"properties":{`+strings.Join(parts, ",")+`}}`)
	}
	return json.RawMessage(`{"type":"object","anyOf":[` + strings.Join(all, ",") + `],"$defs":{"B":{"type":"object","properties":{"z":{"type":"string","pattern":"^a"}}}}}`)
}

func BenchmarkCore(b *testing.B) {
	tools := coreTools(b)
	size := 0
	for _, raw := range tools {
		size += len(raw)
	}
	for _, dialect := range []Dialect{Default, OpenClaw} {
		for _, k := range []Kind{Anthropic, OpenAI, Gemini} {
			t := targetOf(k)
			t.Dialect, t.Strict = dialect, false
			b.Run(fmt.Sprintf("dialect=%d/%s", dialect, k), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					for _, raw := range tools {
						if Adapt(raw, t).Fault != nil {
							b.Fatal("refused")
						}
					}
				}
			})
		}
	}
}

func BenchmarkUnion(b *testing.B) {
	raw := wideUnion(40, 20)
	for _, dialect := range []Dialect{Default, OpenClaw} {
		for _, k := range []Kind{Anthropic, OpenAI, Gemini} {
			t := targetOf(k)
			t.Dialect, t.Strict = dialect, false
			b.Run(fmt.Sprintf("dialect=%d/%s", dialect, k), func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				b.ReportAllocs()
				for b.Loop() {
					if r := Adapt(raw, t); r.Fault != nil {
						b.Fatal(r.Fault)
					}
				}
			})
		}
	}
}

func BenchmarkCached(b *testing.B) {
	tools := coreTools(b)
	a := New(targetOf(OpenAI))
	for _, raw := range tools {
		a.Adapt(raw)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		a.Adapt(tools[i%len(tools)])
		i++
	}
}
