// Package toolrest is the vocabulary of a governed tool system: what a tool
// is, what a call asks, what a result answers.
//
// A [Tool] is a [Descriptor], which says everything that a planner or a model
// may know, and an [Executor], which does the work. A [Call] names a tool and
// carries its arguments as the bytes that the model wrote. A [Result] is a
// list of [Content] blocks, or a [Refusal] that says what was refused, why,
// and what would change it.
//
// The package decides nothing and runs nothing. Which tools exist is the
// business of package registry, which of them a session may see and use that
// of packages policy and plan, and a call runs through package dispatch and
// no other way.
//
// Most tools are Go functions: see [Typed].
package toolrest
