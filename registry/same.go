package registry

import (
	"bytes"
	"reflect"
	"unsafe"

	"github.com/toolrest/toolrest"
)

// same reports whether r and b are the same in everything that was given.
func (r *Row) same(b *Row) bool {
	return r.Kind == b.Kind && r.Source == b.Source && r.Optional == b.Optional && r.BuiltIn == b.BuiltIn &&
		r.Title == b.Title && r.Description == b.Description && r.Owner == b.Owner && r.Ref == b.Ref &&
		bytes.Equal(r.InputSchema, b.InputSchema) && bytes.Equal(r.OutputSchema, b.OutputSchema) &&
		r.Prompt.same(b.Prompt) && sameKey(r.SortKey, b.SortKey) &&
		(r.Availability == b.Availability || reflect.DeepEqual(r.Availability, b.Availability)) &&
		sameExecutor(r.Executor, b.Executor)
}

func sameKey(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// sameExecutor is true only for one and the same executor.
func sameExecutor(a, b toolrest.Executor) bool {
	if f, ok := a.(toolrest.Handler); ok {
		g, ok := b.(toolrest.Handler)
		return ok && closure(f) == closure(g)
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && a == b
}

// closure gives what a function value points to. Two values that point to the
// same thing are the same function with the same captured variables; Go
// itself does not compare functions.
func closure(h toolrest.Handler) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&h)) }
