package json5_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolrest/toolrest/internal/json5"
)

func mustParse(t testing.TB, src string) *json5.Node {
	t.Helper()
	n, err := json5.Parse("f", []byte(src))
	if err != nil {
		t.Fatalf("parse %q: %v", src, err)
	}
	return n
}

func TestParseValues(t *testing.T) {
	type object = map[string]any
	type array = []any
	tests := []struct {
		src  string
		want any
	}{
		{`null`, nil},
		{`true`, true},
		{` false `, false},
		{"\ufeff1", 1.0},
		{"\v\f\u00a0\u2003\ufeff1\u2028", 1.0},

		{`0`, 0.0},
		{`-0.5`, -0.5},
		{`+.5`, 0.5},
		{`5.`, 5.0},
		{`0.`, 0.0},
		{`0e9`, 0.0},
		{`5.e1`, 50.0},
		{`1E+2`, 100.0},
		{`12e-1`, 1.2},
		{`0xdeadBEEF`, 3735928559.0},
		{`-0X10`, -16.0},
		{`0x20000000000001`, 9007199254740992.0},
		{`1e-400`, 0.0},
		{`Infinity`, math.Inf(1)},
		{`+Infinity`, math.Inf(1)},
		{`-Infinity`, math.Inf(-1)},
		{`NaN`, math.NaN()},
		{`-NaN`, math.NaN()},

		{`''`, ""},
		{`"it's"`, "it's"},
		{`'say "hi"'`, `say "hi"`},
		{`'\b\f\n\r\t\v\0\x41\u00e9'`, "\b\f\n\r\t\v\x00A\u00e9"},
		{`'\'\"\\\/\a\q'`, `'"\/aq`},
		{"'one \\\ntwo \\\r\nthree \\\rfour \\\u2028five \\\u2029six'", "one two three four five six"},
		{"'a\u2028b\u2029c'", "a\u2028b\u2029c"},
		{"'tab\there'", "tab\there"},
		{`'\ud83d\ude00 \uD83D'`, "\U0001f600 \ufffd"},
		{`'\ud83d\ud83d\ude00'`, "\ufffd\U0001f600"},
		{`'\ud83dx'`, "\ufffdx"},

		{`[]`, array{}},
		{`[1,]`, array{1.0}},
		{`[[], {}, 'x', ]`, array{array{}, object{}, "x"}},
		{`{}`, object{}},
		{`{a: 1, 'b c': 2, "d": 3,}`, object{"a": 1.0, "b c": 2.0, "d": 3.0}},
		{`{$_a1: 1, ünï: 2, ℵ: 3, \u0061b: 4, x\u200c: 5, 𝐀: 6, null: 7, true: 8}`,
			object{"$_a1": 1.0, "ünï": 2.0, "ℵ": 3.0, "ab": 4.0, "x\u200c": 5.0, "𝐀": 6.0, "null": 7.0, "true": 8.0}},
		{`{'': 1, __proto__: 2}`, object{"": 1.0, "__proto__": 2.0}},
		{"// one\n/* two\n * */ {/**/a/**/:/**/1/**/,/**/} // end", object{"a": 1.0}},
		{"//x\u20281", 1.0},
		{"//x\r1", 1.0},
		{`['// no comment', '/* nor here */']`, array{"// no comment", "/* nor here */"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, mustParse(t, tt.src).Plain(), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("parse %q (-want +got):\n%s", tt.src, diff)
		}
	}
}

func TestParseKeepsTheSignOfZero(t *testing.T) {
	if !math.Signbit(mustParse(t, "-0").Number) || math.Signbit(mustParse(t, "+0").Number) {
		t.Error("the sign of a zero is lost")
	}
}

func TestPositions(t *testing.T) {
	src := "\ufeff// head\r\n{ü: 'é',\r  b: [1,\n\t'x'], /* a\nb */ c: {}}"
	n := mustParse(t, src)
	type at struct {
		What      string
		Line, Col int
		Source    string
	}
	var got []at
	for _, m := range n.Members {
		got = append(got, at{"key", m.Line, m.Col, src[m.Offset:m.End]},
			at{"value", m.Value.Line, m.Value.Col, m.Value.Source()})
	}
	for _, item := range n.Get("b").Items {
		got = append(got, at{"item", item.Line, item.Col, item.Source()})
	}
	for _, c := range n.Comments() {
		got = append(got, at{"comment", c.Line, c.Col, src[c.Offset:c.End]})
	}
	want := []at{
		{"key", 2, 2, "ü"}, {"value", 2, 5, "'é'"},
		{"key", 3, 3, "b"}, {"value", 3, 6, "[1,\n\t'x']"},
		{"key", 5, 6, "c"}, {"value", 5, 9, "{}"},
		{"item", 3, 7, "1"}, {"item", 4, 2, "'x'"},
		{"comment", 1, 1, "// head"}, {"comment", 4, 8, "/* a\nb */"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestCommentsKeepTheirText(t *testing.T) {
	n := mustParse(t, "[ // one\n /* two */ 1]")
	comments := n.Items[0].Comments()
	if len(comments) != 2 || comments[0].Text != "// one" || comments[1].Text != "/* two */" {
		t.Fatalf("comments %+v", comments)
	}
	if !comments[0].IsLine() || comments[1].IsLine() {
		t.Error("a kind of comment is taken for the other")
	}
}

func TestMemberOrder(t *testing.T) {
	var keys []string
	for _, m := range mustParse(t, `{z: 1, a: 2, '10': 3, '9': 4}`).Members {
		keys = append(keys, m.Key)
	}
	if got := strings.Join(keys, " "); got != "z a 10 9" {
		t.Errorf("order %q", got)
	}
}

func TestGet(t *testing.T) {
	n := mustParse(t, `{a: 1}`)
	if n.Get("a") == nil || n.Get("b") != nil || n.Get("a").Get("x") != nil || n.Get("b").Get("x") != nil {
		t.Error("Get finds what is not there, or misses what is")
	}
}

// Duplicates do not stop the parser: the tree comes beside all of them.
func TestDuplicateKeys(t *testing.T) {
	n, err := json5.Parse("f", []byte("{a: 1,\n 'a': {b: 1, \\u0062: 2},\n a: 3}"))
	if n == nil {
		t.Fatal("no tree beside duplicate keys")
	}
	if n.Get("a").Number != 1 {
		t.Error("Get does not give the first of the duplicates")
	}
	want := `f:2:2: duplicate key "a", first written at f:1:2
f:2:14: duplicate key "b", first written at f:2:8
f:3:2: duplicate key "a", first written at f:1:2`
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var first *json5.Error
	if !errors.As(err, &first) || first.Line != 2 || first.Path != "a" {
		t.Errorf("first error %+v", first)
	}
}

func TestDuplicatesAreBounded(t *testing.T) {
	_, err := json5.Parse("f", []byte("{"+strings.Repeat("a:1,", 5000)+"}"))
	var all json5.Errors
	if !errors.As(err, &all) || len(all) < 10 || len(all) > 100 {
		t.Errorf("%d errors", len(all))
	}
}

func TestDepth(t *testing.T) {
	nest := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := json5.Parse("f", nest(json5.MaxDepth)); err != nil {
		t.Errorf("depth %d: %v", json5.MaxDepth, err)
	}
	_, err := json5.Parse("f", nest(json5.MaxDepth+1))
	if err == nil || err.Error() != "f:1:201: values are nested deeper than 200" {
		t.Errorf("depth %d: %v", json5.MaxDepth+1, err)
	}
	if _, err := json5.Parse("f", []byte("["+strings.Repeat("[],", 1000)+"]")); err != nil {
		t.Errorf("many arrays beside each other: %v", err)
	}
}

func TestSize(t *testing.T) {
	fits := []byte(strings.Repeat(" ", json5.MaxSize-1) + "1")
	if _, err := json5.Parse("f", fits); err != nil {
		t.Errorf("%d bytes: %v", len(fits), err)
	}
	_, err := json5.Parse("f", append(fits, ' '))
	if err == nil || err.Error() != "f:1:1: the file is larger than 16 MiB" {
		t.Errorf("one byte more: %v", err)
	}
}

// FuzzParse holds the parser to encoding/json where both read a text, and to
// places inside the file where it refuses one.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[1, 2.5e3, -0, "x\u0041"]`, `{"a": {"b": [null, true]}}`, `{a: 'b', /* c */ d: +.5,} // e`,
		`{"a":1,"\u0061":2}`, `{"\ud800":1,"\udc00":2}`, "'\\\r\n'", "\ufeff{}", `0x1F`, `-Infinity`, "[1,\u20282]",
		`"unclosed`, `/* unclosed`, `{a:}`, `01`, "\xff", `1e999`, strings.Repeat("[", 300), `'\u12'`, `{\u0031: 1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := json5.Parse("f", src)
		var all json5.Errors
		if errors.As(err, &all) {
			for _, e := range all {
				checkPlace(t, src, e)
			}
		} else if err != nil {
			t.Fatalf("error of type %T", err)
		}
		compareWithJSON(t, src, n, err)
	})
}

func checkPlace(t *testing.T, src []byte, e *json5.Error) {
	t.Helper()
	if e.Offset < 0 || e.Offset > len(src) {
		t.Fatalf("offset %d of %d: %v", e.Offset, len(src), e)
	}
	before := strings.TrimPrefix(string(src[:e.Offset]), "\ufeff")
	before = strings.ReplaceAll(before, "\r\n", "\n")
	before = strings.ReplaceAll(before, "\r", "\n")
	line := strings.Count(before, "\n") + 1
	col := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
	if e.Line != line || e.Col != col {
		t.Fatalf("offset %d is %d:%d: %v", e.Offset, line, col, e)
	}
}

func compareWithJSON(t *testing.T, src []byte, n *json5.Node, err error) {
	t.Helper()
	var want any
	if json.Unmarshal(src, &want) != nil {
		return
	}
	if err != nil {
		for _, allowed := range []string{"duplicate key", "deeper than", "not UTF-8"} {
			if strings.Contains(err.Error(), allowed) && (allowed != "duplicate key" || repeatsKey(src)) {
				return
			}
		}
		t.Fatalf("%q is JSON, but: %v", src, err)
	}
	if diff := cmp.Diff(want, n.Plain()); diff != "" {
		t.Fatalf("%q (-encoding/json +json5):\n%s", src, diff)
	}
}

// repeatsKey reports whether an object of valid JSON text has a key twice.
func repeatsKey(src []byte) bool {
	dec := json.NewDecoder(strings.NewReader(string(src)))
	return repeatsKeyIn(dec)
}

func repeatsKeyIn(dec *json.Decoder) (twice bool) {
	tok, err := dec.Token()
	if delim, ok := tok.(json.Delim); err != nil || !ok || delim == ']' || delim == '}' {
		return false
	} else if seen := map[any]bool{}; delim == '{' {
		for dec.More() {
			key, _ := dec.Token()
			twice = twice || seen[key]
			seen[key] = true
			twice = repeatsKeyIn(dec) || twice
		}
	} else {
		for dec.More() {
			twice = repeatsKeyIn(dec) || twice
		}
	}
	_, _ = dec.Token()
	return twice
}
