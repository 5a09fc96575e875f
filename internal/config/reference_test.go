package config_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/config"
)

const (
	docFile  = "../../docs/config.md"
	docBegin = "<!-- reference -->\n"
	docEnd   = "<!-- end of reference -->"
)

// The docs list exactly the keys that the loader knows. Run with -update to
// write them.
func TestReferenceIsInTheDocs(t *testing.T) {
	raw, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(raw), docBegin)
	block, tail, closed := strings.Cut(rest, docEnd)
	if !found || !closed {
		t.Fatalf("%s has no place for the reference", docFile)
	}
	want := "```\n" + config.Reference() + "```\n"
	if block == want {
		return
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(docFile, []byte(head+docBegin+want+docEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s does not list the keys that the loader knows; run this test with -update", docFile)
}
