package process

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// cleaned gives what passes when the input comes in pieces of the given size.
func cleaned(t interface{ Fatal(...any) }, in []byte, piece int) string {
	var out bytes.Buffer
	c := &cleaner{to: &out}
	for len(in) > 0 {
		n := min(piece, len(in))
		if _, err := c.Write(in[:n]); err != nil {
			t.Fatal(err)
		}
		in = in[n:]
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestClean(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/clean.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		for line := range strings.Lines(string(file.Data)) {
			in, want := caseOf(t, line)
			for _, piece := range []int{1, 2, 3, 1 << 20} {
				if got := cleaned(t, []byte(in), piece); got != want {
					t.Errorf("%s: %q in pieces of %d: got %q, want %q", file.Name, in, piece, got, want)
				}
			}
		}
	}
}

// TestCleanEndsEndlessStrings wants the text behind a control string that
// nobody ended.
func TestCleanEndsEndlessStrings(t *testing.T) {
	in := "\x1bP" + strings.Repeat("x", maxPayload) + "seen"
	if got := cleaned(t, []byte(in), 4096); !strings.HasSuffix(got, "een") || len(got) > 5 {
		t.Errorf("got %d bytes: %.40q", len(got), got)
	}
}

func TestCleanAnyPieces(t *testing.T) {
	alphabet := rapid.SampledFrom([]string{"\x1b", "[", "]", "P", "\\", "31;1m", "\a", "\n", "\r", "\b", "\x00", "\x18", "\x9b", "\u009b", "\u009c",
		"é", "\xe2", "\x82", "\xac", "\U0001F600", "\xf0\x9f", "text", "(", "B"})
	rapid.Check(t, func(t *rapid.T) {
		in := []byte(strings.Join(rapid.SliceOf(alphabet).Draw(t, "input"), ""))
		checkClean(t, in, rapid.IntRange(1, 7).Draw(t, "piece"))
	})
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("\x1b[31mred\x1b[0m"), 2)
	f.Add([]byte("\x1b]8;;http://x\x1b\\link\x1b]8;;\a\xff"), 1)
	f.Add([]byte("\x1bPq#0\n\x1b\\\u009b2J\xe2\x82"), 3)
	f.Fuzz(func(t *testing.T, in []byte, piece int) {
		checkClean(t, in, max(1, piece%64))
	})
}

func checkClean(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, in []byte, piece int) {
	whole := cleaned(t, in, len(in)+1)
	if !utf8.ValidString(whole) {
		t.Fatalf("%q gives invalid UTF-8 %q", in, whole)
	}
	for _, r := range whole {
		if r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0 {
			t.Fatalf("%q lets the control character %q through", in, r)
		}
	}
	if got := cleaned(t, in, piece); got != whole {
		t.Fatalf("%q in pieces of %d gives %q, whole %q", in, piece, got, whole)
	}
	if again := cleaned(t, []byte(whole), piece); again != whole {
		t.Fatalf("%q changes again, to %q", whole, again)
	}
}

func BenchmarkClean(b *testing.B) {
	line := []byte(strings.Repeat("plain text of a build, \x1b[1mbold\x1b[0m and ü\n", 1000))
	c := &cleaner{to: newExcerpt(200_000)}
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := c.Write(line); err != nil {
			b.Fatal(err)
		}
	}
}

// caseOf reads "input" => "output", both Go strings.
func caseOf(t *testing.T, line string) (in, out string) {
	t.Helper()
	left, right, ok := strings.Cut(strings.TrimSpace(line), " => ")
	in, err1 := strconv.Unquote(left)
	out, err2 := strconv.Unquote(right)
	if !ok || err1 != nil || err2 != nil {
		t.Fatalf("no case: %s", line)
	}
	return in, out
}
