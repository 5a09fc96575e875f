package json5_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/json5"
)

// TestEdits reads testdata/edits.txtar. A file is named by what is done to it
// and then looks like its successor: append adds 'new' to the list, remove-N
// removes its entry N, member adds a key, replace puts 'new' in its place. The
// list is the value of the key "list", or the whole.
func TestEdits(t *testing.T) {
	checkArchive(t, "testdata/edits.txtar", func(t *testing.T, name, src string) string {
		n := mustParse(t, src)
		if list := n.Get("list"); list != nil {
			n = list
		}
		return string(apply(t, src, editNamed(name, n)))
	})
}

func editNamed(name string, n *json5.Node) []json5.TextEdit {
	action, _, _ := strings.Cut(name, "/")
	action, index, _ := strings.Cut(action, "-")
	switch action {
	case "append":
		return n.AppendItem("'new'")
	case "member":
		return n.AppendMember("new", "[1]")
	case "remove":
		i, _ := strconv.Atoi(index)
		return n.RemoveItem(i)
	}
	return n.Replace("'new'")
}

func apply(t interface{ Fatalf(string, ...any) }, src string, edits []json5.TextEdit) []byte {
	out, err := json5.Apply([]byte(src), edits)
	if err != nil {
		t.Fatalf("apply %+v to %q: %v", edits, src, err)
	}
	return out
}

func TestEditsKeepLineBreaks(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		src := strings.ReplaceAll("[\n  'a', // one\n  'b'\n]\n", "\n", eol)
		n := mustParse(t, src)
		want := strings.ReplaceAll("[\n  'a', // one\n  'b',\n  'new'\n]\n", "\n", eol)
		if got := string(apply(t, src, n.AppendItem("'new'"))); got != want {
			t.Errorf("append: got %q, want %q", got, want)
		}
		want = strings.ReplaceAll("[\n  'b'\n]\n", "\n", eol)
		src = strings.ReplaceAll("[\n  'a',\n  'b'\n]\n", "\n", eol)
		if got := string(apply(t, src, mustParse(t, src).RemoveItem(0))); got != want {
			t.Errorf("remove: got %q, want %q", got, want)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, edits := range [][]json5.TextEdit{
		{{Start: 0, End: 3}, {Start: 2, End: 4}},
		{{Start: 2, End: 7}},
		{{Start: 3, End: 2}},
		{{Start: -1, End: 2}},
	} {
		if out, err := json5.Apply([]byte("123456"), edits); err == nil {
			t.Errorf("%+v gives %q", edits, out)
		}
	}
}

func TestApplyKeepsTheSource(t *testing.T) {
	src := []byte("[1]")
	out := apply(t, string(src), []json5.TextEdit{{Start: 2, End: 2, Text: ", 3"}, {Start: 2, End: 2, Text: ", 4"}, {Start: 1, End: 2, Text: "0"}})
	if string(src) != "[1]" || string(out) != "[0, 3, 4]" {
		t.Errorf("source %q, result %q", src, out)
	}
}

func TestEditOfAnotherKindPanics(t *testing.T) {
	n := mustParse(t, "'x'")
	for name, edit := range map[string]func(){
		"AppendItem":   func() { n.AppendItem("1") },
		"AppendMember": func() { n.AppendMember("k", "1") },
		"RemoveItem":   func() { n.RemoveItem(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a string does not panic", name)
				}
			}()
			edit()
		}()
	}
}

// source draws an array or object whose gaps hold any white space and comment,
// so that an edit meets every place where one can stand.
func source(t *rapid.T, open, closing string, item func(int) string) string {
	gap := rapid.SampledFrom([]string{"", " ", "\t", "\n", "\r\n  ", "// c, ]}\n", "/* c, */", "/* two\nlines */ ", " // d\r", "//e\u2028", "\u2028"})
	count := rapid.IntRange(0, 4).Draw(t, "count")
	var b strings.Builder
	b.WriteString(gap.Draw(t, "gap") + open + gap.Draw(t, "gap"))
	for i := range count {
		b.WriteString(gap.Draw(t, "gap") + item(i) + gap.Draw(t, "gap"))
		if i < count-1 || rapid.Bool().Draw(t, "trailing") {
			b.WriteString("," + gap.Draw(t, "gap"))
		}
	}
	return b.String() + closing + gap.Draw(t, "gap")
}

func commentTexts(n *json5.Node) (texts []string) {
	for _, c := range n.Comments() {
		texts = append(texts, c.Text)
	}
	return texts
}

// checkEdit holds an edit to its promise: the text still parses, the value is
// the wanted one, and every comment is there.
func checkEdit(t *rapid.T, src string, before *json5.Node, edits []json5.TextEdit, want any) {
	out := apply(t, src, edits)
	after, err := json5.Parse("f", out)
	if err != nil {
		t.Fatalf("%q became %q: %v", src, out, err)
	}
	if diff := cmp.Diff(want, after.Plain()); diff != "" {
		t.Fatalf("%q became %q (-want +got):\n%s", src, out, diff)
	}
	if diff := cmp.Diff(commentTexts(before), commentTexts(after)); diff != "" {
		t.Fatalf("%q became %q, comments (-before +after):\n%s", src, out, diff)
	}
}

func TestEditsOfAnyArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := source(t, "[", "]", func(i int) string { return []string{"'a,'", "[1]", "{b: 1}", "4."}[i] })
		n := mustParseRapid(t, src)
		items := n.Plain().([]any)
		checkEdit(t, src, n, n.AppendItem("'new'"), append(slices.Clone(items), "new"))
		for i := range items {
			checkEdit(t, src, n, n.RemoveItem(i), slices.Delete(slices.Clone(items), i, i+1))
		}
	})
}

func TestEditsOfAnyObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := source(t, "{", "}", func(i int) string { return "k" + strconv.Itoa(i) + ": 1" })
		n := mustParseRapid(t, src)
		want := n.Plain().(map[string]any)
		want["new key"] = true
		checkEdit(t, src, n, n.AppendMember("new key", "true"), want)
	})
}

func mustParseRapid(t *rapid.T, src string) *json5.Node {
	n, err := json5.Parse("f", []byte(src))
	if err != nil {
		t.Fatalf("parse %q: %v", src, err)
	}
	return n
}

func TestQuotesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, value := rapid.String().Draw(t, "key"), rapid.String().Draw(t, "value")
		src := "{" + json5.QuoteKey(key) + ": " + json5.Quote(value) + "}"
		if got := mustParseRapid(t, src).Get(key); got == nil || got.Text != value {
			t.Fatalf("%q does not hold %q under %q", src, value, key)
		}
	})
}

func TestQuote(t *testing.T) {
	tests := []struct{ in, want string }{
		{"exec", "'exec'"},
		{`it's "a" \`, `'it\'s "a" \\'`},
		{"a\nb\tc\x00\x1b", `'a\nb\tc\x00\x1b'`},
		{"\u2028é\U000e0001", `'\u2028é\udb40\udc01'`},
		{"\xff", "'\ufffd'"},
	}
	for _, tt := range tests {
		if got := json5.Quote(tt.in); got != tt.want {
			t.Errorf("Quote(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
	if got := json5.QuoteKey("alsoAllow") + json5.QuoteKey("a-b") + json5.QuoteKey("1") + json5.QuoteKey(""); got != "alsoAllow'a-b''1'''" {
		t.Errorf("keys %s", got)
	}
}
