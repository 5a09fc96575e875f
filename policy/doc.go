// Package policy decides which tools a caller may see and use. It is pure: no
// files, no clock, no goroutine, and the same input gives the same answer.
//
// A [Section] of the config becomes a [Layer], the layers become a [Pipeline],
// and the pipeline gives each tool a [Trace]: what each layer did to it, by
// which entry, at which place in the config. Enforcement and explanation read
// the same trace. Layers only remove: what one of them took away does not come
// back in a later one, and inside a layer deny beats allow.
//
// The package never says how to ask, run or record. It knows names, groups
// and rules, and nothing of executors.
package policy
