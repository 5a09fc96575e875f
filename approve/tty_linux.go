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

// windowSize gives the terminal's columns and rows, or zeros. It does not use
// File.Fd, which would make reads that nothing can interrupt.
func windowSize(tty *os.File) (width, height int) {
	raw, err := tty.SyscallConn()
	if err != nil {
		return 0, 0
	}
	_ = raw.Control(func(fd uintptr) {
		if size, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ); err == nil {
			width, height = int(size.Col), int(size.Row)
		}
	})
	return width, height
}
