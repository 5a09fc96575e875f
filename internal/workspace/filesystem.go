package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// kernelFileSystems show the kernel's and other processes' insides as files:
// /proc/PID/environ and /proc/PID/mem are "regular". None of them is a place
// for an agent's work.
var kernelFileSystems = map[int64]bool{
	unix.PROC_SUPER_MAGIC:    true,
	unix.SYSFS_MAGIC:         true,
	unix.DEBUGFS_MAGIC:       true,
	unix.TRACEFS_MAGIC:       true,
	unix.SECURITYFS_MAGIC:    true,
	unix.SELINUX_MAGIC:       true,
	unix.SMACK_MAGIC:         true,
	unix.CGROUP_SUPER_MAGIC:  true,
	unix.CGROUP2_SUPER_MAGIC: true,
	unix.DEVPTS_SUPER_MAGIC:  true,
	unix.BPF_FS_MAGIC:        true,
	unix.PSTOREFS_MAGIC:      true,
	unix.EFIVARFS_MAGIC:      true,
	unix.NSFS_MAGIC:          true,
	unix.BINFMTFS_MAGIC:      true,
}

// checkFileSystem refuses a folder that the kernel makes up.
func (w *Workspace) checkFileSystem(dir *os.Root, path string) error {
	f, err := dir.Open(".")
	if err != nil {
		return systemError("open the folder", path, err)
	}
	defer f.Close()
	var st unix.Statfs_t
	err = withFD(f, func(fd int) error { return unix.Fstatfs(fd, &st) })
	if err != nil {
		return systemError("look at the file system", path, err)
	}
	if kernelFileSystems[int64(st.Type)] {
		return refuse(KindSpecial, path, "this belongs to the kernel's own file systems", "use a file on a disk")
	}
	return nil
}

// withFD runs fn on the descriptor of f, which stays open meanwhile.
func withFD(f *os.File, fn func(fd int) error) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := conn.Control(func(fd uintptr) { inner = fn(int(fd)) }); err != nil {
		return err
	}
	return inner
}
