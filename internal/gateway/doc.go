// Package gateway is the HTTP side of Toolrest: one handler for the MCP
// endpoint and the health checks, and the server that runs it.
//
// It refuses before it serves. It listens on loopback addresses and no others
// ([Listen]). A request must name a loopback host and, when a browser sent it,
// come from a loopback origin, so that a web page cannot reach the tools by
// rebinding a name. All but the health checks want the owner's token as a
// bearer token; one in the query string is refused, because addresses end up
// in logs and histories. Bodies are read whole, within a size and a time.
//
// All refusals are JSON-RPC errors in JSON with an id of null, which MCP
// clients show to their user. None of them repeats what came.
//
// The package knows nothing of tools, sessions or policies: behind the checks
// it hands the request to an [Endpoint].
package gateway
