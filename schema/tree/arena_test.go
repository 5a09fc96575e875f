package tree

import (
	"strings"
	"testing"
)

// An arena reads what Parse reads, also after large texts and errors, and
// what was written from it stays.
func TestArena(t *testing.T) {
	texts := []string{
		`{"a":[1,{"b":"c"}],"d":{}}`, `{"broken":[1,`, `[` + strings.Repeat(`{"k":[1,2,3]},`, 3000) + `0]`, `7`, `{"a":1,"a":2}`,
		`[` + strings.Repeat("0,", 2000) + `1]`, `"x"`,
	}
	var a Arena
	for range 3 {
		for _, text := range texts {
			want, wantErr := Parse([]byte(text), nil)
			got, err := a.Parse([]byte(text), nil)
			if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				t.Fatalf("%.40s: %v, want %v", text, err, wantErr)
			}
			if err != nil {
				a.Reset()
				continue
			}
			kept := got.String()
			if !Equal(got, want) {
				t.Fatalf("%.40s became %.40s", text, got)
			}
			a.Reset()
			if kept != text {
				t.Fatalf("%.40s did not stay", text)
			}
		}
	}
	if len(a.blocks.nodeBlocks) > maxBlocks || len(a.blocks.slotBlocks) > maxBlocks {
		t.Errorf("%d and %d blocks are kept", len(a.blocks.nodeBlocks), len(a.blocks.slotBlocks))
	}
}

// Two texts may be read before a reset.
func TestArenaHoldsSeveral(t *testing.T) {
	var a Arena
	var all []*Node
	for range 500 {
		n, err := a.Parse([]byte(`{"a":[1,2,{"b":3}]}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	for _, n := range all {
		if got := n.String(); got != `{"a":[1,2,{"b":3}]}` || n.Get("a").Len() != 3 {
			t.Fatal(got)
		}
	}
}
