// Package schema works on JSON Schemas of tools: it reflects them from Go
// types ([For]), checks arguments against them ([Compile]) and changes scalars
// to the types that they ask for ([Schema.Coerce]).
//
// A schema is kept as the bytes that its author wrote, so that the order of
// its keys survives. Validation reports every error with its path, not the
// first one alone, because a model repairs a call best when it sees all that
// is wrong with it.
//
// # Struct tags of For
//
//	json:"name"               the property's name; "-" leaves the field out
//	json:"name,omitempty"     the property is optional (omitzero likewise)
//	json:"name,string"        a scalar that is written as text
//	jsonschema:"text"         the property's description
//	title:"text"
//	enum:"a,b"                the allowed values, for strings and numbers
//	default:"value"           told to the model; it is not filled in
//	minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
//	minLength, maxLength, pattern, format
//	minItems, maxItems, uniqueItems:"true"
//
// A keyword that means nothing for a list or a map goes to its items or
// values: enum on a []string limits each string. One that means nothing at
// all, or cannot be read, is an error.
//
// # Types
//
// Strings, booleans and numbers are what they are; integers without a sign or
// of at most 32 bits have a range. Structs are objects that accept no other
// properties than their fields; embedded ones lend theirs. Slices and maps are
// plain arrays and objects: null is not among their types. A pointer is what
// it points to, and optional only with omitempty or omitzero. time.Time is a
// date-time, []byte is text in base64, what decodes itself from text is a
// string, any and json.RawMessage are everything. A type that decodes itself
// from JSON says how it looks: see [Described].
package schema
