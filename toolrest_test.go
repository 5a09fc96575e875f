package toolrest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestPosString(t *testing.T) {
	for want, p := range map[string]Pos{"": {}, "a.json5": {File: "a.json5"}, "a.json5:3:7": {File: "a.json5", Line: 3, Col: 7}} {
		if got := p.String(); got != want {
			t.Errorf("%#v prints %q, want %q", p, got, want)
		}
	}
}

func TestRefusalSaysWhatWhyAndWhatToDo(t *testing.T) {
	r := &Refusal{
		Code: CodeDenied, Tool: "exec", Reason: "denied by tools.deny, rule 'exec'",
		Pos: Pos{File: "c.json5", Line: 2, Col: 9}, Fix: "remove 'exec' from tools.deny",
	}
	want := "exec: denied by tools.deny, rule 'exec' (c.json5:2:9)\nto change it: remove 'exec' from tools.deny\ndo not repeat this call unchanged"
	if got := r.Error(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if res := r.Result(); !res.IsError || res.Refusal != r || res.AllText() != want {
		t.Errorf("result %+v", res)
	}
}

func TestCallArguments(t *testing.T) {
	for args, ok := range map[string]bool{"": true, "null": true, `{"a":1}`: true, `[1]`: false, `{"a":`: false} {
		c := &Call{Tool: "t", Args: []byte(args)}
		got, err := c.Object()
		if (err == nil) != ok || ok && got == nil {
			t.Errorf("%q: %v, %v", args, got, err)
		}
	}
}

func TestTypedResults(t *testing.T) {
	ctx := context.Background()
	run := func(tool Tool, args string) (*Result, error) {
		return tool.Executor.Execute(ctx, &Call{Tool: tool.Name, Args: []byte(args)})
	}
	type in struct {
		N int `json:"n"`
	}
	whole := TextResult("as it is")
	text := Typed("text", "", func(context.Context, in) (string, error) { return "<b>", nil }, nil)
	same := Typed("same", "", func(context.Context, in) (*Result, error) { return whole, nil }, nil)
	count := Typed("count", "", func(_ context.Context, i in) (int, error) { return i.N, nil }, nil)
	object := Typed("object", "", func(_ context.Context, i in) (map[string]string, error) {
		return map[string]string{"n": "<&>"}, nil
	}, nil)

	if r, err := run(text, "{}"); err != nil || r.AllText() != "<b>" || text.OutputSchema != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := run(same, "{}"); err != nil || r != whole {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := run(count, `{"n":7}`); err != nil || r.AllText() != "7" || r.Structured != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := run(object, "{}"); err != nil || string(r.Structured) != `{"n":"<&>"}` || object.OutputSchema == nil {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := run(count, `{"n":"x"}`); err == nil || !strings.Contains(err.Error(), "decode arguments of count") {
		t.Errorf("err = %v", err)
	}
}

// A result fits its output schema: nil slices and maps are empty ones.
func TestTypedResultsHoldNoNull(t *testing.T) {
	type item struct {
		Tags []string `json:"tags"`
	}
	type out struct {
		Items []item         `json:"items"`
		Sizes map[string]int `json:"sizes"`
		Any   any            `json:"any"`
		Text  string         `json:"text"`
	}
	give := func(o out) string {
		tool := Typed("t", "", func(context.Context, struct{}) (out, error) { return o, nil }, nil)
		r, err := tool.Executor.Execute(context.Background(), &Call{Tool: "t"})
		if err != nil || r.AllText() != string(r.Structured) {
			t.Fatalf("%+v, %v", r, err)
		}
		return r.AllText()
	}
	if got, want := give(out{Text: "null"}), `{"items":[],"sizes":{},"any":null,"text":"null"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := give(out{Items: []item{{}}, Sizes: map[string]int{"a": 1}}), `{"items":[{"tags":[]}],"sizes":{"a":1},"any":null,"text":""}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	none := Typed("t", "", func(context.Context, struct{}) (map[string]int, error) { return nil, nil }, nil)
	if r, err := none.Executor.Execute(context.Background(), &Call{Tool: "t"}); err != nil || r.AllText() != "{}" || string(r.Structured) != "{}" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTypedPanicsOnMistakes(t *testing.T) {
	for name, make := range map[string]func(){
		"no name":   func() { Typed("", "", func(context.Context, struct{}) (string, error) { return "", nil }, nil) },
		"no fn":     func() { Typed[struct{}, string]("x", "", nil, nil) },
		"no schema": func() { Typed("x", "", func(context.Context, func()) (string, error) { return "", nil }, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			make()
		}()
	}
}

func TestLazyBuildsOnceAndTriesAgain(t *testing.T) {
	var builds int
	fail := true
	e := Lazy(func(context.Context) (Executor, error) {
		builds++
		if fail {
			return nil, errors.New("no driver")
		}
		return Handler(func(context.Context, *Call) (*Result, error) { return TextResult("ok"), nil }), nil
	})
	call := &Call{Tool: "lazy"}
	if _, err := e.Execute(context.Background(), call); err == nil || err.Error() != "prepare lazy: no driver" {
		t.Fatalf("err = %v", err)
	}
	fail = false
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if r, err := e.Execute(context.Background(), call); err != nil || r.AllText() != "ok" {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	wg.Wait()
	if builds != 2 {
		t.Errorf("built %d times, want 2", builds)
	}
}
