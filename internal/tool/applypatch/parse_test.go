package applypatch

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, input string
		want        []Op
	}{
		{"nothing", "*** Begin Patch\n*** End Patch", nil},
		{"add", "*** Begin Patch\n*** Add File: a b.txt \n+x\n++y\n*** End Patch", []Op{{Kind: Add, Path: "a b.txt", Line: 2, Content: "x\n+y\n"}}},
		{"empty file", "*** Begin Patch\n*** Add File: a\n*** End Patch", []Op{{Kind: Add, Path: "a", Line: 2}}},
		{"delete", "*** Begin Patch\n  *** Delete File:a\n*** End Patch", []Op{{Kind: Delete, Path: "a", Line: 2}}},
		{"hunks", "*** Begin Patch\n*** Update File: a\n-x\n+y\n-z\n+w\n@@ ctx\n+t\n*** End of File\n*** End Patch", []Op{{Kind: Update, Path: "a", Line: 2, Hunks: []Hunk{
			{Line: 3, Lines: []Line{{'-', "x"}, {'+', "y"}, {'-', "z"}, {'+', "w"}}},
			{Line: 7, Anchors: []string{"ctx"}, Lines: []Line{{'+', "t"}}, AtEnd: true},
		}}}},
		{"empty lines are context", "*** Begin Patch\n*** Update File: a\n@@\n x\n\n-y\n*** End Patch", []Op{{Kind: Update, Path: "a", Line: 2, Hunks: []Hunk{
			{Line: 3, Lines: []Line{{' ', "x"}, {' ', ""}, {'-', "y"}}},
		}}}},
		{"move, stacked anchors", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ one\n@@   two\n x\n*** End Patch", []Op{{Kind: Update, Path: "a", Line: 2, MoveTo: "b", Hunks: []Hunk{
			{Line: 4, Anchors: []string{"one", "  two"}, Lines: []Line{{' ', "x"}}},
		}}}},
		{"here-document", "\n<<\"EOF\"\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF\n", []Op{{Kind: Add, Path: "a", Line: 4, Content: "x\n"}}},
		{"Windows", "\r\n*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\n", []Op{{Kind: Add, Path: "a", Line: 3, Content: "x\n"}}},
		{"mark as context", "*** Begin Patch\n*** Update File: a\n@@\n *** Add File: no\n-x\n*** Add File: b\n*** End Patch", []Op{
			{Kind: Update, Path: "a", Line: 2, Hunks: []Hunk{{Line: 3, Lines: []Line{{' ', "*** Add File: no"}, {'-', "x"}}}}},
			{Kind: Add, Path: "b", Line: 6},
		}},
	}
	for _, c := range tests {
		got, err := Parse(c.input)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const start = "the patch cannot be read, line "
	tests := []struct{ input, want string }{
		{" \n", "the patch cannot be read: it is empty; send the whole patch, from *** Begin Patch to *** End Patch"},
		{"nope", start + "1: it does not begin with *** Begin Patch; make that the first line"},
		{"\n\n*** Add File: a\n+x\n*** End Patch", start + "3: it does not begin with *** Begin Patch; make that the first line"},
		{"*** Begin Patch", start + "1: it does not end with *** End Patch; make that the last line, and see that the patch is not cut off"},
		{"*** Begin Patch\n*** Add File: a\n+x", start + "3: it does not end with *** End Patch; make that the last line, and see that the patch is not cut off"},
		{"<<EOF\n*** Begin Patch\n*** Bogus: a\n*** End Patch\nEOF", start + "3: this is no file operation; a section begins with *** Add File:, *** Update File: or *** Delete File:, and each line of an added file with +"},
		{"<<EOS\n*** Begin Patch\n*** End Patch\nEOS", start + "1: it does not begin with *** Begin Patch; make that the first line"},
		{"*** Begin Patch\n*** Add File: a\n+x\n\n*** Delete File: b\n*** End Patch", start + "4: an empty line stands where a file operation should; leave out empty lines between the files"},
		{"*** Begin Patch\n*** Add File: a\n+x\nforgotten\n*** End Patch", start + "4: this is no file operation; a section begins with *** Add File:, *** Update File: or *** Delete File:, and each line of an added file with +"},
		{"*** Begin Patch\n*** Update File: a\n*** End Patch", start + "3: the update has no hunk; write @@ and the lines to change; to move a file as it is, use exec: mv"},
		{"*** Begin Patch\n*** Update File: a\n@@\n*** End Patch", start + "4: the hunk has no lines; below @@, write context lines with a space, and lines with - or +"},
		{"*** Begin Patch\n*** Update File: a\n@@\n*** End of File\n*** End Patch", start + "4: the hunk has no lines; write the lines to change above *** End of File"},
		{"*** Begin Patch\n*** Update File: a\n@@\n-x\nbad\n*** End Patch", start + "5: this line of a hunk begins with none of space, - and +; begin each line of a hunk with one of them, and each further hunk with @@"},
		{"*** Begin Patch\n*** Update File: a\n@@\n-x\n*** End of File\n+y\n*** End Patch", start + "6: a further hunk does not begin with @@; write @@ above it"},
		{"*** Begin Patch\n*** Update File:\n@@\n-x\n*** End Patch", start + "2: the name of the file is missing; write it after *** Update File:"},
		{"*** Begin Patch\n*** Update File: a\n*** Move to: \n@@\n-x\n*** End Patch", start + "3: the new name of the file is missing; write it after *** Move to:"},
		{"*** Begin Patch\n*** Move to: b\n*** End Patch", start + "2: a move stands alone; write it right below an *** Update File: line, with at least one hunk"},
		{"*** Begin Patch\n*** Add File: a\n*** End Patch\n*** Begin Patch\n*** End Patch", start + "3: the patch begins or ends a second time; put all files into one patch"},
	}
	for _, c := range tests {
		_, err := Parse(c.input)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.input, err, c.want)
		}
	}
}

// FuzzParse reads arbitrary text: an error has a place inside the text, and
// what is read names files and has hunks.
func FuzzParse(f *testing.F) {
	f.Add("*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@ d\n@@ e\n x\n\n-y\n+z\n*** End of File\n*** Delete File: f\n*** End Patch")
	f.Add("<<'EOF'\r\n*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\r\n*** End Patch\r\nEOF")
	f.Add("*** Begin Patch`n*** End Patch")
	f.Fuzz(func(t *testing.T, input string) {
		ops, err := Parse(input)
		if err != nil {
			e, ok := errors.AsType[*ParseError](err)
			if !ok || e.Line < 0 || e.Line > strings.Count(input, "\n")+1 || e.Text == "" {
				t.Fatalf("%q: %v", input, err)
			}
			return
		}
		for _, op := range ops {
			if op.Path == "" || (op.Kind == Update) != (len(op.Hunks) > 0) {
				t.Fatalf("%+v", op)
			}
			for _, h := range op.Hunks {
				if len(h.Lines) == 0 {
					t.Fatalf("%+v", op)
				}
			}
		}
	})
}
