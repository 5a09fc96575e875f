package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"
)

// Described is a type that brings its own schema: one that decodes itself from
// JSON needs it, because its fields say nothing of how it is written.
type Described interface{ JSONSchema() json.RawMessage }

// For reflects the JSON Schema of T, which package documentation of schema
// describes with its struct tags. Properties stand in the order of the fields.
//
// It refuses types that JSON cannot hold (functions, channels, complex
// numbers, maps with other keys than strings), interfaces with methods, types
// that contain themselves, types that decode themselves without being
// [Described], and tags that do not fit their field.
func For[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	n, err := new(reflection).of(t)
	if err != nil {
		return nil, fmt.Errorf("reflect schema of %s: %w", t, err)
	}
	return n.append(nil), nil
}

// reflection walks a type.
type reflection struct {
	open []reflect.Type // the named types that the walk is inside of
}

var (
	describedType = reflect.TypeFor[Described]()
	jsonDecoder   = reflect.TypeFor[json.Unmarshaler]()
	textDecoder   = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonEncoder   = reflect.TypeFor[json.Marshaler]()
	textEncoder   = reflect.TypeFor[encoding.TextMarshaler]()
)

// ready are types whose form in JSON is known.
var ready = map[reflect.Type]func() *node{
	reflect.TypeFor[time.Time]():       func() *node { return typed("string").set("format", quoted("date-time")) },
	reflect.TypeFor[json.RawMessage](): func() *node { return &node{} },
	reflect.TypeFor[json.Number]():     func() *node { return typed("number") },
	reflect.TypeFor[[]byte]():          func() *node { return typed("string").set("contentEncoding", quoted("base64")) },
}

func (r *reflection) of(t reflect.Type) (*node, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if make, ok := ready[t]; ok {
		return make(), nil
	}
	if n, err := own(t); n != nil || err != nil {
		return n, err
	}
	if t.Name() != "" {
		for _, outer := range r.open {
			if outer == t {
				return nil, fmt.Errorf("%s contains itself", t)
			}
		}
		r.open = append(r.open, t)
		defer func() { r.open = r.open[:len(r.open)-1] }()
	}
	return r.kind(t)
}

// own is the schema of a type that says itself how it is written; nil when it
// does not.
func own(t reflect.Type) (*node, error) {
	p := reflect.PointerTo(t)
	has := func(i reflect.Type) bool { return t.Implements(i) || p.Implements(i) }
	switch {
	case t.Kind() == reflect.Interface:
		return nil, nil
	case has(describedType):
		raw := reflect.New(t).Interface().(Described).JSONSchema()
		if !json.Valid(raw) {
			return nil, fmt.Errorf("the schema that %s gives of itself is not JSON", t)
		}
		return &node{whole: raw}, nil
	case has(jsonDecoder) || has(jsonEncoder):
		return nil, fmt.Errorf("%s is written in a form of its own: give it a method JSONSchema", t)
	case has(textDecoder) || has(textEncoder):
		return typed("string"), nil
	}
	return nil, nil
}

func (r *reflection) kind(t reflect.Type) (*node, error) {
	switch t.Kind() {
	case reflect.String:
		return typed("string"), nil
	case reflect.Bool:
		return typed("boolean"), nil
	case reflect.Float32, reflect.Float64:
		return typed("number"), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return integer(t), nil
	case reflect.Slice:
		return r.list(t)
	case reflect.Array:
		n, err := r.list(t)
		if err != nil {
			return nil, err
		}
		length := strconv.Itoa(t.Len())
		return n.set("minItems", length).set("maxItems", length), nil
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("%s has keys that are not strings", t)
		}
		values, err := r.of(t.Elem())
		if err != nil {
			return nil, err
		}
		return typed("object").put("additionalProperties", values), nil
	case reflect.Struct:
		return r.object(t)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return &node{}, nil
		}
	}
	return nil, fmt.Errorf("%s cannot be written in JSON", t)
}

func (r *reflection) list(t reflect.Type) (*node, error) {
	items, err := r.of(t.Elem())
	if err != nil {
		return nil, err
	}
	return typed("array").put("items", items), nil
}

// integer bounds what has no sign and what is narrower than the numbers that a
// model thinks of, so that a value out of range is told as one.
func integer(t reflect.Type) *node {
	n, bits := typed("integer"), t.Bits()
	signed := t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64
	switch {
	case signed && bits <= 32:
		n.set("minimum", strconv.FormatInt(-1<<(bits-1), 10)).set("maximum", strconv.FormatInt(1<<(bits-1)-1, 10))
	case !signed:
		n.set("minimum", "0")
		if bits <= 32 {
			n.set("maximum", strconv.FormatUint(1<<bits-1, 10))
		}
	}
	return n
}

func (r *reflection) object(t reflect.Type) (*node, error) {
	n := typed("object")
	properties := &node{}
	var required []string
	for _, f := range fieldsOf(t) {
		p, err := r.of(f.Type)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		if f.asText {
			p = typed("string")
		}
		if err := applyTags(p, f.Tag); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		properties.put(f.name, p)
		if !f.optional {
			required = append(required, f.name)
		}
	}
	n.put("properties", properties)
	if len(required) > 0 {
		n.set("required", list(required))
	}
	return n.set("additionalProperties", "false"), nil
}
