// Package openclaw rewrites the schemas of tools exactly as OpenClaw v2026.6.11
// does, where it loses information too, for those who asked for its dialect.
//
// All functions are pure: they take a tree and give another one, or the same
// where nothing changed. They decide nothing about providers that package
// adapt does not ask them for, and what the original leaves broken stays
// broken here; the checks of package check are not applied.
//
// Bounded is only what a hostile schema could blow up: see [ErrTooLarge].
package openclaw
