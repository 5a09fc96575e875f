package json5_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/need"
)

// npm asks the npm package json5 what it makes of a text.
type npm struct {
	in  io.Writer
	out *bufio.Reader
}

func startNPM(t testing.TB) *npm {
	t.Helper()
	cmd := exec.Command(need.Node(t), "testdata/npm.js", need.JSON5(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &npm{in: in, out: bufio.NewReader(out)}
}

// value is what a text holds, in the form that npm.js tells.
type value struct {
	Word    string   `json:"word,omitempty"`
	Number  string   `json:"number,omitempty"`
	Text    *string  `json:"text,omitempty"`
	Items   []value  `json:"items"`
	Members []member `json:"members"`
}

type member struct {
	Key   string `json:"key"`
	Value value  `json:"value"`
}

func (n *npm) parse(t testing.TB, text string) (*value, string) {
	t.Helper()
	question, err := json.Marshal(text)
	if err == nil {
		_, err = n.in.Write(append(question, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := n.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Value *value `json:"value"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Value, answer.Error
}

func valueOf(n *json5.Node) value {
	switch n.Kind {
	case json5.Null:
		return value{Word: "null"}
	case json5.Bool:
		return value{Word: strconv.FormatBool(n.Bool)}
	case json5.Number:
		return value{Number: strconv.FormatFloat(n.Number, 'g', -1, 64)}
	case json5.String:
		return value{Text: &n.Text}
	case json5.Array:
		v := value{Items: []value{}}
		for _, item := range n.Items {
			v.Items = append(v.Items, valueOf(item))
		}
		return v
	}
	v := value{Members: []member{}}
	for _, m := range n.Members {
		v.Members = append(v.Members, member{m.Key, valueOf(m.Value)})
	}
	return v
}

// even takes away what two writers of one value do differently: the order of
// members and the digits of numbers.
func (v value) even() value {
	if f, err := strconv.ParseFloat(v.Number, 64); err == nil {
		v.Number = strconv.FormatFloat(f, 'g', -1, 64)
	}
	for i := range v.Items {
		v.Items[i] = v.Items[i].even()
	}
	for i := range v.Members {
		v.Members[i].Value = v.Members[i].Value.even()
	}
	slices.SortFunc(v.Members, func(a, b member) int { return cmp.Compare(a.Key, b.Key) })
	return v
}

// stricter are the refusals that are ours alone, as the package says.
var stricter = []string{"duplicate key", "nested deeper", "larger than", "too large"}

// agree compares the two parsers on one text.
func agree(t testing.TB, n *npm, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		return // JavaScript has no such strings
	}
	theirs, refused := n.parse(t, strings.TrimPrefix(text, "\ufeff"))
	ours, err := json5.Parse("x", []byte(text))
	switch {
	case err != nil && refused != "":
	case err != nil:
		if !slices.ContainsFunc(stricter, func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%q: refused with %v, but npm reads it", text, err)
		}
	case refused != "":
		t.Errorf("%q: read, but npm says %s", text, refused)
	default:
		if diff := gocmp.Diff(theirs.even(), valueOf(ours).even()); diff != "" {
			t.Errorf("%q (-npm +ours)\n%s", text, diff)
		}
	}
}

var corpus = []string{
	`{}`, `[]`, `null`, `true`, `"a"`, `'a'`, `.5`, `5.`, `+1`, `-0`, `0x1F`, `-0xff`, `1e3`, `1E-3`, `Infinity`, `-Infinity`, `NaN`, `+NaN`, `-NaN`,
	`{a: 1, 'b': 2, "c": [1, 2,],}`, `{$_a1: 1}`, `{ünï: 1}`, `{\u0061b: 1}`, `{a\u200cb: 1}`, `{\u{61}: 1}`, `{1a: 1}`, `{a-b: 1}`, `{null: 1, true: 2}`,
	"'a\\\nb'", "'a\\\r\nb'", "'a\\\u2028b'", "'a\u2028b'", "'a\nb'", `'\x41\u0041\0\v\q\'\"'`, `'\1'`, `'\01'`, `'\xZ1'`, `'\u12'`, `'\ud83d\ude00'`, `'\ud83d'`, `'\ude00x'`, `'\ud83d\u0041'`,
	"// only", "/* */ 1 // x", "/* 1", "1 /", "1 2", "[1 2]", "[,]", "[1,,2]", "{,}", "{a}", "{a:}", "{a:1 b:2}", "{'a':1,}", "[1,]", "01", "-01", "1.e", "1e", "0x", "0xg", "..5", "--1", "+", "-", "- 1",
	"\ufeff1", "1\ufeff", "\u00a01\u2003", "\v\f1", "\u180e1", "\u00851", "{__proto__: 1}", "{'': 1}", "{constructor: {a: 1}}", "tru", "nul", "TRUE", "undefined", "1n", "1_0", "0b1", "0o7",
	`"\
"`, `{a: 'x', a: 'y'}`, `[[[[[[]]]]]]`, `1e400`, `0x10000000000000000`, `9007199254740993`, `0.1e-400`, `123456789012345678901234567890`, "'\t'", "'\x00'", "'\x7f'", "#", "'", `"`, "{a:1}}", "{{", "]",
	"{𝒳: 1}", "{ª: 1}", "{\u2167: 1}", "{a\u0301: 1}", "{\u0301: 1}", "{a\u203f: 1}", "{\\u0031: 1}", "{a\\u0031: 1}", "'\u2029'", "/*\u2028*/1", "//\u20281", "1//x\r2", "Infinityx", "-Infinit", "+.5", "-.5e1", ".e1",
}

func TestAgainstNPM(t *testing.T) {
	n := startNPM(t)
	for _, text := range corpus {
		agree(t, n, text)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		agree(t, n, mutated(rng, written(rng, 4)))
		if t.Failed() {
			break
		}
	}
}

// FuzzAgainstNPM looks for texts that the two read differently.
func FuzzAgainstNPM(f *testing.F) {
	for _, text := range corpus {
		f.Add(text)
	}
	n := startNPM(f)
	f.Fuzz(func(t *testing.T, text string) { agree(t, n, text) })
}

// written writes a random value in one of the many ways.
func written(rng *rand.Rand, depth int) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	space := func() string { return pick("", "", " ", "\n", "/*c*/", "//c\n", "\u00a0") }
	kind := rng.IntN(6)
	if depth == 0 {
		kind %= 4
	}
	var b strings.Builder
	switch kind {
	case 0:
		return pick("null", "true", "false", "NaN", "Infinity", "-Infinity")
	case 1:
		return pick("", "-", "+") + pick("0", "7", "12", "1.5", ".25", "3.", "1e2", "2E-1", "0xaF", "123456789.125")
	case 2, 3:
		quote := pick("'", `"`)
		b.WriteString(quote)
		for range rng.IntN(5) {
			b.WriteString(pick("a", "é", "😀", `\n`, `\x41`, `\u00e9`, `\ud83d\ude00`, `\'`, `\"`, "\\\n", `\0`, "\t", "/", "//"))
		}
		b.WriteString(quote)
		return b.String()
	case 4:
		b.WriteString("[" + space())
		for range rng.IntN(4) {
			b.WriteString(written(rng, depth-1) + space() + "," + space())
		}
		return b.String() + "]"
	}
	b.WriteString("{" + space())
	for i := range rng.IntN(4) {
		key := pick("a", "$b", "_c", "é", `\u0061`, "'q'", `"q q"`, "null", "x1") + strconv.Itoa(i)
		if strings.ContainsAny(key, `'"`) {
			key = "'k" + strconv.Itoa(i) + "'"
		}
		b.WriteString(key + space() + ":" + space() + written(rng, depth-1) + space() + "," + space())
	}
	return b.String() + "}"
}

// mutated sometimes puts, takes or doubles a character.
func mutated(rng *rand.Rand, text string) string {
	runes := []rune(text)
	if len(runes) == 0 || rng.IntN(2) == 0 {
		return text
	}
	at := rng.IntN(len(runes))
	odd := []rune("{}[],:'\"\\/*+-.0123456789eExXuaNI \n\r\u2028\ufeff_$")
	switch rng.IntN(3) {
	case 0:
		return string(slices.Delete(runes, at, at+1))
	case 1:
		return string(slices.Insert(runes, at, odd[rng.IntN(len(odd))]))
	}
	return string(slices.Insert(runes, at, runes[at]))
}
