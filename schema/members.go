package schema

import (
	"iter"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// NeedsNothing reports whether the schema is about objects and requires no
// member, so that no arguments at all can only mean an empty object.
func (s *Schema) NeedsNothing() bool {
	if s.compiled.Types != nil && !slices.Contains(s.compiled.Types.ToStrings(), "object") {
		return false
	}
	return len(requirements{}.of(s.compiled)) == 0
}

// requirements remembers the members that every value of a schema has, as far
// as can be told without looking at the members of members.
type requirements map[*jsonschema.Schema]map[string]bool

func (r requirements) of(s *jsonschema.Schema) map[string]bool {
	if s == nil {
		return nil
	}
	if known, ok := r[s]; ok {
		return known
	}
	out := map[string]bool{}
	r[s] = out // a schema may lead back to itself
	for _, name := range s.Required {
		out[name] = true
	}
	for _, part := range append(slices.Clone(s.AllOf), s.Ref) {
		maps.Copy(out, r.of(part))
	}
	for _, choices := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		maps.Copy(out, r.common(choices))
	}
	return out
}

// common gives what all of the choices require.
func (r requirements) common(choices []*jsonschema.Schema) map[string]bool {
	if len(choices) == 0 {
		return nil
	}
	out := maps.Clone(r.of(choices[0]))
	for _, choice := range choices[1:] {
		names := r.of(choice)
		maps.DeleteFunc(out, func(name string, _ bool) bool { return !names[name] })
	}
	return out
}

// Members gives the names of all properties, of the arguments and of what
// lies in them, in order.
func (s *Schema) Members() []string {
	found := map[string]bool{}
	for part := range all(s.compiled) {
		for name := range part.Properties {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// all gives a schema and all that it is made of, each once.
func all(s *jsonschema.Schema) iter.Seq[*jsonschema.Schema] {
	return func(yield func(*jsonschema.Schema) bool) {
		seen := map[*jsonschema.Schema]bool{}
		for left := []*jsonschema.Schema{s}; len(left) > 0; {
			next := left[len(left)-1]
			left = left[:len(left)-1]
			if next == nil || seen[next] {
				continue
			}
			seen[next] = true
			if !yield(next) {
				return
			}
			left = append(left, partsOf(next)...)
		}
	}
}

// partsOf gives the schemas that a schema is made of: those for the same value,
// and those for what lies in it.
func partsOf(s *jsonschema.Schema) []*jsonschema.Schema {
	parts := slices.Concat(sameValue(s), s.PrefixItems, []*jsonschema.Schema{
		s.Items2020, s.Contains, s.UnevaluatedItems, s.UnevaluatedProperties, s.PropertyNames,
	})
	parts = slices.AppendSeq(parts, maps.Values(s.Properties))
	parts = slices.AppendSeq(parts, maps.Values(s.PatternProperties))
	for _, sub := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			parts = append(parts, sub)
		case []*jsonschema.Schema:
			parts = append(parts, sub...)
		}
	}
	return parts
}
