package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// brokerSockets are places of sockets whose servers start processes, or read
// files, for whoever can connect. UID and HOME are filled in.
var brokerSockets = []string{
	"/run/docker.sock", "/run/user/UID/docker.sock", "HOME/.docker/run/docker.sock", "HOME/.docker/desktop/docker.sock",
	"/run/podman/podman.sock", "/run/user/UID/podman/podman.sock",
	"/run/containerd/containerd.sock", "/run/crio/crio.sock", "/run/buildkit/buildkitd.sock",
	"/run/dbus/system_bus_socket", "/run/user/UID/bus",
	"/run/systemd/private", "/run/user/UID/systemd/private", "/run/systemd/io.systemd.*",
	"/run/snapd.socket", "/run/libvirt/libvirt-sock", "/run/user/UID/libvirt/libvirt-sock",
	"/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket",
	"/tmp/tmux-UID/*", "/run/screen/S-*/*", "/run/user/UID/zellij/*/*", "HOME/.screen/*",
	"/run/user/UID/emacs/*", "/tmp/emacsUID/*",
}

// brokers gives those of them that are there.
func brokers() (found []string) {
	home, _ := os.UserHomeDir() // without one, its patterns match nothing
	fill := strings.NewReplacer("UID", strconv.Itoa(os.Geteuid()), "HOME", home)
	for _, pattern := range brokerSockets {
		paths, _ := filepath.Glob(fill.Replace(pattern)) // a home with odd letters only matches less
		for _, path := range paths {
			if real, err := filepath.EvalSymlinks(path); err == nil && isSocket(real) {
				found = append(found, real)
			}
		}
	}
	found = append(found, named()...)
	slices.Sort(found)
	return slices.Compact(found)
}

// named gives the sockets that this program's own environment leads to: a
// terminal multiplexer, the session bus, a container engine at another place.
func named() (found []string) {
	tmux, _, _ := strings.Cut(os.Getenv("TMUX"), ",")
	docker, _ := strings.CutPrefix(os.Getenv("DOCKER_HOST"), "unix://")
	paths := []string{tmux, docker}
	for bus := range strings.SplitSeq(os.Getenv("DBUS_SESSION_BUS_ADDRESS"), ";") {
		path, _ := strings.CutPrefix(bus, "unix:path=")
		path, _, _ = strings.Cut(path, ",")
		paths = append(paths, path)
	}
	for _, pattern := range []string{"XDG_RUNTIME_DIR/docker.sock", "XDG_RUNTIME_DIR/podman/podman.sock", "XDG_RUNTIME_DIR/bus",
		"XDG_RUNTIME_DIR/systemd/private", "TMUX_TMPDIR/tmux-*/*", "SCREENDIR/*", "ZELLIJ_SOCKET_DIR/*/*"} {
		name, rest, _ := strings.Cut(pattern, "/")
		if dir := os.Getenv(name); filepath.IsAbs(dir) {
			more, _ := filepath.Glob(filepath.Join(dir, rest))
			paths = append(paths, more...)
		}
	}
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil && filepath.IsAbs(path) && isSocket(real) {
			found = append(found, real)
		}
	}
	return found
}

func isSocket(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeSocket != 0
}

// rawNames are character devices that reach a disk, the memory, or a person's
// keyboard and screen, where block devices are disks by their kind.
var rawNames = []string{
	"sg[0-9]*", "bsg/*", "nvme[0-9]*", "ng[0-9]*", "mem", "kmem", "port",
	"uinput", "input/*", "console", "tty[0-9]*", "vcs*",
}

// rawDevices gives the devices of that sort which this user may open. For an
// ordinary user they are few or none.
func rawDevices() (found []string) {
	for _, dir := range []string{"/dev", "/dev/mapper", "/dev/block"} {
		entries, _ := os.ReadDir(dir) // what cannot be listed is found by nobody
		for _, e := range entries {
			if e.Type()&(os.ModeDevice|os.ModeCharDevice) == os.ModeDevice {
				found = append(found, filepath.Join(dir, e.Name()))
			}
		}
	}
	for _, name := range rawNames {
		paths, _ := filepath.Glob("/dev/" + name) // the patterns are valid
		found = append(found, paths...)
	}
	return slices.DeleteFunc(found, func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || info.Mode()&os.ModeDevice == 0 || !accessible(path)
	})
}

func accessible(path string) bool {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS) == nil ||
		unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS) == nil
}
