package schema

import (
	"reflect"
	"slices"
	"strings"
)

// field is a field of a struct that JSON shows, under its name there.
type field struct {
	reflect.StructField
	name     string
	optional bool // it may be absent
	asText   bool // json:",string": a scalar that is written as text
	tagged   bool // it has a name of its own
	depth    int  // how many structs it is embedded in
}

// fieldsOf gives the fields of a struct as encoding/json sees them: those of
// embedded structs stand where the struct does, an outer field hides an inner
// one of its name, and of two at one depth the one with a tag counts, or none.
func fieldsOf(t reflect.Type) []field {
	all := appendFields(nil, t, 0, map[reflect.Type]bool{})
	return slices.DeleteFunc(slices.Clone(all), func(f field) bool {
		return slices.ContainsFunc(all, func(other field) bool { return other.hides(f) })
	})
}

func (f field) hides(inner field) bool {
	if f.name != inner.name || slices.Equal(f.Index, inner.Index) {
		return false
	}
	if f.depth != inner.depth {
		return f.depth < inner.depth
	}
	return f.tagged || !inner.tagged
}

// appendFields walks embedded structs; inside are those that the walk is in.
func appendFields(out []field, t reflect.Type, depth int, inside map[reflect.Type]bool) []field {
	if inside[t] {
		return out
	}
	inside[t] = true
	defer delete(inside, t)
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		elem := sf.Type
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		embedded := sf.Anonymous && elem.Kind() == reflect.Struct
		switch {
		case tag == "-", !sf.IsExported() && !embedded:
			continue
		case embedded && name == "" && plainStruct(elem):
			for _, inner := range appendFields(nil, elem, depth+1, inside) {
				inner.Index = append(slices.Clone(sf.Index), inner.Index...)
				out = append(out, inner)
			}
			continue
		case !sf.IsExported():
			continue
		}
		out = append(out, newField(sf, name, strings.Split(options, ","), depth))
	}
	return out
}

func newField(sf reflect.StructField, name string, options []string, depth int) field {
	f := field{StructField: sf, name: name, tagged: name != "", depth: depth}
	if name == "" {
		f.name = sf.Name
	}
	f.optional = slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
	f.asText = slices.Contains(options, "string") && scalar(sf.Type)
	return f
}

// plainStruct reports whether JSON shows the fields of a struct, and not the
// struct in a form of its own.
func plainStruct(t reflect.Type) bool {
	if _, ok := ready[t]; ok {
		return false
	}
	n, err := own(t)
	return n == nil && err == nil
}

// scalar reports whether json:",string" has a meaning for a field of this
// type.
func scalar(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String
}
