package adapt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Cost is what a tool takes of a request.
type Cost struct {
	Name string `json:"name"`
	// Bytes of its wire form: name, description and schema with what the wire
	// puts around them.
	Bytes int `json:"bytes"`
	// Tokens are estimated: one for four bytes of ASCII, and one for each other
	// character. Tokenisers differ by a third and more.
	Tokens int `json:"tokens"`
}

// wire forms, with % where name, description and schema stand.
var wireForms = map[Kind]string{
	Anthropic: `{"name":%,"description":%,"input_schema":%},`,
	Gemini:    `{"name":%,"description":%,"parametersJsonSchema":%},`,
	OpenAI:    `{"type":"function","function":{"name":%,"description":%,"parameters":%}},`,
}

// Cost measures a tool on the wire of t.
func (t Target) Cost(name, description string, schema json.RawMessage) Cost {
	form, ok := wireForms[t.Kind()]
	switch {
	case !ok:
		form = wireForms[OpenAI]
	case strings.Contains(fold(t.API), "responses"):
		form = `{"type":"function","name":%,"description":%,"parameters":%},`
	}
	size, tokens := len(form)-strings.Count(form, "%"), 0
	ascii, others := size, 0
	for _, text := range []string{quoted(name), quoted(description), string(schema)} {
		size += len(text)
		for _, r := range text {
			if r < 0x80 {
				ascii++
			} else {
				others++
			}
		}
	}
	tokens = (ascii+3)/4 + others
	return Cost{Name: name, Bytes: size, Tokens: tokens}
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return s // no string fails
	}
	return string(text)
}

// Sum adds up costs.
func Sum(costs []Cost) (total Cost) {
	for _, c := range costs {
		total.Bytes += c.Bytes
		total.Tokens += c.Tokens
	}
	return total
}

// Largest sorts costs, the largest first, those of one size by name.
func Largest(costs []Cost) {
	slices.SortStableFunc(costs, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
}

// OverCap tells which tools of a list must go so that at most limit stay; 0 is
// no limit. ranks has one for each tool, the lower the more it matters: core
// tools before others, say. Of two the later goes first among those of the
// highest rank, so that the list in front of a cut does not depend on what
// comes after it.
func OverCap(ranks []int, limit int) []bool {
	cut := make([]bool, len(ranks))
	if limit <= 0 || len(ranks) <= limit {
		return cut
	}
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	for _, i := range order[limit:] {
		cut[i] = true
	}
	return cut
}
