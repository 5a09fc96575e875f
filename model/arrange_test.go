package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// conversation reads a small notation: "u" user, "a" assistant, "r" results;
// calls and results follow as ids. "a:x,y" calls x and y, "r:y,x" answers.
func conversation(text string) []Message {
	var out []Message
	for _, word := range strings.Fields(text) {
		role, list, _ := strings.Cut(word, ":")
		ids := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
		var m Message
		switch role {
		case "u":
			m = User(Text("hello"))
		case "a":
			m = Message{Role: RoleAssistant, Blocks: []Block{Text("hm")}}
			for _, id := range ids {
				m.Blocks = append(m.Blocks, Block{Kind: BlockCall, Call: &Call{ID: id, Name: "t"}})
			}
		case "r":
			m = Message{Role: RoleResults}
			for _, id := range ids {
				m.Blocks = append(m.Blocks, Block{Kind: BlockResult, Result: &Result{CallID: id, Name: "t"}})
			}
		case "e":
			m = Message{Role: RoleAssistant, Blocks: []Block{Text(" \n")}}
		}
		out = append(out, m)
	}
	return out
}

func notation(messages []Message) string {
	var words []string
	for _, m := range messages {
		var ids []string
		for _, b := range m.Blocks {
			switch b.Kind {
			case BlockCall:
				ids = append(ids, b.Call.ID)
			case BlockResult:
				ids = append(ids, b.Result.CallID)
			}
		}
		word := map[Role]string{RoleUser: "u", RoleAssistant: "a", RoleResults: "r"}[m.Role]
		if len(ids) > 0 {
			word += ":" + strings.Join(ids, ",")
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestArrange(t *testing.T) {
	for in, want := range map[string]string{
		"u":                       "u",
		"u u":                     "u",
		"u a u":                   "u a u",
		"u e u":                   "u",
		"u a:x,y r:y,x":           "u a:x,y r:x,y",
		"u a:x,y r:y r:x u":       "u a:x,y r:x,y u",
		"u a:x,x r:x,x":           "u a:x,x r:x,x",
		"u a:x r:x a:x r:x":       "u a:x r:x a:x r:x",
		"u a:x r:x u u":           "u a:x r:x u",
		"u a:x e r:x":             "u a:x r:x",
		"":                        "error: there is no message to answer",
		"e":                       "error: there is no message to answer",
		"a u":                     "error: the conversation begins with role assistant",
		"r:x":                     "error: the conversation begins with role results",
		"u a":                     "error: the conversation ends with the assistant",
		"u a:x":                   `error: call "x" of "t" has no result`,
		"u a:x u":                 `error: call "x" of "t" has no result`,
		"u a:x u r:x":             `error: call "x" of "t" has no result`,
		"u a:x,y r:x":             `error: call "y" of "t" has no result`,
		"u r:x":                   `error: the result of "t" (call "x") follows no call`,
		"u a r:x":                 `error: the result of "t" (call "x") follows no call`,
		"u a:x r:x,y":             `error: the result of "t" (call "y") answers no open call`,
		"u a:x r:x,x":             `error: the result of "t" (call "x") answers no open call`,
		"u a:x r:x u r:x":         `error: the result of "t" (call "x") follows no call`,
		"u a:x r:x a u a:y r:x,y": `error: the result of "t" (call "x") answers no open call`,
	} {
		got, err := Arrange(conversation(in))
		text := notation(got)
		if err != nil {
			text = "error: " + err.Error()
		}
		if err == nil && text != want || !strings.HasPrefix(text, want) {
			t.Errorf("%q became %q, want %q", in, text, want)
		}
	}
}

func TestArrangeGoesOnAfterPauses(t *testing.T) {
	in := conversation("u a")
	in[1].Paused = true
	if got, err := Arrange(in); err != nil || notation(got) != "u a" || !got[1].Paused {
		t.Errorf("%q, %v", notation(got), err)
	}
	in = append(in, conversation("u a a u")[1:]...) // the pause, the rest, the user
	if got, err := Arrange(in); err != nil || notation(got) != "u a u" || got[1].Paused {
		t.Errorf("%q, %v", notation(got), err)
	}
}

func TestArrangeRefusesBlocks(t *testing.T) {
	for want, m := range map[string]Message{
		`messages[0]: unknown role "system"`:                                       {Role: "system"},
		`messages[0]: blocks[0]: call does not belong into a message of role user`: {Role: RoleUser, Blocks: []Block{{Kind: BlockCall, Call: &Call{}}}},
		`messages[0]: blocks[0]: image does not belong`:                            {Role: RoleAssistant, Blocks: []Block{Image(nil, "")}},
		`messages[0]: blocks[0]: a call without its contents`:                      {Role: RoleAssistant, Blocks: []Block{{Kind: BlockCall}}},
		`messages[0]: blocks[0]: a result without its contents`:                    {Role: RoleResults, Blocks: []Block{{Kind: BlockResult}}},
	} {
		if _, err := Arrange([]Message{m}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestArrangeKeepsAuthorsApart(t *testing.T) {
	in := conversation("u a a u")
	in[1].From, in[2].From = "p/one", "p/two"
	got, err := Arrange(in)
	if err != nil || len(got) != 4 {
		t.Errorf("%q, %v", notation(got), err)
	}
}

// drawConversation makes one that pairs, with ids of any kind.
func drawConversation(t *rapid.T) []Message {
	id := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "call_1", "functions.read:0"}), rapid.String(), rapid.StringN(0, 100, -1))
	out := []Message{User(Text("hello"))}
	for range rapid.IntRange(0, 6).Draw(t, "turns") {
		m := Message{Role: RoleAssistant, Blocks: []Block{Text("hm")}}
		var results []Result
		for _, s := range rapid.SliceOfN(id, 0, 4).Draw(t, "ids") {
			m.Blocks = append(m.Blocks, Block{Kind: BlockCall, Call: &Call{ID: s, Name: "t", Args: json.RawMessage(s)}})
			results = append(results, Result{CallID: s, Name: "t"})
		}
		out = append(out, m)
		if len(results) > 0 {
			out = append(out, Results(rapid.Permutation(results).Draw(t, "results")...))
		} else {
			out = append(out, User(Text("go on")))
		}
	}
	return out
}

func TestWireIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawConversation(t)
		before := fmt.Sprintf("%+v", in)
		arranged, err := Arrange(in)
		if err != nil {
			t.Fatal(err)
		}
		rule := Rule{Max: 40, Extra: "_-"}
		out := WireIDs(arranged, rule)
		seen := map[string]bool{}
		for i, m := range out {
			for j, c := range m.Calls() {
				if !rule.Accepts(c.ID) || seen[c.ID] {
					t.Fatalf("id %q", c.ID)
				}
				seen[c.ID] = true
				if out[i+1].Blocks[j].Result.CallID != c.ID {
					t.Fatalf("call %q is answered by %q", c.ID, out[i+1].Blocks[j].Result.CallID)
				}
				if was := arranged[i].Calls()[j].ID; rule.Accepts(was) && !seen[was] {
					t.Fatalf("%q became %q without need", was, c.ID)
				}
			}
		}
		if again := WireIDs(out, rule); !reflect.DeepEqual(again, out) {
			t.Fatal("good ids were changed")
		}
		if fmt.Sprintf("%+v", in) != before {
			t.Fatal("the input was changed")
		}
		for n := 1; n < len(out); n++ { // a shorter conversation is a prefix
			if out[n].Role == RoleUser && !reflect.DeepEqual(WireIDs(arranged[:n+1], rule), out[:n+1]) {
				t.Fatal("ids depend on what follows")
			}
		}
	})
}

func TestNames(t *testing.T) {
	rule := Rule{Max: 64, Extra: "_-"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.SampledFrom([]string{"read", "a.b", "a_b", "a b", "a/b", "", strings.Repeat("x", 80)}), rapid.String())
		drawn := rapid.SliceOfNDistinct(name, 0, 12, rapid.ID).Draw(t, "names")
		var tools []Tool
		for _, n := range drawn {
			tools = append(tools, Tool{Name: n})
		}
		names, err := NewNames(tools, rule)
		if err != nil {
			t.Fatal(err)
		}
		wires := map[string]bool{}
		for _, n := range drawn {
			w := names.Wire(n)
			if !rule.Accepts(w) || wires[w] || names.Tool(w) != n {
				t.Fatalf("%q → %q → %q", n, w, names.Tool(w))
			}
			if rule.Accepts(n) && w != n {
				t.Fatalf("%q became %q without need", n, w)
			}
			wires[w] = true
		}
		if old := names.Wire(name.Filter(func(s string) bool { return !contains(drawn, s) }).Draw(t, "old")); !rule.Accepts(old) || wires[old] {
			t.Fatalf("an older name became %q", old)
		}
	})
	if _, err := NewNames([]Tool{{Name: "a"}, {Name: "a"}}, rule); err == nil {
		t.Error("two tools of one name were accepted")
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
