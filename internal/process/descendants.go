package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// signalAll sends sig to every process that the supervisor is responsible
// for. A stopped process is woken, since it would not notice.
func signalAll(sig syscall.Signal) {
	if os.Getpid() == 1 {
		_ = syscall.Kill(-1, sig) // ESRCH: nobody is there
		_ = syscall.Kill(-1, syscall.SIGCONT)
		return
	}
	if sig == syscall.SIGKILL {
		killTree(os.Getpid())
		return
	}
	for _, pid := range descendants(os.Getpid()) {
		_ = syscall.Kill(pid, sig)
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
}

// freezeRounds bounds the hunt for processes that fork faster than we look.
const freezeRounds = 20

// killTree kills the descendants of root. It stops them first, until it finds
// no new ones, because a process that is killed while it forks leaves a child
// that nobody saw.
func killTree(root int) {
	stopped := map[int]bool{}
	for range freezeRounds {
		fresh := false
		for _, pid := range descendants(root) {
			if !stopped[pid] && syscall.Kill(pid, syscall.SIGSTOP) == nil {
				stopped[pid], fresh = true, true
			}
		}
		if !fresh {
			break
		}
	}
	for _, pid := range descendants(root) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// descendants lists the living processes below root, parents before children.
func descendants(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, path := range stats {
		if pid, parent, ok := readStat(path); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []int
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		found = append(found, children[queue[0]]...)
		queue = append(queue, children[queue[0]]...)
	}
	return found
}

// statThreads is the place of the number of threads, counted from the state.
const statThreads = 17

// readStat reads the ids of a process and of its parent. A zombie does not
// count: it is dead and waits for its parent. One with threads is not dead.
func readStat(path string) (pid, parent int, ok bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, false
	}
	// "pid (name) state ppid ...": the name may hold anything, also ") R 1".
	open, shut := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if open < 1 || shut < open {
		return 0, 0, false
	}
	rest := bytes.Fields(raw[shut+1:])
	if len(rest) <= statThreads || rest[0][0] == 'Z' && string(rest[statThreads]) == "1" {
		return 0, 0, false
	}
	pid, err1 := strconv.Atoi(string(bytes.TrimSpace(raw[:open])))
	parent, err2 := strconv.Atoi(string(rest[1]))
	return pid, parent, err1 == nil && err2 == nil
}
