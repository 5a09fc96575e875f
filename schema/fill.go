package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Filler gives a function that puts an empty list or object in the place of a
// null where the schema wants one, leaves out a null that need not be there,
// and tells whether it changed the text. It is for values that Go wrote: a nil
// slice is a null in JSON. Text that is no JSON, and every text when the
// schema is none, stays as it is. The function is safe for use by several
// goroutines.
func Filler(schema json.RawMessage) func(text *json.RawMessage) bool {
	compiled := sync.OnceValues(func() (*Schema, error) { return Compile(schema) })
	return func(text *json.RawMessage) bool {
		if len(schema) == 0 || !bytes.Contains(*text, []byte("null")) {
			return false
		}
		s, err := compiled()
		if err != nil {
			return false
		}
		dec := json.NewDecoder(bytes.NewReader(*text))
		dec.UseNumber()
		var value any
		if dec.Decode(&value) != nil {
			return false
		}
		filled, err := Rewrite(*text, fill(s.compiled, value, 0))
		if err != nil || bytes.Equal(filled, *text) {
			return false
		}
		*text = filled
		return true
	}
}

func fill(s *jsonschema.Schema, v any, depth int) any {
	if s == nil || s.Bool != nil || depth > maxDepth {
		return v
	}
	switch in := v.(type) {
	case nil:
		return emptyOf(s)
	case []any:
		items, _ := s.Items.(*jsonschema.Schema)
		if s.Items2020 != nil {
			items = s.Items2020
		}
		out := slices.Clone(in)
		for i := range out {
			out[i] = fill(items, out[i], depth+1)
		}
		return out
	case map[string]any:
		out := maps.Clone(in)
		for name, member := range in {
			sub := s.Properties[name]
			if sub == nil {
				sub, _ = s.AdditionalProperties.(*jsonschema.Schema)
			}
			out[name] = fill(sub, member, depth+1)
			if out[name] == nil && sub != nil && sub.Validate(nil) != nil && !slices.Contains(s.Required, name) {
				delete(out, name)
			}
		}
		return out
	}
	return v
}

// emptyOf is what stands for a null; nil where nothing does.
func emptyOf(s *jsonschema.Schema) any {
	if s.Types == nil {
		return nil
	}
	switch kinds := s.Types.ToStrings(); {
	case slices.Equal(kinds, []string{"array"}):
		return []any{}
	case slices.Equal(kinds, []string{"object"}):
		return map[string]any{}
	}
	return nil
}
