// Package check holds the rules of providers for the schemas of tools, as
// their documentation and their refusals state them.
//
// A [Rules] names every breach that it sees, with path and keyword. It is
// written apart from what adapts schemas, so that each can be held against the
// other: package adapt sends nothing that a rule refuses, and a scripted
// server of a test refuses what the real one would.
//
// The rules are about schemas alone. They do not look at names, descriptions
// or the number of tools, and they do not tell whether a schema is a useful
// one. Where a provider's own texts disagree, the narrower one is the rule.
package check
