package mcp

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// lineReader cuts a stream into lines and never holds more than one of them,
// nor more than max bytes of it. It is for one goroutine.
type lineReader struct {
	r   *bufio.Reader
	max int
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, min(max+2, 64<<10)), max: max}
}

// longLineError is a line over the limit, which was read past.
type longLineError struct{ size int64 }

func (e *longLineError) Error() string { return fmt.Sprintf("a line of %d bytes", e.size) }

// next gives the next line without its end mark (\n or \r\n). The bytes are
// the caller's. The last line needs no end mark; after it comes [io.EOF].
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	var size int64
	for {
		part, err := l.r.ReadSlice('\n')
		size += int64(len(part))
		if size <= int64(l.max)+int64(len("\r\n")) {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && size > 0, err == nil:
			return l.finish(line, size)
		default:
			return nil, err
		}
	}
}

func (l *lineReader) finish(line []byte, size int64) ([]byte, error) {
	whole := int64(len(line)) == size
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if !whole || len(line) > l.max {
		return nil, &longLineError{size}
	}
	return line, nil
}
