package tree

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func parse(t testing.TB, text string) *Node {
	t.Helper()
	n, err := Parse([]byte(text), nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// What is written is what was read, in its order, without the blanks.
func TestOrderAndTextsStay(t *testing.T) {
	for _, text := range []string{
		`{"b":1,"a":[1.50,-0,2e5,true,false,null,"é\u00e9\n\"\/"],"":{}}`, `[]`, `"x"`, `0`, `null`,
		`{"10":1,"9":2,"z":{"y":[[],{}]}}`,
	} {
		if got := parse(t, text).String(); got != text {
			t.Errorf("%s became %s", text, got)
		}
		var spaced bytes.Buffer
		if err := json.Indent(&spaced, []byte(text), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		n := parse(t, spaced.String())
		if got := n.String(); got != text {
			t.Errorf("with blanks, %s became %s", text, got)
		}
		if n.Size() != len(text) {
			t.Errorf("%s: size %d, want %d", text, n.Size(), len(text))
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)
	for name, c := range map[string]struct{ text, path, reason string }{
		"a member twice":          {`{"x":{"a":1,"b":2,"a":3}}`, "x", `the member "a" stands twice`},
		"a member twice, escaped": {`{"a":1,"\u0061":3}`, "", `the member "a" stands twice`},
		"twice among many":        {`{` + strings.Repeat(`"k":1,`, 1) + many(40) + `,"k":2}`, "", `the member "k" stands twice`},
		"cut short":               {`{"a":[1,2`, "a", "ends too early"},
		"an item":                 {`{"a":[1,{"b":tru}]}`, "a[1].b", "no JSON value"},
		"more text":               {`{} {}`, "", "something follows"},
		"a comma too many":        {`[1,]`, "[1]", "no JSON value"},
		"no comma":                {`[1 2]`, "", "a comma is expected"},
		"no colon":                {`{"a" 1}`, "a", "a colon is expected"},
		"no key":                  {`{a:1}`, "", "a key is expected"},
		"a bare minus":            {`[-]`, "[0]", "no number"},
		"a leading zero":          {`[01]`, "", "a comma is expected"},
		"a huge number":           {`[1e999]`, "[0]", "too long or too large"},
		"a long number":           {`[0.` + strings.Repeat("1", 80) + `]`, "[0]", "too long or too large"},
		"an escape":               {`["\x"]`, "[0]", "no such escape"},
		"a control character":     {"[\"\x01\"]", "[0]", "a control character"},
		"no UTF-8":                {"[\"\xff\"]", "[0]", "no UTF-8"},
		"deep":                    {deep, "a.a.a", "nested deeper than 200 levels"},
		"empty":                   {``, "", "ends too early"},
	} {
		_, err := Parse([]byte(c.text), nil)
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Path, c.path) || !strings.Contains(wrong.Reason, c.reason) || len(wrong.Path) > 100 {
			t.Errorf("%s: %v, want %q at %q", name, err, c.reason, c.path)
		}
	}
}

func many(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, `"m`+strings.Repeat("i", i)+`":1`)
	}
	return strings.Join(parts, ",")
}

func TestLimits(t *testing.T) {
	text := []byte(`[1,2,[3,[4]]]`)
	if _, err := Parse(text, &Limits{Bytes: len(text), Depth: 3, Values: 7}); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	for _, l := range []Limits{{Bytes: len(text) - 1}, {Depth: 2}, {Values: 6}} {
		if _, err := Parse(text, &l); err == nil {
			t.Errorf("%+v: no error", l)
		}
	}
}

func TestChangesLeaveTheOriginal(t *testing.T) {
	n := parse(t, `{"a":1,"b":{"c":2},"d":[1,2]}`)
	before := n.String()
	for got, want := range map[string]string{
		n.With("a", True).String():        `{"a":true,"b":{"c":2},"d":[1,2]}`,
		n.With("z", Text("q\"")).String(): `{"a":1,"b":{"c":2},"d":[1,2],"z":"q\""}`,
		n.Without("a", "d").String():      `{"b":{"c":2}}`,
		n.Get("d").Filter(func(m Member) bool { return m.Value.String() != "1" }).String(): `[2]`,
		n.Each(func(Member) *Node { return NullNode }).String():                            `{"a":null,"b":null,"d":null}`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if n.String() != before {
		t.Errorf("the original became %s", n)
	}
	if n.Without("q") != n || n.Each(func(m Member) *Node { return m.Value }) != n {
		t.Error("nothing changed, and the node is another")
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true]}`, `{"b":[true],"a":1.0}`, true},
		{`1`, `1e0`, true}, {`0`, `-0`, true}, {`1`, `"1"`, false}, {`"a"`, `"\u0061"`, true},
		{`9007199254740993`, `9007199254740992`, false}, {`9007199254740993`, `9007199254740993`, true},
		{`[1,2]`, `[2,1]`, false}, {`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`null`, `false`, false},
		{`{` + many(30) + `}`, `{"x":1,` + many(29) + `}`, false},
	} {
		if got := Equal(parse(t, c.a), parse(t, c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func TestAbsent(t *testing.T) {
	var n *Node
	if n.Get("a") != nil || n.Is(Null) || n.Len() != 0 || n.String() != "" || n.IsText("") || len(n.Strings()) != 0 || n.IsFalse() || !Equal(n, nil) {
		t.Error("an absent node is something")
	}
}

// FuzzParse holds the parser to encoding/json: what that refuses is refused,
// what is taken says the same, and what was written is read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e-3,"x\u00e9"],"b":{}}`, `[]`, ` null `, `{"a":1,"a":2}`, `"\ud800"`, `[1e400]`, `-0`, "\"\xff\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := Parse(text, nil)
		if err != nil {
			if n != nil {
				t.Error("a node beside an error")
			}
			return
		}
		var want, got any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%q was read, and encoding/json says %v", text, err)
		}
		out := Encode(n)
		if err := json.Unmarshal(out, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q (%v)", text, out, err)
		}
		again, err := Parse(out, nil)
		if err != nil || !Equal(n, again) || again.String() != string(out) {
			t.Fatalf("%q is not read again: %v", out, err)
		}
	})
}

// allPlain never takes a byte that stands for something else.
func TestAllPlain(t *testing.T) {
	for at := range 8 {
		for c := range 256 {
			word := []byte("abcdefgh")
			word[at] = byte(c)
			if got := allPlain(binary.LittleEndian.Uint64(word)); got && !plain[c] || !got && c >= 'a' && c <= 'z' {
				t.Errorf("byte %d at %d: %v", c, at, got)
			}
		}
	}
}
