package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/toolrest/toolrest/internal/process"
	"go.uber.org/goleak"
)

// TestMain lets the test program be a supervisor, a tool of the attempts, or
// the process outside that they aim at.
func TestMain(m *testing.M) {
	Init()
	if len(os.Args) > 1 {
		if f := programs[os.Args[1]]; f != nil {
			if err := f(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				syscall.Exit(1) // os.Exit takes a second under the race detector
			}
			syscall.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

// programs are what the test program can be beside a test, by first argument.
var programs = map[string]func(args []string) error{
	"outside": outside,
	"in-ring": inRing,

	"ask":         ask,
	"clone-mount": cloneMount,
	"exchange":    exchange,
	"map-write":   mapWrite,
	"open-handle": openHandle,
	"peek":        peek,
	"setns":       joinUser,
	"trace":       trace,
}

// outside holds the token open and serves a socket until its input ends.
func outside(args []string) error {
	state, socket := args[0], args[1]
	if err := os.Chdir(state); err != nil {
		return err
	}
	f, err := os.Open("token")
	if err != nil {
		return err
	}
	defer f.Close()
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	go serveCommands(l)
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// serveCommands runs each line that comes in, as a container engine would.
func serveCommands(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		line, _ := bufio.NewReader(c).ReadString('\n')
		cmd := exec.Command("/bin/sh", "-c", line)
		cmd.Stdout = c
		_ = cmd.Run()
		c.Close()
	}
}

// inRing runs a script in a ring of its own and prints what the machine
// allows and what the script printed. It is for tests that change the machine
// first.
func inRing(args []string) error {
	state, config, script := args[0], args[1], args[2]
	s := Probe(context.Background())
	fmt.Printf("ring=%v pids=%v reason=%s\n", s.Ring, s.PIDs, s.Reason)
	if !s.Ring {
		return nil
	}
	box, err := Ring{Hide: []string{state}, ReadOnly: []string{config}}.Box(s)
	if err != nil {
		return err
	}
	c := process.Command{Argv: []string{"/bin/sh", "-c", script}, Dir: "/", Env: os.Environ(), Box: box}
	out, err := process.Run(context.Background(), c, nil)
	if err != nil {
		return err
	}
	fmt.Print(out.Output)
	return nil
}
