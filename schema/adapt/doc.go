// Package adapt brings the schemas of tools into the form that a model's
// provider takes.
//
// It is made of pure functions from a schema and a [Target] to a [Result].
// What a provider refuses is rewritten, or left out where it cannot be; the
// original schema stays the one that arguments are checked against, so that
// nothing is lost but the model's sight of it. [Losses] lists what that is.
//
// A schema that no rewriting saves has a [Fault], with the path and the
// keyword: its tool is left out of the request, and all others go out. The
// package refuses what is no JSON, what is no object, what names a definition
// that is not there, and what grows beyond all measure; it never follows a
// reference out of the schema.
//
// # Dialects
//
// [Default] keeps what the provider's documented rules allow and tells the
// rest in words: a line in a description, [Result.Note] for the whole tool.
// [OpenClaw] rewrites exactly as that program does.
package adapt
