package modeltest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
)

// Wire is a client to test, and the server that speaks its wire.
type Wire struct {
	Start func(testing.TB, ...Turn) *Server
	Open  func(name string, access model.Access) (model.Model, error)
}

// client opens the wire's client for a server.
func (w Wire) client(t *testing.T, s *Server, change func(*model.Access)) model.Model {
	t.Helper()
	access := model.Access{BaseURL: s.URL, APIKey: Key, KeyFrom: "$TEST_KEY", HTTPClient: s.Client(), IdleTimeout: time.Minute}
	if change != nil {
		change(&access)
	}
	m, err := w.Open(s.Models[0], access)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Contract checks that a client keeps what [model.Model] promises: in a round
// trip with two calls, with all faults, when it is cancelled or left, and for
// several callers at once.
func Contract(t *testing.T, w Wire) {
	t.Run("round trip", w.roundTrip)
	t.Run("the request", w.request)
	t.Run("not sent", w.notSent)
	t.Run("stops", w.stops)
	for _, c := range faults {
		t.Run("fault/"+c.name, func(t *testing.T) { w.fault(t, c) })
	}
	t.Run("wrong key", w.wrongKey)
	t.Run("unknown model", w.unknownModel)
	t.Run("unreachable", w.unreachable)
	t.Run("silence", w.silence)
	t.Run("cancelled", w.cancelled)
	t.Run("left", w.left)
	t.Run("several at once", w.several)
	t.Run("any conversation", w.anyConversation)
}

const (
	hardArgs = `{"path":"dir/\u00e9\n\"quoted\".txt","note":"naïve – 漢字 😀"}`
	hardText = "Grüße: <b>& „quotes“</b> 😀\nsecond line"
)

// spaced is a schema whose bytes no encoder would give back.
const spaced = "{\n  \"type\" : \"object\",\n  \"properties\" : { \"b\" : { \"type\":\"number\", \"maximum\": 1.0 }, \"a\" : { \"pattern\": \"<&>\\u00e9\" } }\n}"

func tools() []model.Tool {
	return []model.Tool{
		{Name: "read", Description: "reads <files> & folders", Schema: []byte(spaced)},
		{Name: "run.it", Description: "has a name that no API takes"},
	}
}

func ask(blocks ...model.Block) *model.Request {
	if len(blocks) == 0 {
		blocks = []model.Block{model.Text("go on")}
	}
	return &model.Request{System: "be brief", Messages: []model.Message{model.User(blocks...)}, Tools: tools()}
}

// roundTrip calls two tools at once and sends their results in another order.
func (w Wire) roundTrip(t *testing.T) {
	s := w.Start(t,
		Turn{Thinking: "hm, " + hardText, Text: hardText, Calls: []Call{{"call-1", "read", hardArgs}, {"call-2", "read", `{}`}, {"call-3", "gone", `{"cut`}}},
		Turn{Text: "done", Expect: func(t testing.TB, r *Request) {
			var got []string
			for _, result := range r.Results {
				got = append(got, result.ID+" "+result.Name+" "+result.Text)
			}
			want := "call-1 read one|call-2 read a\nb|call-3 gone "
			if text := strings.Join(got, "|"); !strings.HasPrefix(text, want) || r.User != "and now" {
				t.Errorf("results %q, want %q; the user said %q", text, want, r.User)
			}
		}})
	client := w.client(t, s, nil)
	req := ask()
	first, err := Collect(t, client.Stream(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	calls := first.Message.Calls()
	if first.Stop != model.StopCalls || len(calls) != 3 || string(calls[0].Args) != hardArgs || string(calls[2].Args) != `{"cut` {
		t.Fatalf("%+v", first)
	}
	if first.Message.Text() != hardText || !strings.Contains(outline(first.Message), "hm, "+hardText) || first.Message.From == "" {
		t.Errorf("%s", outline(first.Message))
	}
	if u := first.Usage; u.Input != 100 || u.Output != 20 || u.CacheRead != 30 {
		t.Errorf("usage %+v", u)
	}
	req.Messages = append(req.Messages, first.Message,
		model.Results(calls[1].Answer(&toolrest.Result{Content: []toolrest.Content{toolrest.Text("a"), toolrest.Text(" "), toolrest.Text("b")}})),
		model.Results(calls[2].Answer(nil), calls[0].Answer(toolrest.TextResult("one"))),
		model.User(model.Text("and now")))
	last, err := Collect(t, client.Stream(t.Context(), req))
	if err != nil || last.Stop != model.StopEnd || last.Message.Text() != "done" {
		t.Errorf("%+v, %v", last, err)
	}
}

// request looks at what is sent: schemas byte for byte, names and ids that
// the API takes, images that it takes and those that none does.
func (w Wire) request(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n"
	s := w.Start(t,
		Turn{Calls: []Call{{"", "read", ""}, {"dup", "read", ""}, {"dup", "read", ""}}},
		Turn{Text: "done", Expect: func(t testing.TB, r *Request) {
			if len(r.Tools) != 2 || string(r.Tools[0].Schema) != spaced || r.Tools[0].Description != "reads <files> & folders" || r.Tools[1].Name == "run.it" {
				t.Errorf("tools: %+v", r.Tools)
			}
			if r.System != "be brief" || r.Images != 2 || len(r.Results) != 5 || r.Results[4].Name != r.Tools[1].Name {
				t.Errorf("system %q, %d images, results %+v", r.System, r.Images, r.Results)
			}
		}})
	client := w.client(t, s, nil)
	req := ask(model.Text("look"), model.Image([]byte(png), "image/png"))
	first, err := Collect(t, client.Stream(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	// A call of a hostile id and one by a name that the model bent.
	strange := model.Message{Role: model.RoleAssistant, From: "other/model", Blocks: []model.Block{
		{Kind: model.BlockThinking, Text: "mine", Signature: "not yours"},
	}}
	for i, name := range []string{"read", "", "a b", "read", "run.it"} {
		id := []string{"functions.read:0", "", strings.Repeat("x", 99), "ü", "dup"}[i]
		strange.Blocks = append(strange.Blocks, model.Block{Kind: model.BlockCall, Call: &model.Call{ID: id, Name: name, Args: []byte(`{"cut`)}})
	}
	req.Messages = append(req.Messages, first.Message, answers(first.Message, "x"),
		model.Message{Role: model.RoleAssistant, Blocks: []model.Block{model.Text("\n")}},
		model.User(model.Text("more")), strange, answers(strange, ""))
	results := req.Messages[len(req.Messages)-1]
	results.Blocks[0].Result.Content = []toolrest.Content{
		toolrest.Image([]byte(png), "image/png"), toolrest.Image([]byte("II*"), "image/tiff"), toolrest.Text("x"),
	}
	results.Blocks[1].Result.Content = []toolrest.Content{toolrest.Image([]byte(png), "image/jpeg")}
	if _, err := Collect(t, client.Stream(t.Context(), req)); err != nil {
		t.Error(err)
	}
}

// answers gives each call of m the same result.
func answers(m model.Message, text string) model.Message {
	var out []model.Result
	for _, c := range m.Calls() {
		out = append(out, c.Answer(toolrest.TextResult(text)))
	}
	return model.Results(out...)
}

// notSent has requests that no order can mend. No server hears of them.
func (w Wire) notSent(t *testing.T) {
	client := w.client(t, w.Start(t), nil)
	open := model.Message{Role: model.RoleAssistant, Blocks: []model.Block{{Kind: model.BlockCall, Call: &model.Call{ID: "a", Name: "read"}}}}
	for want, change := range map[string]func(*model.Request){
		`call "a" of "read" has no result`:                      func(r *model.Request) { r.Messages = append(r.Messages, open, model.User(model.Text("x"))) },
		"there is no message to answer":                         func(r *model.Request) { r.Messages = nil },
		`two tools are named "read"`:                            func(r *model.Request) { r.Tools = append(r.Tools, r.Tools[0]) },
		`the schema of the tool "read" is no JSON object`:       func(r *model.Request) { r.Tools[0].Schema = []byte("[]") },
		`the conversation begins with role assistant, not with`: func(r *model.Request) { r.Messages = []model.Message{open} },
	} {
		req := ask()
		change(req)
		_, err := Collect(t, client.Stream(t.Context(), req))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != model.KindRequest || fault.Retryable || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func (w Wire) stops(t *testing.T) {
	s := w.Start(t,
		Turn{Text: "too lo", Stop: "length"},
		Turn{Calls: []Call{{"a", "read", `{"path":"so`}}, Stop: "length"},
		Turn{Text: "no", Stop: "refused"},
	)
	client := w.client(t, s, nil)
	for _, want := range []model.Stop{model.StopLength, model.StopLength, model.StopRefused} {
		if done, err := Collect(t, client.Stream(t.Context(), ask())); err != nil || done.Stop != want {
			t.Errorf("%+v, %v, want %s", done, err, want)
		}
	}
}

// spoilt is a fault, and what the client must make of it.
type spoilt struct {
	name    string
	fault   Fault
	kind    model.Kind
	retry   bool
	after   time.Duration
	partial bool
	text    string
}

var faults = []spoilt{
	{name: "400", fault: Fault{Status: 400, Message: "tools.0: no"}, kind: model.KindRequest, text: "tools.0: no"},
	{name: "403", fault: Fault{Status: 403}, kind: model.KindAuth, text: "the key came from $TEST_KEY"},
	{name: "too long", fault: Fault{Status: 400, Code: "context_length_exceeded", Message: "prompt is too long: 9 > 8"}, kind: model.KindContext, text: "shorten the conversation"},
	{name: "429", fault: Fault{Status: 429, RetryAfter: "7"}, kind: model.KindRate, retry: true, after: 7 * time.Second, text: "try again in 7s"},
	{name: "500", fault: Fault{Status: 500}, kind: model.KindServer, retry: true, text: "status 500"},
	{name: "529", fault: Fault{Status: 529, Message: "Overloaded"}, kind: model.KindServer, retry: true, text: "Overloaded"},
	{name: "html", fault: Fault{Kind: FaultHTML}, kind: model.KindNotAPI, text: `text/html that does not look like a model API's: "Welcome It works! This is the default page."`},
	{name: "html 503", fault: Fault{Kind: FaultHTML, Status: 503}, kind: model.KindNotAPI, retry: true, text: "status 503"},
	{name: "whole", fault: Fault{Kind: FaultWhole}, kind: model.KindNotAPI, text: "one JSON value"},
	{name: "redirect", fault: Fault{Kind: FaultRedirect, Location: "http://127.0.0.1:1/steal"}, kind: model.KindNotAPI, text: "redirects are not followed"},
	{name: "drop at once", fault: Fault{Kind: FaultDrop}, kind: model.KindDropped, retry: true},
	{name: "drop", fault: Fault{Kind: FaultDrop, After: 6}, kind: model.KindDropped, retry: true, partial: true},
	{name: "end", fault: Fault{Kind: FaultEnd, After: 6}, kind: model.KindDropped, retry: true, partial: true},
	{name: "error event", fault: Fault{Kind: FaultInStream, After: 6, Type: "overloaded_error", Message: "busy"}, kind: model.KindServer, retry: true, partial: true, text: "busy"},
	{name: "garbage", fault: Fault{Kind: FaultGarbage, After: 6}, kind: model.KindNotAPI, partial: true, text: "not what this wire sends"},
}

func (w Wire) fault(t *testing.T, c spoilt) {
	s := w.Start(t, Turn{Text: "a longer text in some pieces", Fault: &c.fault})
	_, err := Collect(t, w.client(t, s, nil).Stream(t.Context(), ask()))
	var fault *model.Error
	if !errors.As(err, &fault) {
		t.Fatalf("%v", err)
	}
	if fault.Kind != c.kind || fault.Retryable != c.retry || fault.RetryAfter != c.after || !strings.Contains(err.Error(), c.text) {
		t.Errorf("kind %s, retry %t after %s: %v", fault.Kind, fault.Retryable, fault.RetryAfter, err)
	}
	if (fault.Partial != nil) != c.partial || c.partial && !strings.HasPrefix("a longer text", fault.Partial.Text()) && !strings.HasPrefix(fault.Partial.Text(), "a") {
		t.Errorf("partial: %+v", fault.Partial)
	}
	if strings.Contains(err.Error(), Key) {
		t.Errorf("the error shows the key: %v", err)
	}
}

func (w Wire) wrongKey(t *testing.T) {
	s := w.Start(t)
	s.AllowRefusals()
	for key, want := range map[string]string{"sk-a-wrong-one": "the key came from $TEST_KEY", "": "no key was sent"} {
		client := w.client(t, s, func(a *model.Access) { a.APIKey = key })
		_, err := Collect(t, client.Stream(t.Context(), ask()))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != model.KindAuth || fault.Status != 401 || !strings.Contains(err.Error(), want) {
			t.Errorf("%v", err)
		}
		if key != "" && strings.Contains(fmt.Sprintf("%v %+v %v %+v", err, fault, client, client), key) {
			t.Errorf("the key is shown: %v", err)
		}
	}
}

func (w Wire) unknownModel(t *testing.T) {
	s := w.Start(t)
	s.AllowRefusals()
	real := s.Models[0]
	for name, want := range map[string]string{
		strings.Replace(real, "-t", "-tt", 1): "did you mean " + real,
		"zzzzzzzz":                            "it has " + real,
	} {
		s.Models[0] = name
		client := w.client(t, s, nil)
		s.Models[0] = real
		_, err := Collect(t, client.Stream(t.Context(), ask()))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != model.KindNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	client := w.client(t, s, func(a *model.Access) { a.BaseURL, a.BaseURLFrom = s.URL+"/elsewhere", "$TEST_URL" })
	_, err := Collect(t, client.Stream(t.Context(), ask()))
	if err == nil || !strings.Contains(err.Error(), "(from $TEST_URL)") {
		t.Errorf("a wrong base URL: %v", err)
	}
}

func (w Wire) unreachable(t *testing.T) {
	s := w.Start(t)
	client := w.client(t, s, func(a *model.Access) { a.BaseURL = "http://127.0.0.1:1" })
	_, err := Collect(t, client.Stream(t.Context(), ask()))
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.KindConnect || !fault.Retryable || !strings.Contains(err.Error(), "nothing listens at http://127.0.0.1:1") {
		t.Errorf("%v", err)
	}
}

// silence is before the answer and inside it.
func (w Wire) silence(t *testing.T) {
	for after, idle := range map[int]time.Duration{0: 50 * time.Millisecond, 6: 600 * time.Millisecond} {
		s := w.Start(t, Turn{Text: "a longer text in some pieces", Fault: &Fault{Kind: FaultHang, After: after}})
		client := w.client(t, s, func(a *model.Access) { a.IdleTimeout = idle })
		_, err := Collect(t, client.Stream(t.Context(), ask()))
		var fault *model.Error
		if !errors.As(err, &fault) || fault.Kind != model.KindIdle || !fault.Retryable || (fault.Partial != nil) != (after > 0) {
			t.Errorf("after %d events: %v", after, err)
		}
	}
}

func (w Wire) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := w.Start(t,
		Turn{Text: "a longer text in some pieces", Fault: &Fault{Kind: FaultHang, After: 6}},
		Turn{Text: "x", Fault: &Fault{Kind: FaultHang}, Expect: func(testing.TB, *Request) { cancel() }},
	)
	client := w.client(t, s, nil)
	inner, stop := context.WithCancel(t.Context())
	defer stop()
	stream := func(yield func(model.Event, error) bool) {
		for e, err := range client.Stream(inner, ask()) {
			stop() // the first piece is there
			if !yield(e, err) {
				return
			}
		}
	}
	_, err := Collect(t, stream)
	var fault *model.Error
	if !errors.As(err, &fault) || fault.Kind != model.KindCancelled || !errors.Is(err, context.Canceled) || fault.Partial == nil {
		t.Errorf("in the stream: %v", err)
	}
	_, err = Collect(t, client.Stream(ctx, ask()))
	if !errors.As(err, &fault) || fault.Kind != model.KindCancelled || fault.Partial != nil {
		t.Errorf("before the stream: %v", err)
	}
}

// left breaks the loop: the exchange must end, or the server would wait.
func (w Wire) left(t *testing.T) {
	s := w.Start(t, Turn{Text: "a longer text in some pieces", Fault: &Fault{Kind: FaultHang, After: 6}})
	for e, err := range w.client(t, s, nil).Stream(t.Context(), ask()) {
		if e == nil || err != nil {
			t.Errorf("%v, %v", e, err)
		}
		break
	}
}

func (w Wire) several(t *testing.T) {
	turns := make([]Turn, 8)
	for i := range turns {
		turns[i] = Turn{Text: hardText, Calls: []Call{{"a", "read", hardArgs}}}
	}
	client := w.client(t, w.Start(t, turns...), nil)
	req := ask()
	var wg sync.WaitGroup
	for range turns {
		wg.Go(func() {
			if done, err := Collect(t, client.Stream(t.Context(), req)); err != nil || done.Message.Text() != hardText {
				t.Errorf("%v, %v", done, err)
			}
		})
	}
	wg.Wait()
}
