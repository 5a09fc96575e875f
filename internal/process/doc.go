// Package process runs one command and says truthfully how it ended.
//
// Each command has a supervisor: this program, started again, which starts the
// command in a session of its own, adopts whatever the command leaves behind
// and ends all of it when it is told to, when the command is over, or when the
// program that asked is gone. The supervisor and the program talk over two
// pipes, so that even kill -9 of the program leaves nothing running.
//
// The program must call [Init] first thing in main, because that is where the
// second life of its binary begins.
//
// A [Box] names what the supervisor enters before it starts the command; what
// that means is the business of package sandbox. In a PID namespace the end of
// the supervisor is the end of every process, whatever they did. Without one
// the supervisor finds its descendants in /proc; a hostile command of the same
// user could kill it first.
//
// Output comes back as text for a model: standard output and standard error in
// the order of arrival, bounded, repaired to UTF-8, without control sequences.
// The environment is made by [Environ] from a short list of names, never
// inherited whole.
//
// The package decides nothing: which command may run, and where, was settled
// before. It keeps no command running after [Run] returned, and it gives no
// command a terminal or an input.
package process
