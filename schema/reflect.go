package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// For reflects the JSON Schema of T. Properties stand in the order of the
// struct's fields. It refuses types that JSON cannot hold (functions,
// channels, maps with other keys than strings) and types that contain
// themselves.
func For[T any]() (json.RawMessage, error) {
	s, err := jsonschema.ForType(reflect.TypeFor[T](), &jsonschema.ForOptions{})
	if err != nil {
		return nil, fmt.Errorf("reflect schema: %w", err)
	}
	dropNull(s)
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode schema of %s: %w", reflect.TypeFor[T](), err)
	}
	return raw, nil
}

// dropNull removes the "null" that reflection adds to slices, maps and
// pointers: several providers refuse type lists, and a model that may send
// null will.
func dropNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if i := slices.Index(s.Types, "null"); i >= 0 {
		s.Types = slices.Delete(slices.Clone(s.Types), i, i+1)
		if len(s.Types) == 1 {
			s.Type, s.Types = s.Types[0], nil
		}
	}
	dropNull(s.Items)
	dropNull(s.AdditionalProperties)
	for _, p := range s.Properties {
		dropNull(p)
	}
}
