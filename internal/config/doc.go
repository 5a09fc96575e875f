// Package config turns the config file into a typed [Config] in which every
// value knows its place, and keeps the user's state folder.
//
// [Load] finds the one file, reads it, and reports all that is wrong with it
// in one go: each [Error] has the file, line, column and the key's path. An
// unknown key is an error. Without a file the defaults are safe: profile
// coding, the current folder as the workspace, and exec asks.
//
// A config may lie in several files ([Load] follows $include); a value's place
// is in the file that wrote it. A config of OpenClaw is read as it is, in its
// dialect: what it says and we do not use is listed in [Config.Unused].
//
// # Trust
//
// A config that lies in the workspace came with what lies there. Until the
// user has trusted its content ([State.Trust]), it only takes away: its lists
// and profiles count beside those of [Config.Base], and what would widen or
// reach out is ignored and listed in [Config.Ignored]. It gets nothing of the
// environment. One changed byte in any of its files, and it is untrusted again.
//
// # State
//
// The state folder ([OpenState]) belongs to one user: mode 0700, and the files
// in it 0600. A folder or file that others could read or replace is refused,
// with the command that mends it.
//
// The package never decides what a tool may do, starts nothing, and writes a
// config file only when [FileChange.Write] is called. Values of secrets and of
// environment variables stand in none of its errors. Only the command line
// program imports it; all other packages take options.
package config
