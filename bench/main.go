// Command bench measures Toolrest against its budgets and prints a table:
//
//	go run ./bench             everything
//	go run ./bench -only plan  what has "plan" in its name
//
// A figure beyond its budget is marked, and nothing fails: machines differ, and
// so do their hours. With OPENCLAW_DIR set to the folder of an installed npm
// package openclaw, its own functions do the same work in the same run, and
// their figures stand beside; NODE names the Node that runs them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"testing"
)

func main() {
	testing.Init()
	only := flag.String("only", "", "measure only work with this in its name")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) error {
	var rows []row
	peer := false
	for _, r := range table() {
		if strings.Contains(r.work, only) {
			rows = append(rows, r)
			peer = peer || r.peer != ""
		}
	}
	m := measured{ours: map[key]testing.BenchmarkResult{}}
	if dir := os.Getenv("OPENCLAW_DIR"); dir != "" && peer {
		var err error
		if m.peer, err = measurePeer(ctx, dir); err != nil {
			return err
		}
	}
	for i, r := range rows {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		progress("%3d of %d: %s", i+1, len(rows), r.work)
		m.ours[r.key()] = testing.Benchmark(r.run)
	}
	progress("")
	return m.print(rows)
}

// progress shows on a terminal what is being measured.
func progress(format string, args ...any) {
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprintf(os.Stderr, "\r%-60s\r%s", "", fmt.Sprintf(format, args...))
	}
}
