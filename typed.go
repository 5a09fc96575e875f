package toolrest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/toolrest/toolrest/schema"
)

// TypedOptions refine a tool made by [Typed]. The zero value is good.
type TypedOptions struct {
	Title        string
	Owner        Owner // the zero Owner is sdk with the tool's name
	Availability *Availability
	SortKey      *string
}

// Typed makes a tool of a Go function. The input schema is reflected from In
// (see package schema for the struct tags), the output schema from Out when
// Out is a struct or a map of strings to something.
//
// The function gets arguments that were validated against the schema, as
// every call is before dispatch runs it. What it returns becomes the result:
// a string is one text block, a *Result is taken as it is, and anything else
// is sent as JSON, both as text and structured; nil slices and maps are empty
// ones there.
//
// Typed panics when name is empty, fn is nil, or a type has no schema: those
// are mistakes in the program.
func Typed[In, Out any](name, description string, fn func(context.Context, In) (Out, error), opts *TypedOptions) Tool {
	if name == "" || fn == nil {
		panic("toolrest: Typed needs a name and a function")
	}
	var o TypedOptions
	if opts != nil {
		o = *opts
	}
	if o.Owner == (Owner{}) {
		o.Owner = Owner{Kind: OwnerSDK, ID: name}
	}
	in, err := schema.For[In]()
	if err != nil {
		panic(fmt.Sprintf("toolrest: input of %s: %v", name, err))
	}
	out, err := outputSchema[Out]()
	if err != nil {
		panic(fmt.Sprintf("toolrest: output of %s: %v", name, err))
	}
	return Tool{
		Descriptor: Descriptor{
			Name: name, Title: o.Title, Description: description,
			InputSchema: in, OutputSchema: out,
			Owner: o.Owner, Availability: o.Availability, SortKey: o.SortKey,
		},
		Executor: typedHandler(fn, out),
	}
}

func typedHandler[In, Out any](fn func(context.Context, In) (Out, error), output json.RawMessage) Handler {
	filled := schema.Filler(output)
	return func(ctx context.Context, call *Call) (*Result, error) {
		var in In
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		out, err := fn(ctx, in)
		if err != nil {
			return nil, err
		}
		result, err := toResult(out)
		if err == nil && result.Structured != nil && filled(&result.Structured) {
			result.Content = []Content{Text(string(result.Structured))}
		}
		return result, err
	}
}

func toResult(out any) (*Result, error) {
	switch v := out.(type) {
	case *Result:
		return v, nil
	case string:
		return TextResult(v), nil
	}
	if v := reflect.ValueOf(out); v.Kind() == reflect.Map && v.IsNil() {
		out = struct{}{}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	raw := bytes.TrimSpace(buf.Bytes())
	res := TextResult(string(raw))
	if len(raw) > 0 && raw[0] == '{' {
		res.Structured = raw
	}
	return res, nil
}

func outputSchema[Out any]() (json.RawMessage, error) {
	t := reflect.TypeFor[Out]()
	if t == reflect.TypeFor[*Result]() {
		return nil, nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct && t.Kind() != reflect.Map {
		return nil, nil
	}
	return schema.For[Out]()
}
