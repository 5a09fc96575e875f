package schema

import (
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxCost is how many pairs of a schema and a value one check may come by. A
// schema whose alternatives lead back to itself costs a power of the depth of
// the value; honest ones stay far below.
const maxCost = 200_000

// costly refuses a value whose check would take too long.
func (s *Schema) costly(value any) bool {
	if !s.unions && !s.refers {
		return false // as much as there is text
	}
	c := costs{}
	return c.of(s.compiled, value) >= maxCost
}

// costs remembers what it costs to check a value against a schema, so that the
// answer takes no longer than there are pairs.
type costs map[visit]int

type visit struct {
	schema *jsonschema.Schema
	value  uintptr // 0 for all scalars, which cost the same
}

func (c costs) of(s *jsonschema.Schema, v any) int {
	if s == nil || s.Bool != nil {
		return 1
	}
	key := visit{s, identity(v)}
	if n, ok := c[key]; ok {
		return n
	}
	if len(c) >= maxCost {
		return maxCost
	}
	c[key] = 1 // a schema that leads back to itself without a step into the value
	n := 1
	for _, part := range sameValue(s) {
		n = min(n+c.of(part, v), maxCost)
	}
	switch in := v.(type) {
	case map[string]any:
		for name, member := range in {
			n = min(n+c.member(s, name, member), maxCost)
		}
	case []any:
		for i, item := range in {
			n = min(n+c.item(s, i, item), maxCost)
		}
	}
	c[key] = n
	return n
}

func (c costs) member(s *jsonschema.Schema, name string, v any) int {
	n := 1
	if sub := s.Properties[name]; sub != nil {
		n += c.of(sub, v)
	}
	for _, sub := range s.PatternProperties {
		n = min(n+c.of(sub, v), maxCost)
	}
	for _, sub := range []any{s.AdditionalProperties, s.UnevaluatedProperties} {
		if sub, ok := sub.(*jsonschema.Schema); ok {
			n = min(n+c.of(sub, v), maxCost)
		}
	}
	return n
}

func (c costs) item(s *jsonschema.Schema, i int, v any) int {
	n := 1
	for _, sub := range []any{at(s.PrefixItems, i), s.Items2020, s.Items, s.AdditionalItems, s.Contains, s.UnevaluatedItems} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			n = min(n+c.of(sub, v), maxCost)
		case []*jsonschema.Schema:
			n = min(n+c.of(at(sub, i), v), maxCost)
		}
	}
	return n
}

func at(list []*jsonschema.Schema, i int) *jsonschema.Schema {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// sameValue gives the schemas that a value is checked against when it is
// checked against s.
func sameValue(s *jsonschema.Schema) []*jsonschema.Schema {
	parts := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else}
	if s.DynamicRef != nil {
		parts = append(parts, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		parts = append(parts, list...)
	}
	for _, sub := range s.DependentSchemas {
		parts = append(parts, sub)
	}
	for _, sub := range s.Dependencies {
		if sub, ok := sub.(*jsonschema.Schema); ok {
			parts = append(parts, sub)
		}
	}
	return parts
}

// identity tells values that hold others apart.
func identity(v any) uintptr {
	switch v.(type) {
	case map[string]any, []any:
		return reflect.ValueOf(v).Pointer()
	}
	return 0
}
