package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/toolrest/toolrest/internal/process"
	"golang.org/x/sys/unix"
)

// namespaces gives the two layers of the ring. In the second a command has
// the same user and group ids as without the ring.
//
// Root keeps every id that it has, so that it can go on giving files to other
// users. An ordinary user may map its own ids alone; in the first namespace it
// is called root, because only root keeps its rights over the namespace when
// the supervisor is executed.
func namespaces() (outer, inner process.Namespaces, err error) {
	outer.Flags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS
	uid, gid := os.Geteuid(), os.Getegid()
	if uid != 0 {
		outer.UIDs, outer.GIDs = single(0, uid), single(0, gid)
		inner = outer
		inner.UIDs, inner.GIDs = single(uid, 0), single(gid, 0)
		return outer, inner, nil
	}
	if outer.UIDs, err = identity("/proc/self/uid_map"); err != nil {
		return outer, inner, err
	}
	if outer.GIDs, err = identity("/proc/self/gid_map"); err != nil {
		return outer, inner, err
	}
	outer.SetGroups = maySetGroups()
	return outer, outer, nil
}

// maySetGroups reports whether this namespace leaves setgroups to its root. A
// child namespace can have no more.
func maySetGroups() bool {
	raw, err := os.ReadFile("/proc/self/setgroups")
	return err == nil && strings.TrimSpace(string(raw)) == "allow"
}

func single(inside, outside int) []syscall.SysProcIDMap {
	return []syscall.SysProcIDMap{{ContainerID: inside, HostID: outside, Size: 1}}
}

// identity maps each id that this namespace has to itself.
func identity(file string) (ids []syscall.SysProcIDMap, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the ids of this namespace: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, fmt.Errorf("read %s: odd line %q", file, line)
		}
		first, err1 := strconv.Atoi(f[0])
		size, err2 := strconv.Atoi(f[2])
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("read %s: odd line %q", file, line)
		}
		ids = append(ids, syscall.SysProcIDMap{ContainerID: first, HostID: first, Size: size})
	}
	return ids, nil
}
