// Package json5 parses JSON5 and keeps what a person wrote: the place of each
// key and value, the order of members, and the comments.
//
// [Parse] gives a tree of [Node]. The tree can answer a change of the text as
// [TextEdit]s that leave every other byte alone, so that a program can add a
// list entry to a file without losing its comments.
//
// The package refuses more than the format does: a key that stands twice in
// an object, numbers that no float64 holds, invalid UTF-8, values nested
// deeper than [MaxDepth], and files larger than [MaxSize]. It gives no meaning
// to what it reads, never decodes into Go types, and its errors quote at most
// one character of a value, because files of settings hold secrets.
package json5
