// Package modeltest has scripted model servers that speak the real wires, for
// tests: [NewAnthropic] (messages) and [NewOpenAI] (chat completions), each
// streaming or not, as the request asks.
//
// A server answers with the turns of its script, in order, and cuts what it
// streams at unkind places: arguments inside an escape, bytes inside a
// character. It refuses what the real API refuses, with its status and its
// error body, and fails the test then; [Server.AllowRefusals] is for tests
// that want to be refused. A script that was not played to its end fails the
// test as well.
//
// In a few places it is stricter than the real APIs, because a client that
// keeps these rules works with more servers: roles alternate on the Anthropic
// wire, results stand in the order of their calls, arguments in the history
// are JSON objects, and the first message that is not the system's is the
// user's.
//
// The servers know one key ([Key]) and the models of [Server.Models]. They
// are no substitute for a real model: nothing here thinks.
package modeltest
