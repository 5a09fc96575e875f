package names

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCheck(t *testing.T) {
	for name, want := range map[string]string{
		"read": "", "outlook__send_mail": "", "Über tool": "", "日本": "", "a*b": "", strings.Repeat("x", 256): "",
		"": "is empty", strings.Repeat("x", 257): "is 257 bytes long", "\xffa": "not valid UTF-8", " a": "white space", "a\n": "white space",
		"a\x00b": "U+0000", "a\x1b[2J": "U+001B", "a\nb": "U+000A", "a\u202eb": "U+202E", "a\u200bb": "U+200B", "a\u2028b": "U+2028",
		"group:fs": "like a group", "GROUP:x": "like a group",
	} {
		err := Check(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Check(%q) = %v, want %q", name, err, want)
		}
	}
}

func TestShow(t *testing.T) {
	for name, want := range map[string]string{
		"read": "read", "": `""`, "a\x1b[2J": `"a\x1b[2J"`, "a\u202eb": `"a\u202eb"`, "\xff": `"\xff"`,
		strings.Repeat("x", 100): strings.Repeat("x", 64) + "… (100 bytes)",
		strings.Repeat("é", 50):  strings.Repeat("é", 32) + "… (100 bytes)",
	} {
		if got := Show(name); got != want {
			t.Errorf("Show(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestShowIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOf(rapid.Byte()).Draw(t, "name"))
		shown := Show(name)
		if len(shown) > 64*10+30 || !utf8.ValidString(shown) || strings.ContainsAny(shown, "\x00\n\r\x1b\u2028\u202e") {
			t.Fatalf("%q", shown)
		}
	})
}
