package schema

import (
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
	return len(required(s.compiled, 0)) == 0
}

// required gives the members that every value of s has, as far as can be told
// without looking at the members of members.
func required(s *jsonschema.Schema, depth int) map[string]bool {
	out := map[string]bool{}
	if s == nil || depth > maxDepth {
		return out
	}
	for _, name := range s.Required {
		out[name] = true
	}
	for _, part := range append(slices.Clone(s.AllOf), s.Ref) {
		maps.Copy(out, required(part, depth+1))
	}
	for _, choices := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		var common map[string]bool
		for _, choice := range choices {
			names := required(choice, depth+1)
			if common == nil {
				common = names
				continue
			}
			maps.DeleteFunc(common, func(name string, _ bool) bool { return !names[name] })
		}
		maps.Copy(out, common)
	}
	return out
}

// Members gives the names of all properties, of the arguments and of what
// lies in them, in order.
func (s *Schema) Members() []string {
	found := map[string]bool{}
	gather(s.compiled, found, map[*jsonschema.Schema]bool{})
	return slices.Sorted(maps.Keys(found))
}

func gather(s *jsonschema.Schema, found map[string]bool, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for name := range s.Properties {
		found[name] = true
	}
	for _, part := range partsOf(s) {
		gather(part, found, seen)
	}
}

// partsOf gives the schemas that a schema is made of.
func partsOf(s *jsonschema.Schema) []*jsonschema.Schema {
	parts := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems, []*jsonschema.Schema{s.Items2020, s.Ref})
	parts = slices.AppendSeq(parts, maps.Values(s.Properties))
	for _, sub := range []any{s.AdditionalProperties, s.Items} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			parts = append(parts, sub)
		case []*jsonschema.Schema:
			parts = append(parts, sub...)
		}
	}
	return parts
}

// hasUnions reports whether there is a union in s or in what it is made of.
func hasUnions(s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if len(s.AnyOf) > 0 || len(s.OneOf) > 0 {
		return true
	}
	return slices.ContainsFunc(partsOf(s), func(part *jsonschema.Schema) bool { return hasUnions(part, seen) })
}
