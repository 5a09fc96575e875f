// Package model is the vocabulary of talking to a language model: a
// [Request] with messages and tools, and a stream of [Event] values that ends
// in exactly one [Done] or in one [*Error].
//
// The packages below it speak the wires: anthropic (messages), openai (chat
// completions, which most local servers speak as well), and replay, which
// plays a recorded conversation. What they share stands here: the order in
// which messages are sent ([Arrange]), identifiers and names that a provider
// accepts ([WireIDs], [Names]), and one exchange over HTTP with its faults
// ([Endpoint], [Exchange]).
//
// [Parse] reads "provider/model"; [Discover] finds a model where none was
// named.
//
// The package runs no tool, keeps no transcript and repeats no request: when
// something fails it says what, and whether trying again can help. Whatever a
// server sends is bounded and made safe to print, and a key never appears in
// an error, a log or a formatted value.
package model
