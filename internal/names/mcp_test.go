package names

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestServers(t *testing.T) {
	long := strings.Repeat("a", 40)
	given := []string{
		"outlook", "Outlook Graph", "9lives", "", "  ", "a/b", "a-b", "😀", long, long, strings.ToUpper(long),
		"x", "X", "x-2", "x", "\u0085a", "\ufeffb", "a\u200bb", "\xff\xfe",
	}
	want := []string{
		"outlook", "Outlook-Graph", "mcp-9lives", "mcp", "mcp-2", "a-b", "a-b-2", "mcp---", long[:30], long[:28] + "-2", strings.ToUpper(long[:28]) + "-3",
		"x", "X-2", "x-2-2", "x-3", "mcp--a", "b", "a-b-3", "mcp----2",
	}
	var taken Taken
	for i, name := range given {
		if got := taken.Server(name); got != want[i] {
			t.Errorf("Server(%q) = %q, want %q", name, got, want[i])
		}
	}
}

func TestTools(t *testing.T) {
	var taken Taken
	for _, name := range []string{"Outlook__Send", " outlook__zed ", "", "READ"} {
		taken.Reserve(name)
	}
	given := []string{"Send", "send", "send-2", "zed", "-a", "  pad  ", "", strings.Repeat("x", 80), strings.Repeat("x", 80)}
	want := []string{
		"outlook__Send-2", "outlook__send-3", "outlook__send-2-2", "outlook__zed-2", "outlook__tool--a", "outlook__pad", "outlook__tool",
		"outlook__" + strings.Repeat("x", 55), "outlook__" + strings.Repeat("x", 53) + "-2",
	}
	for i, name := range given {
		if got := taken.Tool("outlook", name); got != want[i] {
			t.Errorf("Tool(%q) = %q, want %q", name, got, want[i])
		}
	}
	if got := taken.Tool(strings.Repeat("s", 70), "abc"); got != strings.Repeat("s", 70)+"__a" {
		t.Errorf("a server that leaves no room: %q", got)
	}
}

var safeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// TestHandedOutNames holds for whatever servers call themselves and their
// tools: every name is safe, short, and another one whatever the case.
func TestHandedOutNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.StringMatching(`[aA9 -]{0,90}`))).Draw(t, "names")
		var servers, tools Taken
		var got []string
		for _, name := range names {
			server := servers.Server(name)
			if len(server) > MaxServer {
				t.Fatalf("%q is %d bytes long", server, len(server))
			}
			got = append(got, server, tools.Tool("server", name))
		}
		seen := map[string]bool{}
		for _, name := range got {
			if !safeName.MatchString(name) || len(name) > MaxTool || seen[strings.ToLower(name)] || Check(name) != nil {
				t.Fatalf("%q is not safe, or not the only one", name)
			}
			seen[strings.ToLower(name)] = true
		}
	})
}

// TestManyEqualNames would take minutes if each clash counted from 2 again.
func TestManyEqualNames(t *testing.T) {
	var taken Taken
	var last string
	for i := range 100_000 {
		// Names of 40 letters that differ only in what is cut off.
		last = taken.Server(strings.Repeat("a", 29) + fmt.Sprint(i))
	}
	if len(last) != MaxServer || !strings.HasSuffix(last, "-99991") {
		t.Errorf("the last is %q", last)
	}
}

func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"", "a b", "9", "日本", "\xff", strings.Repeat("-", 99)} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, server, tool string) {
		var taken Taken
		prefix := taken.Server(server)
		first, second := taken.Tool(prefix, tool), taken.Tool(prefix, tool)
		for _, name := range []string{prefix, first, second} {
			if !safeName.MatchString(name) || len(name) > MaxTool {
				t.Errorf("%q", name)
			}
		}
		if strings.EqualFold(first, second) || !strings.HasPrefix(first, prefix+Between) {
			t.Errorf("%q, %q", first, second)
		}
	})
}
