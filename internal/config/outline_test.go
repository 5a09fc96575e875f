package config

import (
	"slices"
	"testing"
)

// Every key of the table is OpenClaw's, too, but for ours: a misspelt one in
// the table would refuse what OpenClaw takes.
func TestTheTableIsInTheOutline(t *testing.T) {
	ours := []string{"workspace", "tools.dialect"}
	seen := 0
	var visit func(k *key, o *outline, path string)
	visit = func(k *key, o *outline, path string) {
		for i := range k.keys {
			child := &k.keys[i]
			at, known := path+child.name, o.key(child.name)
			if slices.Contains(ours, at) {
				continue
			}
			if seen++; known == nil {
				t.Errorf("%s is not in the outline", at)
				continue
			}
			switch child.form {
			case formList:
				known = known.item()
			case formMap:
				known = known.key("x")
			}
			visit(child, known, at+".")
		}
	}
	visit(&root, openclaw(), "")
	if seen < 100 {
		t.Errorf("only %d keys were compared", seen)
	}
}

func TestOutline(t *testing.T) {
	o := parseOutline("a\n b\n  *\n   c\nd **\ne\n []\n  f\ng\n")
	tests := []struct {
		path  []string
		known bool
	}{
		{[]string{"a"}, true}, {[]string{"a", "b"}, true}, {[]string{"a", "c"}, false}, {[]string{"a", "b", "any", "c"}, true},
		{[]string{"a", "b", "any", "d"}, false}, {[]string{"d", "x", "y", "[]", "z"}, true}, {[]string{"e", "[]", "f"}, true},
		{[]string{"e", "f"}, false}, {[]string{"g", "[]"}, false}, {[]string{"h"}, false}, {[]string{"h", "h"}, false},
	}
	for _, tt := range tests {
		at := o
		for _, name := range tt.path {
			if name == "[]" {
				at = at.item()
			} else {
				at = at.key(name)
			}
		}
		if (at != nil) != tt.known {
			t.Errorf("%v known: %v", tt.path, at != nil)
		}
	}
}
