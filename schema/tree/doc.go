// Package tree holds JSON as a tree that keeps what a map loses: the order of
// keys and the exact text of numbers.
//
// A [Node] is immutable. What changes a tree builds new nodes along the way to
// the root and shares all others, so that "nothing changed" is the same
// pointer, and a tree may be read by several goroutines.
//
// [Parse] takes text from outside. It refuses what two readers may read
// differently (a member that stands twice, text after the value) and what
// costs more than an honest schema does: see [Limits].
package tree
