package approve

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// flushInput drops what the terminal has received and nobody has read.
func flushInput(tty *os.File) error {
	raw, err := tty.SyscallConn()
	if err != nil {
		return fmt.Errorf("use the terminal: %w", err)
	}
	var ioctl error
	if err := raw.Control(func(fd uintptr) {
		ioctl = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCIFLUSH)
	}); err != nil {
		return fmt.Errorf("use the terminal: %w", err)
	}
	if ioctl != nil {
		return fmt.Errorf("clear the terminal's input: %w", ioctl)
	}
	return nil
}
