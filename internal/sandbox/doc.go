// Package sandbox confines commands. What it has is the ring: a view of the
// machine in which the state folder and the active config of this program are
// out of reach, and all else is as it is. Every command runs in the ring, also
// where no other sandbox was asked for, because an agent that can change its
// own policy has none.
//
// # What the ring does
//
// A [Ring] becomes a [process.Box]: a user, a mount and a PID namespace in
// which the supervisor lays an empty read-only folder over every hidden one
// and makes the config files read-only, and then a second user and mount
// namespace for the command. To the kernel the mounts of the first are not the
// second one's to undo: they cannot be unmounted, moved, made writable or
// looked under, whatever rights the command has or takes in further
// namespaces. A file that is a mount point cannot be renamed, replaced or
// deleted either. Folders on the way to it are pinned in the same manner where
// their own folder is writable, and so are symbolic links on the way, so that
// no other config can be put in its place. The same file seen through another
// mount of its file system is masked there as well.
//
// The command sees only its own processes. It cannot signal, trace or look
// into this program, and it dies with its supervisor. It has no controlling
// terminal and its own pseudo-terminals: it cannot answer an approval prompt.
// Setuid programs get no rights, so sudo does not work.
//
// Sockets of programs that start processes for whoever asks (Docker, the D-Bus
// buses, a running tmux, see [Ring.Brokers]) are masked: what they start would
// stand outside the ring. For root, raw disks and the kernel's own switches are
// masked too, because root reaches every file through them.
//
// The price: a pinned folder is a mount of its own, so that a hard link or a
// cheap rename between it and the outside is refused with EXDEV; programs then
// copy. In the usual place, ~/.toolrest in a home that only root could rename,
// an ordinary user has no pinned folder.
//
// # What the ring does not do
//
// It is not a sandbox: network, files and devices are otherwise there. A
// command may write what a person or a job will execute later outside the
// ring (shell profiles, crontabs, git hooks, build scripts), and may ask
// servers that it reaches over the network or an abstract socket. It cannot
// see through overlay file systems whose layers are visible elsewhere. A
// config file with a second hard link is refused instead of protected.
//
// The package needs Linux 5.12 and user namespaces; [Probe] says whether they
// are there by trying. It never runs a command with less than it was asked
// for: what cannot be masked is an error.
package sandbox
