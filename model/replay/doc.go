// Package replay plays a recorded conversation as if a model held it, for
// demonstrations and tests. It thinks nothing: what the tools do is real, what
// the model says is on record.
//
// # Format
//
// A recording is JSON lines: one object a line, blank lines count for
// nothing. The first is the header:
//
//	{"toolrest":"replay","version":1,"model":"anthropic/…","about":"what it shows"}
//
// It may also have "prompt" (what the user asked), "delayMs" (the pause
// before each piece when it is played in real time, 0 to 1000) and
// "workspace" (a folder beside the file, which the recording needs a copy of).
//
// Each other line has one member, which says what it is:
//
//	{"thinking":"…"}     what the model thinks
//	{"text":"…"}         what it says
//	{"call":{"id":"c1","name":"exec","args":{"command":"ls"}}}
//	{"done":{"stop":"calls","usage":{"input":900,"output":40}}}
//	{"results":[{"call":"c1","name":"exec","isError":false,"contains":"go.mod"}]}
//
// A call may have "raw", a string, in place of "args", for arguments that are
// no JSON. A turn ends with done. Where it made calls the results follow; in
// them "isError" and "contains" are what the recording relies on, and may be
// left out. A recording ends with a turn without calls.
//
// # What it refuses
//
// A file that is damaged, cut off or of another version is refused when it is
// opened, with file and line. A conversation that went another way than the
// recorded one is refused when it is played: other calls, or results that the
// recording does not go on from, so that it never claims what did not happen.
package replay
