package process

import (
	"io"
	"unicode/utf8"
)

// cleaner passes on what a person would read of a terminal's output: valid
// UTF-8 without control characters other than tab, line feed and carriage
// return, and without escape sequences. How the input is cut into writes does
// not change the result.
type cleaner struct {
	to      io.Writer
	state   state
	payload int    // bytes swallowed since a control string began
	partial []byte // the beginning of a character whose end has not come yet
	text    []byte // what the current write passes on
}

// state is a place in the grammar of ECMA-48 control functions.
type state uint8

const (
	ground       state = iota
	escape             // after ESC
	intermediate       // after ESC and a byte of 0x20–0x2F
	control            // in a control sequence, after CSI
	command            // in an operating system command, after OSC
	payload            // in another control string: DCS, SOS, PM, APC
	terminating        // after the ESC inside a control string
)

const (
	bel = 0x07
	can = 0x18
	sub = 0x1a
	esc = 0x1b
	st  = 0x9c
)

// maxPayload ends a control string that nobody ends: the text behind it is
// worth more than the rest of it.
const maxPayload = 1 << 20

func (c *cleaner) Write(p []byte) (int, error) {
	n := len(p)
	if len(c.partial) > 0 {
		p = append(c.partial, p...)
		c.partial = nil
	}
	c.text = c.text[:0]
	for len(p) > 0 {
		if c.state == ground {
			plain := plainPrefix(p)
			c.text = append(c.text, p[:plain]...)
			p = p[plain:]
			if len(p) == 0 {
				break
			}
		}
		if !utf8.FullRune(p) {
			c.partial = append([]byte(nil), p...)
			break
		}
		r, size := utf8.DecodeRune(p)
		c.step(r)
		p = p[size:]
	}
	if _, err := c.to.Write(c.text); err != nil {
		return 0, err
	}
	return n, nil
}

// Close passes on what waits for an end that does not come.
func (c *cleaner) Close() error {
	c.text = c.text[:0]
	for range c.partial {
		c.step(utf8.RuneError)
	}
	c.partial = nil
	_, err := c.to.Write(c.text)
	return err
}

// plainPrefix counts the leading bytes that mean themselves.
func plainPrefix(p []byte) int {
	for i, b := range p {
		if (b < 0x20 || b > 0x7e) && b != '\n' && b != '\t' && b != '\r' {
			return i
		}
	}
	return len(p)
}

func (c *cleaner) step(r rune) {
	switch c.state {
	case ground:
		c.print(r)
	case escape:
		c.afterEscape(r)
	case intermediate:
		c.afterIntermediate(r)
	case control:
		c.inControl(r)
	case command, payload:
		c.inString(r)
	case terminating:
		if r == '\\' {
			c.state = ground
			return
		}
		c.afterEscape(r)
	}
}

// print passes r on unless it is a control character.
func (c *cleaner) print(r rune) {
	c.state = ground
	switch {
	case r == esc:
		c.state = escape
	case r >= 0x80 && r < 0xa0:
		c.introduce(r - 0x40) // an 8-bit control stands for ESC and a letter
	case r == '\n' || r == '\t' || r == '\r' || r >= 0x20 && r != 0x7f:
		c.text = utf8.AppendRune(c.text, r)
	}
}

// introduce goes where the control function with the given letter leads.
func (c *cleaner) introduce(letter rune) {
	c.payload = 0
	switch letter {
	case '[':
		c.state = control
	case ']':
		c.state = command
	case 'P', 'X', '^', '_':
		c.state = payload
	default:
		c.state = ground
	}
}

func (c *cleaner) afterEscape(r rune) {
	switch {
	case r == esc:
		c.state = escape
	case r >= 0x20 && r < 0x30:
		c.state = intermediate
	case r >= 0x30 && r < 0x7f:
		c.introduce(r)
	default:
		c.print(r)
	}
}

func (c *cleaner) afterIntermediate(r rune) {
	switch {
	case r >= 0x20 && r < 0x30:
	case r >= 0x30 && r < 0x7f:
		c.state = ground
	default:
		c.print(r)
	}
}

func (c *cleaner) inControl(r rune) {
	switch {
	case r >= 0x20 && r < 0x40:
	case r >= 0x40 && r < 0x7f:
		c.state = ground
	case r < 0x20 && r != esc && r != can && r != sub:
		c.print(r) // a terminal obeys these in the middle of a sequence
		c.state = control
	default:
		c.print(r)
	}
}

func (c *cleaner) inString(r rune) {
	c.payload += utf8.RuneLen(r)
	switch {
	case r == st || r == can || r == sub || c.payload > maxPayload:
		c.state = ground
	case r == bel && c.state == command:
		c.state = ground
	case r == '\n' && c.state == command: // titles and links have one line
		c.print(r)
	case r == esc:
		c.state = terminating
	}
}
