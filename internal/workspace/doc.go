// Package workspace is the folder that an agent works in, and the only way by
// which its tools touch files.
//
// A path that a model wrote is text until [Workspace] has walked it: folder by
// folder, each held open as an [os.Root], links expanded by hand, every step
// compared with what was looked at. What is then read or written is the thing
// that was checked, also when somebody swaps names meanwhile.
//
// Files change only inside [Workspace.Change]: all changes of one call are
// checked, staged in temporary files beside their targets, and put in place
// by renaming. One that fails takes the others back.
//
// The package refuses paths that leave the workspace in any disguise, links to
// the outside, files with more than one hard link, anything that is not a
// regular file, and the agent's own reins: the files that its owner named
// hidden or read-only, recognised by identity wherever they lie. It never
// writes through a symbolic link. It is not a sandbox for commands, and it
// does not see through bind mounts that the owner made.
package workspace
