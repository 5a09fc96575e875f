package sandbox

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// The attempts' tools: what no program of a small Debian does for a shell.

func ask(args []string) error {
	c, err := net.Dial("unix", args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	fmt.Fprintln(c, args[1])
	_, err = io.Copy(os.Stdout, c)
	return err
}

// cloneMount opens a folder as a mount of its own, without what is mounted
// below it.
func cloneMount(args []string) error {
	fd, err := unix.OpenTree(unix.AT_FDCWD, args[0], unix.OPEN_TREE_CLONE|unix.O_CLOEXEC)
	if err != nil {
		return fmt.Errorf("clone: %w", err)
	}
	return copyOut(unix.Openat(fd, args[1], unix.O_RDONLY, 0))
}

func copyOut(fd int, err error) error {
	if err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, os.NewFile(uintptr(fd), "found"))
	return err
}

// openHandle opens a file by a handle that was made outside.
func openHandle(args []string) error {
	raw, err := base64.StdEncoding.DecodeString(args[0])
	if err != nil {
		return err
	}
	dir, err := unix.Open(args[1], unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	h := unix.NewFileHandle(int32(binary.LittleEndian.Uint32(raw)), raw[4:])
	return copyOut(unix.OpenByHandleAt(dir, h, unix.O_RDONLY))
}

// makeHandle is the other half of openHandle. It is empty where the file
// system has no handles.
func makeHandle(path string) string {
	h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	if err != nil {
		return ""
	}
	raw := binary.LittleEndian.AppendUint32(nil, uint32(h.Type()))
	return base64.StdEncoding.EncodeToString(append(raw, h.Bytes()...))
}

// joinUser tries to enter the user namespace of a process.
func joinUser(args []string) error {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/ns/user", pid), unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return unix.Setns(fd, unix.CLONE_NEWUSER)
}

func trace(args []string) error {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the tracer is a thread
	if err := unix.PtraceAttach(pid); err != nil {
		return fmt.Errorf("attach: %w", err)
	}
	if _, err := unix.Wait4(pid, nil, unix.WALL, nil); err != nil {
		return fmt.Errorf("wait: %w", err)
	}
	return unix.PtraceDetach(pid)
}

func exchange(args []string) error {
	return unix.Renameat2(unix.AT_FDCWD, args[0], unix.AT_FDCWD, args[1], unix.RENAME_EXCHANGE)
}

func mapWrite(args []string) error {
	f, err := os.OpenFile(args[0], os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := unix.Mmap(int(f.Fd()), 0, 4, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	copy(m, "evil")
	return unix.Munmap(m)
}

// peek prints the memory of a process outside, where it is writable and small.
func peek(args []string) error {
	maps, err := os.Open("/proc/" + args[0] + "/maps")
	if err != nil {
		return err
	}
	defer maps.Close()
	mem, err := os.Open("/proc/" + args[0] + "/mem")
	if err != nil {
		return err
	}
	defer mem.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to int64
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x rw", &from, &to); err != nil || to-from > 1<<22 {
			continue
		}
		_, _ = io.Copy(os.Stdout, io.NewSectionReader(mem, from, to-from)) // holes are not readable
	}
	return nil
}
