package json5_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/internal/json5"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestErrors reads testdata/errors.txtar: each file that ends in .json5 is
// followed by what Parse says to it, one error a line with its path and hint.
func TestErrors(t *testing.T) {
	checkArchive(t, "testdata/errors.txtar", func(t *testing.T, name, src string) string {
		_, err := json5.Parse(name, []byte(strings.TrimSuffix(src, "\n")))
		if err == nil {
			t.Fatalf("%s is accepted", name)
		}
		var all json5.Errors
		errors.As(err, &all)
		var b strings.Builder
		for _, e := range all {
			b.WriteString(e.Error() + "\n")
			if e.Path != "" {
				b.WriteString("  path: " + e.Path + "\n")
			}
			if e.Hint != "" {
				b.WriteString("  hint: " + e.Hint + "\n")
			}
		}
		return b.String()
	})
}

// checkArchive runs each pair of an archive: a file, and what run must give
// for it.
func checkArchive(t *testing.T, path string, run func(t *testing.T, name, src string) string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := archive.Files
	for i := 0; i+1 < len(files); i += 2 {
		t.Run(files[i].Name, func(t *testing.T) {
			got := run(t, files[i].Name, string(files[i].Data))
			if *update {
				files[i+1].Data = []byte(got)
			} else if want := string(files[i+1].Data); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestErrorsWithOddBytes(t *testing.T) {
	tests := []struct{ src, want string }{
		{"", "f:1:1: expected a value, found the end of the file"},
		{"{a: '\xff'}", "f:1:6: this is not UTF-8"},
		{"\ufeff\xff", "f:1:1: this is not UTF-8"},
		{"[1,\r\n2,\r3 4]", "f:3:3: expected ',' or ']', found '4'"},
		{"[\u0000]", "f:1:2: expected a value, found the character U+0000"},
		{"'a\rb'", "f:1:1: this string is not closed"},
		{"\ufeff}", "f:1:1: expected a value, found '}'"},
		{"\u2028}", "f:1:2: expected a value, found '}'"},
		{"'abc\\", "f:1:5: the file ends inside a string"},
		{"[\x1b", "f:1:2: expected a value, found the character U+001B"},
		{"{'\x1b[31m': 1, '\x1b[31m': 2}", `f:1:14: duplicate key "\x1b[31m", first written at f:1:2`},
	}
	for _, tt := range tests {
		_, err := json5.Parse("f", []byte(tt.src))
		if err == nil || err.Error() != tt.want {
			t.Errorf("parse %q: got %v, want %s", tt.src, err, tt.want)
		}
	}
}

// An error must not carry a secret that lost its quotes.
func TestErrorsQuoteNoValues(t *testing.T) {
	for _, src := range []string{`{k: hunter2}`, `{k: 'hunter2`, `{k: 'x' hunter2}`, `{k: 1hunter2}`, `{k: "hunter2\u"}`, `{k: ['a' 'hunter2']}`} {
		_, err := json5.Parse("f", []byte(src))
		var e *json5.Error
		if !errors.As(err, &e) {
			t.Fatalf("%q is accepted", src)
		}
		if text := e.Error() + e.Path + e.Hint; strings.Contains(text, "hunter2") || strings.Contains(text, "unter") {
			t.Errorf("%q: the error quotes the value: %s", src, text)
		}
	}
}
