// Package dispatch is the one way a call runs. Every door hands its calls to
// [Dispatcher.Dispatch] and gets exactly one result for each, whatever
// happens: refused, cancelled, failed, panicked or done.
//
// What stands between a call and its tool is listed in order.go, in order.
// The package runs no tool that the caller's plan does not show, and no
// arguments that the tool's schema does not accept.
package dispatch
