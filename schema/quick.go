package schema

import (
	"math"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// rule is what a schema asks of a value, in the form in which the call path
// checks it: on the bytes, without building the value. It knows the keywords
// that tools use; a schema with any other has no rule, and the library alone
// judges. A rule says yes only when the library would.
type rule struct {
	types        typeSet // none is all
	properties   map[string]property
	required     uint64 // the bits of the properties that must be there
	closed       bool   // no other properties
	others       *rule  // what other properties must be; nil is anything
	items        *rule
	least, most  int // items of an array
	short, long  int // characters of a string
	words        map[string]bool
	format       *jsonschema.Format
	pattern      jsonschema.Regexp
	low, high    float64
	above, below float64 // as low and high, but not the bound itself
	bounded      bool    // any of the four is set
	all, any     []*rule
	unsure       bool // it is one that is not known: the library judges
}

type property struct {
	bit  int
	rule *rule
}

// typeSet is a set of JSON types.
type typeSet uint8

const (
	isNull typeSet = 1 << iota
	isBoolean
	isNumber
	isInteger
	isString
	isArray
	isObject
)

var typeBits = map[string]typeSet{
	"null": isNull, "boolean": isBoolean, "number": isNumber | isInteger, "integer": isInteger,
	"string": isString, "array": isArray, "object": isObject,
}

// maxProperties is how many properties of an object a rule can tell apart.
const maxProperties = 64

// ruleMaker makes the rules of the schemas that hang together.
type ruleMaker map[*jsonschema.Schema]*rule

// of gives the rule for s. It is nil when s asks for something that rules do
// not know.
func (m ruleMaker) of(s *jsonschema.Schema) *rule {
	if r, ok := m[s]; ok {
		return r.known()
	}
	r := &rule{
		most: math.MaxInt, long: math.MaxInt, low: math.Inf(-1), high: math.Inf(1), above: math.Inf(-1), below: math.Inf(1),
	}
	m[s] = r // a schema may contain itself
	r.unsure = !m.fill(r, s)
	return r.known()
}

func (r *rule) known() *rule {
	if r.unsure {
		return nil
	}
	return r
}

func (m ruleMaker) fill(r *rule, s *jsonschema.Schema) bool {
	if s.Bool != nil {
		return *s.Bool
	}
	if unknownTo(s) || !m.scalars(r, s) || !m.object(r, s) || !m.array(r, s) {
		return false
	}
	for _, part := range s.AllOf {
		if !appendRule(&r.all, m.of(part)) {
			return false
		}
	}
	if s.Ref != nil && !appendRule(&r.all, m.of(s.Ref)) {
		return false
	}
	for _, choice := range s.AnyOf {
		// One that is not known only means that its values take the long way.
		appendRule(&r.any, m.of(choice))
	}
	return len(s.AnyOf) == 0 || len(r.any) > 0
}

func appendRule(list *[]*rule, r *rule) bool {
	if r == nil {
		return false
	}
	*list = append(*list, r)
	return true
}

// unknownTo reports whether s has keywords that rules do not know.
func unknownTo(s *jsonschema.Schema) bool {
	object := s.MaxProperties != nil || s.MinProperties != nil || s.PropertyNames != nil || len(s.PatternProperties) > 0 ||
		len(s.Dependencies) > 0 || len(s.DependentRequired) > 0 || len(s.DependentSchemas) > 0 || s.UnevaluatedProperties != nil
	array := s.UniqueItems || s.Contains != nil || s.MinContains != nil || s.MaxContains != nil || s.AdditionalItems != nil ||
		len(s.PrefixItems) > 0 || s.UnevaluatedItems != nil
	logic := s.Not != nil || len(s.OneOf) > 0 || s.If != nil || s.Then != nil || s.Else != nil ||
		s.RecursiveRef != nil || s.DynamicRef != nil || len(s.Extensions) > 0
	content := s.ContentEncoding != nil || s.ContentMediaType != nil || s.ContentSchema != nil
	return object || array || logic || content || s.MultipleOf != nil || s.DraftVersion < 2019 && s.Ref != nil
}

func (m ruleMaker) scalars(r *rule, s *jsonschema.Schema) bool {
	if s.Types != nil {
		for _, name := range s.Types.ToStrings() {
			r.types |= typeBits[name]
		}
	}
	if s.Enum != nil && !r.oneOf(s.Enum.Values) || s.Const != nil && !r.oneOf([]any{*s.Const}) {
		return false
	}
	r.format, r.pattern = s.Format, s.Pattern
	take(&r.short, s.MinLength)
	take(&r.long, s.MaxLength)
	r.bounded = s.Minimum != nil || s.Maximum != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil
	return exactly(&r.low, s.Minimum) && exactly(&r.high, s.Maximum) &&
		exactly(&r.above, s.ExclusiveMinimum) && exactly(&r.below, s.ExclusiveMaximum)
}

// oneOf allows certain strings; other values are not known.
func (r *rule) oneOf(values []any) bool {
	words := make(map[string]bool, len(values))
	for _, v := range values {
		word, ok := v.(string)
		if !ok {
			return false
		}
		words[word] = r.words == nil || r.words[word]
	}
	r.words = words
	return true
}

func (m ruleMaker) object(r *rule, s *jsonschema.Schema) bool {
	if len(s.Properties) > maxProperties {
		return false
	}
	r.properties = make(map[string]property, len(s.Properties))
	for name, sub := range s.Properties {
		p := property{bit: len(r.properties), rule: m.of(sub)}
		if p.rule == nil {
			return false
		}
		r.properties[name] = p
	}
	for _, name := range s.Required {
		p, ok := r.properties[name]
		if !ok {
			return false
		}
		r.required |= 1 << p.bit
	}
	switch others := s.AdditionalProperties.(type) {
	case bool:
		r.closed = !others
	case *jsonschema.Schema:
		r.others = m.of(others)
		return r.others != nil
	}
	return true
}

func (m ruleMaker) array(r *rule, s *jsonschema.Schema) bool {
	take(&r.least, s.MinItems)
	take(&r.most, s.MaxItems)
	items := s.Items2020
	switch old := s.Items.(type) {
	case *jsonschema.Schema:
		items = old
	case []*jsonschema.Schema:
		return false
	}
	if items != nil {
		r.items = m.of(items)
		return r.items != nil
	}
	return true
}

func take(to, from *int) {
	if from != nil {
		*to = *from
	}
}

// exactly takes over a bound, where a float can hold it.
func exactly(to *float64, from *big.Rat) bool {
	if from == nil {
		return true
	}
	f, exact := from.Float64()
	*to = f
	return exact
}
