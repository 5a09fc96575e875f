package process

import (
	"errors"
	"syscall"
	"time"
)

// The supervisor's file descriptors beside 0, 1 and 2. They are closed to the
// command.
const (
	// controlFD brings an order (gob) and then single bytes. Its end means
	// that nobody waits any more.
	controlFD = 3
	// reportFD takes the report (gob).
	reportFD = 4
)

// terminate is the byte that asks for the end of the command.
const terminate = 'T'

// supervisorName is the program name under which our binary becomes a
// supervisor. It is what ps shows.
const supervisorName = "toolrest: supervisor"

// order is what the supervisor is to do.
type order struct {
	Argv       []string
	Dir        string
	Env        []string
	Box        string
	Config     []byte
	Inner      Namespaces
	NoNewPrivs bool
	Grace      time.Duration
	Linger     time.Duration
}

// report is what became of it.
type report struct {
	ExitCode int
	Signal   syscall.Signal
	Left     int
	Refused  *StartError
}

func refusal(step string, err error) *StartError {
	e := &StartError{Step: step, Text: err.Error()}
	errors.As(err, &e.Errno)
	return e
}
