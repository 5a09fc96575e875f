// Package schema works on JSON Schemas of tools: it reflects them from Go
// types ([For]) and checks arguments against them ([Compile]).
//
// A schema is kept as the bytes that its author wrote, so that the order of
// its keys survives. Validation reports every error with its path, not the
// first one alone, because a model repairs a call best when it sees all that
// is wrong with it.
//
// # Struct tags of For
//
//	json:"name"            the property's name; "-" leaves the field out
//	json:"name,omitempty"  the property is optional (omitzero likewise)
//	jsonschema:"text"      the property's description
//
// Slices and maps are plain arrays and objects: null is not among their
// types. Pointers are optional only with omitempty or omitzero. Objects
// accept no other properties than their fields.
package schema
