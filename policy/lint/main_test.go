package lint_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws fewer configs than rapid would by itself: each is asked about
// some ten thousand times.
func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "rapid.checks" })
	if !chosen {
		if err := flag.Set("rapid.checks", "30"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
