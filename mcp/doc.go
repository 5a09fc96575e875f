// Package mcp serves governed tools to any client of the Model Context
// Protocol, over stdio ([Server.ServeStdio]) and over streamable HTTP
// ([Server.HTTPHandler]).
//
// It holds no tools. Each tools/list and each tools/call is answered by a
// [Door], so a forged call of a hidden or unknown tool reaches dispatch as
// every other call does, and the refusal comes back as a tool result that the
// client's model can read. The refusal itself stands in the result's _meta
// under [RefusalKey].
//
// # What is refused
//
// A message that is not one JSON-RPC 2.0 object in UTF-8 is answered with an
// error and costs nothing but itself: the connection goes on. That holds for
// broken JSON, batches (which only one version of the protocol ever knew),
// members that come twice, ids that are no string and no exact integer,
// parameters that are no object, and messages over the size limit, which are
// skipped without being kept. An answer to nothing is dropped in silence.
//
// # When a call is cancelled
//
// notifications/cancelled ends the context of the call that it names. So does
// the end of the session: over stdio the end of the input (calls that were
// read before it first get [ServerOptions.Grace] to finish), over HTTP DELETE,
// the idle timeout and [Endpoint.Shutdown].
//
// A client that closes an HTTP connection in the middle of a call cancels it
// only from protocol version 2026-07-28 on, where the request is all there is.
// The versions with sessions say that a lost connection is no cancellation, so
// there the call runs on and its answer is dropped.
//
// # What it never does
//
// It does not authenticate, decide, or validate arguments against schemas, and
// it never sends requests of its own to a client. Tool arguments and schemas
// pass through as the bytes they are.
package mcp
