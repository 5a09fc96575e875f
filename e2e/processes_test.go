package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

var markers atomic.Int64

// marker gives a number of seconds that no other sleep on this machine has, so
// that the processes of one call are found wherever they went.
func marker() string {
	return fmt.Sprintf("%d.%d", 100_000+os.Getpid(), markers.Add(1))
}

// sleepers gives the processes that were started as `sleep seconds`.
func sleepers(t *testing.T, seconds string) (pids []int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range lines {
		line, err := os.ReadFile(name)
		if err != nil || !bytes.HasSuffix(line, []byte("sleep\x00"+seconds+"\x00")) {
			continue // it ended while we looked, or it is another
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// awaitSleepers waits until exactly n of them run. The system tells nobody of
// the births and deaths of others' children, so this asks again and again.
func awaitSleepers(t *testing.T, seconds string, n int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		pids := sleepers(t, seconds)
		if len(pids) == n {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("want %d processes sleeping, got %d: %v", n, len(pids), pids)
		}
	}
}
