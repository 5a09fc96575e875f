package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mount is a line of /proc/self/mountinfo: the folder root of the file system
// dev is seen at point.
type mount struct {
	dev, root, point string
}

func readMounts() ([]mount, error) {
	raw, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("read the mounts: %w", err)
	}
	return parseMounts(string(raw))
}

func parseMounts(text string) (mounts []mount, err error) {
	for line := range strings.Lines(text) {
		// id parent major:minor root point options...
		f := strings.Fields(line)
		if len(f) < 5 {
			return nil, fmt.Errorf("read the mounts: odd line %q", line)
		}
		mounts = append(mounts, mount{dev: f[2], root: unescape(f[3]), point: unescape(f[4])})
	}
	return mounts, nil
}

// unescape undoes the octal escapes of white space and backslashes.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// aliases gives the other paths at which the file at real, or a part of the
// folder at real, can be seen because its file system is mounted more than
// once.
func aliases(mounts []mount, real string) (found []string) {
	home := homeMount(mounts, real)
	if home < 0 {
		return nil
	}
	inner := filepath.Join(mounts[home].root, rel(mounts[home].point, real)) // its path in the file system
	for i, m := range mounts {
		if i == home || m.dev != mounts[home].dev {
			continue
		}
		switch {
		case within(inner, m.root):
			alias := filepath.Join(m.point, rel(m.root, inner))
			if alias != real && sameFile(alias, real) {
				found = append(found, alias)
			}
		case within(m.root, inner) && !within(m.point, real):
			part := filepath.Join(real, rel(inner, m.root))
			if sameFile(m.point, part) {
				found = append(found, m.point)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// homeMount finds the mount in which a path lies: of those with the longest
// point the last, which covers the others.
func homeMount(mounts []mount, path string) int {
	best := -1
	for i, m := range mounts {
		if within(path, m.point) && (best < 0 || len(m.point) >= len(mounts[best].point)) {
			best = i
		}
	}
	return best
}

// rel gives the rest of path below dir, which contains it.
func rel(dir, path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, dir), "/")
}

// sameFile guards against mounts that are covered by later ones.
func sameFile(a, b string) bool {
	x, err1 := os.Lstat(a)
	y, err2 := os.Lstat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
