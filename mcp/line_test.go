package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// readAll gives each line in quotes, and the size of each that was too long.
func readAll(l *lineReader) ([]string, error) {
	var out []string
	for {
		line, err := l.next()
		var long *longLineError
		switch {
		case errors.As(err, &long):
			out = append(out, fmt.Sprint(long.size))
		case err != nil:
			return out, err
		default:
			out = append(out, fmt.Sprintf("%q", line))
		}
	}
}

func TestLines(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []string
	}{
		"nothing":            {"", nil},
		"one":                {"ab\n", []string{`"ab"`}},
		"no end mark":        {"ab\ncd", []string{`"ab"`, `"cd"`}},
		"CRLF":               {"ab\r\n\r\ncd\r\n", []string{`"ab"`, `""`, `"cd"`}},
		"CR within":          {"a\rb\n", []string{`"a\rb"`}},
		"blank":              {"\n\n", []string{`""`, `""`}},
		"at the limit":       {"12345678\n12345678\r\n", []string{`"12345678"`, `"12345678"`}},
		"one over":           {"123456789\nok\n", []string{"10", `"ok"`}},
		"one over with CRLF": {"123456789\r\nok\n", []string{"11", `"ok"`}},
		"far over":           {strings.Repeat("x", 1000) + "\nok\n", []string{"1001", `"ok"`}},
		"over without end":   {"ok\n" + strings.Repeat("x", 1000), []string{`"ok"`, "1000"}},
		"over twice":         {strings.Repeat("x", 100) + "\n" + strings.Repeat("y", 20) + "\nok", []string{"101", "21", `"ok"`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.in), iotest.OneByteReader(strings.NewReader(test.in)), iotest.DataErrReader(strings.NewReader(test.in))} {
				got, err := readAll(newLineReader(r, 8))
				if err != io.EOF || !slices.Equal(got, test.want) {
					t.Errorf("got %v (%v), want %v", got, err, test.want)
				}
			}
		})
	}
}

func TestLinesReportWhyTheyEnd(t *testing.T) {
	broken := errors.New("broken")
	got, err := readAll(newLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 8))
	if err != broken || !slices.Equal(got, []string{`"a"`}) {
		t.Errorf("got %v, %v", got, err)
	}
}

// A line that is too long costs no memory but the buffers.
func TestLongLineIsNotKept(t *testing.T) {
	const size = 64 << 20
	l := newLineReader(io.MultiReader(io.LimitReader(xs{}, size), strings.NewReader("\nok\n")), 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := readAll(l)
	runtime.ReadMemStats(&after)
	if want := []string{fmt.Sprint(size + 1), `"ok"`}; err != io.EOF || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d bytes were allocated for a line that is skipped", grown)
	}
}

type xs struct{}

func (xs) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Whatever the text and however it comes in parts, the lines are those that
// splitting gives.
func TestLinesAreThoseOfTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		text := rapid.SliceOfN(rapid.SampledFrom([]byte("ab\r\n")), 0, 200).Draw(t, "text")
		var want []string
		parts := bytes.SplitAfter(text, []byte("\n"))
		for _, part := range parts {
			line := bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))
			switch {
			case len(part) == 0:
			case len(line) > limit:
				want = append(want, fmt.Sprint(len(part)))
			default:
				want = append(want, fmt.Sprintf("%q", line))
			}
		}
		got, err := readAll(newLineReader(iotest.HalfReader(bytes.NewReader(text)), limit))
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%q: got %v (%v), want %v", text, got, err, want)
		}
	})
}
