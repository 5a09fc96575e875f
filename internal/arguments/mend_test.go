package arguments

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/schema"
)

func compile(t testing.TB, raw string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const fileSchema = `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"},"edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}}}}},"required":["path"]}`

// TestMend shows what is certain to us, and to OpenClaw; conformance has more
// of the latter. A dash is what nobody may guess.
func TestMend(t *testing.T) {
	s := compile(t, fileSchema)
	const none = "-"
	for _, c := range []struct{ name, text, want, openClaw string }{
		{"as it is", `{"path":"a"}`, `{"path":"a"}`, `{"path":"a"}`},
		{"a name in front", `functions.read:0 {"path":"a"}`, `{"path":"a"}`, `{"path":"a"}`},
		{"words in front", `Here: {"path":"a"}`, none, none},
		{"characters behind", `{"path":"a"}xyz`, `{"path":"a"}`, `{"path":"a"}`},
		{"a fence", "```json\n{\"path\":\"a\"}\n```", `{"path":"a"}`, `{"path":"a"}`},
		{"a sentence behind", `{"path":"a"} I will read it now`, `{"path":"a"}`, none},
		{"a sentence with quotes", `{"path":"a"} or rather "b"`, none, none},
		{"a word that is not apart", `{"path":"a"}again`, none, none},
		{"a long story behind", `{"path":"a"} ` + strings.Repeat("and then ", 30), none, none},
		{"twice", `{"path":"a"}{"path":"a"}`, `{"path":"a"}`, none},
		{"begun again", `{"path":"a","limit":1}{"path":`, `{"path":"a","limit":1}`, none},
		{"another one begun", `{"path":"a"}{"path":"b`, none, none},
		{"behind an empty one", `{}{"path":"a"}`, `{"path":"a"}`, none},
		{"two meanings", `{"path":"a"}{"path":"b"}`, none, none},
		{"cut off", `{"path":"a"`, none, none},
		{"cut off in a text", `{"path":"a`, none, none},
		{"cut off behind a name", `functions.read {"path":`, none, none},
		{"a list", `[{"path":"a"}]`, none, none},
		{"a bracket too many", `{"path":"a"}}`, none, none},
		{"a comma too many", `{"path":"a",}`, none, none},
		{"no quotes", `{path:"a"}`, none, none},
		{"single quotes", `{'path':'a'}`, none, none},
		{"nothing", ``, none, none},
		{"backslashes", `{"path":"C:\projects\data"}`, `{"path":"C:\\projects\\data"}`, none},
		{"print", `{“path”: “a”}`, `{"path":"a"}`, `{"path":"a"}`},
		{"print, two members", `{“path”: “a”, “limit”: 3}`, `{"path":"a","limit":3}`, none},
		{"print inside print", `{“path”: “say “hi””}`, `{"path":"say “hi”"}`, `{"path":"say “hi”"}`},
		{"print and a member that is not known", `{“path”: “a”, “zz”: “b”}`, none, `{"path":"a”, “zz”: “b"}`},
		{"print, one member twice", `{“path”: “a”, “path”: “b”}`, none, none},
		{"print in a list", `{“edits”: [{“oldText”: “a”, “newText”: “b”}, {“oldText”: “c”}], “path”: “p”}`,
			`{"edits":[{"oldText":"a","newText":"b"},{"oldText":"c"}],"path":"p"}`, `{"edits":[{"oldText":"a","newText":"b"},{"oldText":"c"}],"path":"p"}`},
		{"print with escapes", "{“path”: “a\\nb\\d “\t””}", `{"path":"a\nb\\d “\t”"}`, `{"path":"a\nb\\d “\t”"}`},
		{"print, cut off", `{“path”: “a`, none, none},
	} {
		for dialect, want := range map[policy.Dialect]string{policy.Default: c.want, policy.OpenClaw: c.openClaw} {
			m, ok := Mend([]byte(c.text), "", s, dialect)
			got := string(m.Args)
			if !ok {
				got = none
			}
			if got != want {
				t.Errorf("%s, dialect %v: %s\nwant %s", c.name, dialect, got, want)
			}
		}
	}
}

func TestMendTellsWhatItCutOff(t *testing.T) {
	m, ok := Mend([]byte(" .functions.read:0 {\"path\":\"a\"} xx\n"), "read", nil, policy.Default)
	if !ok || m.Before != ".functions.read:0" || m.After != "xx" || m.Whole {
		t.Errorf("%+v %v", m, ok)
	}
	if m, _ := Mend([]byte(" {} "), "read", nil, policy.Default); !m.Whole || string(m.Args) != "{}" {
		t.Errorf("%+v", m)
	}
}

// bones is a text without what a repair may add or take away: quotation marks,
// backslashes and white space.
func bones(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\"\\"+marks, r) || r <= ' ' || r == '\u00a0' {
			return -1
		}
		return r
	}, s)
}

// checkMended: what comes out is one JSON object, and its text was in the
// input.
func checkMended(t interface{ Fatalf(string, ...any) }, text, mended string) {
	var object map[string]any
	if err := json.Unmarshal([]byte(mended), &object); err != nil || object == nil {
		t.Fatalf("%q became %q: %v", text, mended, err)
	}
	if utf8.ValidString(text) && !strings.Contains(unescaped(text), unescaped(mended)) {
		t.Fatalf("%q became %q, which was not in it", text, mended)
	}
}

// unescaped takes the escapes of control characters out, too: a text between
// marks of print may hold the characters themselves.
func unescaped(s string) string { return bones(controls.ReplaceAllString(s, "")) }

var controls = regexp.MustCompile(`\\(u00[01][0-9a-f]|[tnrbf])`)

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		`{"path":"a"}`, `functions.read:0 {"path":"a"}xx`, "```json\n{\"path\":\"a\"}\n```", `{“path”: “a”, “limit”: 3}`, `{"path":"a"} and so on`,
		`{"path":"a"}{"path":`, `{}{"path":"\d"}`, `{“edits”: [{“oldText”: “a”}]}`, `{“path”: “a\”}`, `{"path":"\ud800"}`, `{“`, "{}\v",
	} {
		f.Add(seed)
	}
	s, err := schema.Compile(json.RawMessage(fileSchema))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, dialect := range []policy.Dialect{policy.Default, policy.OpenClaw} {
			m, ok := Mend([]byte(text), "read", s, dialect)
			if !ok {
				continue
			}
			if m.Whole && string(m.Args) != strings.Trim(text, jsonSpace) {
				t.Errorf("%q was whole, but became %q", text, m.Args)
			}
			checkMended(t, text, string(m.Args))
		}
		if args, err := Read(s, json.RawMessage(text), "read", Options{}); err == nil {
			if err := s.Validate(args); err != nil {
				t.Errorf("%q was read as %s, which does not fit: %v", text, args, err)
			}
		}
	})
}

func drawObject(t *rapid.T) string {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab \"\\{}[]:,ä\n“”")), 0, 6, -1)
	value := rapid.OneOf(rapid.Map(text, func(s string) any { return s }), rapid.SampledFrom([]any{1, 2.5, nil, true, []any{"x", map[string]any{}}}))
	raw, err := json.Marshal(rapid.MapOfN(rapid.SampledFrom([]string{"path", "b", "c"}), value, 1, 3).Draw(t, "object"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestTruncatedNeverRuns: no beginning of an object is ever read as one, with
// or without junk in front.
func TestTruncatedNeverRuns(t *testing.T) {
	s := compile(t, `{}`)
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SampledFrom([]string{"", "functions.x:0 ", "```json\n"}).Draw(t, "before") + drawObject(t)
		start := strings.IndexByte(whole, '{') + 1
		cut := whole[:rapid.IntRange(start, len(whole)-1).Draw(t, "length")]
		for _, dialect := range []policy.Dialect{policy.Default, policy.OpenClaw} {
			if args, err := Read(s, json.RawMessage(cut), "t", Options{Dialect: dialect}); err == nil {
				t.Fatalf("%q was read as %s", cut, args)
			}
		}
	})
}

func TestMendIsInItsInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SampledFrom([]string{"", "functions.x:0 ", "```json\n", "-", "hello "}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", "x", " and more", "\n```", "{", "}", `{"path":`}).Draw(t, "after")
		text := before + drawObject(t) + after
		if m, ok := Mend([]byte(text), "t", nil, policy.Default); ok {
			checkMended(t, text, string(m.Args))
		}
	})
}
