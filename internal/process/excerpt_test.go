package process

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestExcerptKeepsBothEnds(t *testing.T) {
	e := newExcerpt(4000)
	for i := range 100_000 {
		fmt.Fprintf(e, "line %d\n", i)
	}
	got, missing := e.Text()
	if !strings.HasPrefix(got, "line 0\nline 1\n") || !strings.HasSuffix(got, "\nline 99999\n") {
		t.Errorf("not both ends: %.80q ... %q", got, got[len(got)-80:])
	}
	note := fmt.Sprintf("\n[... %d bytes of output left out here ...]\n", missing)
	head, tail, ok := strings.Cut(got, note)
	if !ok {
		t.Fatalf("no note %q", note)
	}
	if int64(len(head)+1+len(tail))+missing != e.total {
		t.Errorf("%d + 1 + %d kept and %d missing, of %d", len(head), len(tail), missing, e.total)
	}
	if last := head[strings.LastIndexByte(head, '\n')+1:]; !strings.HasPrefix(last, "line ") || !strings.HasPrefix(tail, "line ") {
		t.Errorf("cut inside of a line: %q, %.20q", last, tail)
	}
}

func TestExcerptIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(8, 300).Draw(t, "limit")
		e := newExcerpt(limit)
		var all strings.Builder
		for _, p := range rapid.SliceOf(rapid.StringOfN(rapid.SampledFrom([]rune("aé€🙂\n")), 0, 200, -1)).Draw(t, "writes") {
			all.WriteString(p)
			if n, err := e.Write([]byte(p)); n != len(p) || err != nil {
				t.Fatalf("write gives %d, %v", n, err)
			}
		}
		got, missing := e.Text()
		switch {
		case cap(e.head)+cap(e.tail) > 8*limit+64:
			t.Fatalf("holds %d bytes for a limit of %d", cap(e.head)+cap(e.tail), limit)
		case !utf8.ValidString(got):
			t.Fatalf("cut a character: %q", got)
		case all.Len() <= limit && got != all.String():
			t.Fatalf("got %q, want all of %q", got, all.String())
		case all.Len() > limit && (missing <= 0 || len(got) > limit+80):
			t.Fatalf("%d missing, %d bytes kept of %d, limit %d", missing, len(got), all.Len(), limit)
		}
	})
}
