package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// CoerceOptions refine [Schema.Coerce]. The zero value is good.
type CoerceOptions struct {
	// OpenClaw coerces as OpenClaw does: a union takes the first member that a
	// coerced value fits, also where the value fitted another as it was; what
	// a reference leads to is left alone; null stands for 0, "" or false also
	// where a member could be left out; and a number becomes the text that
	// JavaScript writes.
	OpenClaw bool
}

// Coerce changes scalars of value to the types that the schema asks for, where
// they say the same: "3" and 3, "true" and true, 1.0 and 1. A null for what
// may be left out is left out. It gives value itself where there is nothing to
// change, and never changes value.
//
// Text is never read as an object or a list, nothing is wrapped into a list,
// and no default is filled in. What comes out need not fit: [Schema.Check]
// decides.
func (s *Schema) Coerce(value any, opts *CoerceOptions) any {
	if s.costly(value) {
		return value
	}
	c := coercion{schema: s, trials: maxTrials}
	if opts != nil {
		c.CoerceOptions = *opts
	}
	return c.value(s.compiled, value)
}

// Ambiguous reports whether the schema has unions, of which [Coerce] as
// OpenClaw may take another member than the one that a value fits.
func (s *Schema) Ambiguous() bool { return s.unions }

// maxTrials is how many members of unions one coercion tries: unions in unions
// must not cost more than they say.
const maxTrials = 1000

// coercion is one run of Coerce.
type coercion struct {
	CoerceOptions
	schema *Schema
	trials int
	depth  int
}

func (c *coercion) value(s *jsonschema.Schema, v any) any {
	if s == nil || s.Bool != nil || c.depth > maxDepth {
		return v
	}
	c.depth++
	defer func() { c.depth-- }()
	if s.Ref != nil && !c.OpenClaw {
		v = c.value(s.Ref, v)
	}
	for _, part := range s.AllOf {
		v = c.value(part, v)
	}
	v = c.union(s.AnyOf, v)
	v = c.union(s.OneOf, v)
	v = c.scalar(s, v)
	switch in := v.(type) {
	case map[string]any:
		if c.means(s, "object") {
			return c.object(s, in)
		}
	case []any:
		if c.means(s, "array") {
			return c.array(s, in)
		}
	}
	return v
}

// means reports whether a schema is about values of a type. OpenClaw wants it
// to say so.
func (c *coercion) means(s *jsonschema.Schema, kind string) bool {
	if s.Types == nil {
		return !c.OpenClaw
	}
	return slices.Contains(s.Types.ToStrings(), kind)
}

// union gives v in the form in which it fits the first member that it fits in
// any.
func (c *coercion) union(members []*jsonschema.Schema, v any) any {
	if len(members) > 0 && !c.OpenClaw {
		for _, m := range members {
			if c.try() && m.Validate(v) == nil {
				return v
			}
		}
	}
	for _, m := range members {
		if !c.try() {
			return v
		}
		if changed := c.value(m, v); m.Validate(changed) == nil {
			return changed
		}
	}
	return v
}

func (c *coercion) try() bool {
	c.trials--
	return c.trials >= 0
}

func (c *coercion) object(s *jsonschema.Schema, in map[string]any) any {
	var out map[string]any // a copy, once something changes
	for name, v := range in {
		sub := s.Properties[name]
		if sub == nil {
			sub, _ = s.AdditionalProperties.(*jsonschema.Schema)
		}
		if sub == nil {
			continue
		}
		drop := v == nil && c.absent(s, sub, name)
		changed := v
		if !drop {
			changed = c.value(sub, v)
		}
		if !drop && same(changed, v) {
			continue
		}
		if out == nil {
			out = maps.Clone(in)
		}
		if out[name] = changed; drop {
			delete(out, name)
		}
	}
	if out == nil {
		return in
	}
	return out
}

// absent reports whether the null of a member only says that it is not there.
func (c *coercion) absent(s, sub *jsonschema.Schema, name string) bool {
	return !c.OpenClaw && !slices.Contains(s.Required, name) && c.try() && sub.Validate(nil) != nil
}

func (c *coercion) array(s *jsonschema.Schema, in []any) any {
	out := in
	for i, v := range in {
		sub := c.item(s, i)
		if sub == nil {
			continue
		}
		if changed := c.value(sub, v); !same(changed, v) {
			if &out[0] == &in[0] {
				out = slices.Clone(in)
			}
			out[i] = changed
		}
	}
	return out
}

// item is the schema of an item of a list; nil when nothing is said of it.
func (c *coercion) item(s *jsonschema.Schema, i int) *jsonschema.Schema {
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		return items
	case []*jsonschema.Schema:
		if i < len(items) {
			return items[i]
		}
		return nil
	}
	if i < len(s.PrefixItems) {
		if c.OpenClaw {
			return nil
		}
		return s.PrefixItems[i]
	}
	return s.Items2020
}

// scalar gives v in a type that s asks for: that which it has, else the first
// in which it says the same.
func (c *coercion) scalar(s *jsonschema.Schema, v any) any {
	if s.Types == nil {
		return v
	}
	kinds := s.Types.ToStrings()
	if len(kinds) > 1 {
		kinds = c.inOrder(s, kinds)
	}
	if slices.ContainsFunc(kinds, func(kind string) bool { return is(v, kind) }) {
		return canonical(kinds, v)
	}
	for _, kind := range kinds {
		if changed, ok := c.to(kind, v); ok {
			return changed
		}
	}
	return v
}

// inOrder gives the types in the order in which the schema lists them.
func (c *coercion) inOrder(s *jsonschema.Schema, kinds []string) []string {
	object, _ := c.schema.at(s.Location).(map[string]any)
	written, _ := object["type"].([]any)
	var out []string
	for _, w := range written {
		if kind, ok := w.(string); ok {
			out = append(out, kind)
		}
	}
	if len(out) == 0 {
		return kinds
	}
	return out
}

func same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && sameMap(x, y)
	case []any:
		y, ok := b.([]any)
		return ok && len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// canonical writes an integer as one: 3.0 is an integer to a schema, but to no
// program that reads one.
func canonical(kinds []string, v any) any {
	number, ok := v.(json.Number)
	if !ok || slices.Contains(kinds, "number") || !strings.ContainsAny(string(number), ".eE") {
		return v
	}
	return integral(number)
}
