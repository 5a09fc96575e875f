package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
)

func encodeWire(t testing.TB, v any) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // as the SDK does
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(buf.String())
}

func TestWireResult(t *testing.T) {
	png := []byte("\x89PNG\r\n\x1a\n")
	tests := map[string]struct {
		result toolrest.Result
		want   string
	}{
		"text":               {*toolrest.TextResult("a<b>&"), `{"content":[{"type":"text","text":"a<b>&"}]}`},
		"text that is empty": {*toolrest.TextResult(""), `{"content":[{"type":"text","text":""}]}`},
		"nothing":            {toolrest.Result{}, `{"content":[]}`},
		"details are kept":   {toolrest.Result{Details: "secret"}, `{"content":[]}`},
		"image":              {toolrest.Result{Content: []toolrest.Content{toolrest.Image(png, "image/webp")}}, `{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/webp"}]}`},
		"image of no type":   {toolrest.Result{Content: []toolrest.Content{toolrest.Image(png, "")}}, `{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}`},
		"audio of no bytes":  {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentAudio, MIME: "audio/ogg"}}}, `{"content":[{"type":"audio","data":"","mimeType":"audio/ogg"}]}`},
		"link": {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentResource, URI: "file:///a", Name: "a", MIME: "text/plain"}}},
			`{"content":[{"type":"resource_link","uri":"file:///a","name":"a","mimeType":"text/plain"}]}`},
		"link without a name": {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentResource, URI: "file:///a"}}},
			`{"content":[{"type":"resource_link","uri":"file:///a","name":"file:///a"}]}`},
		"text resource": {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentResource, URI: "file:///a", Text: "hi"}}},
			`{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"hi"}}]}`},
		"binary resource": {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentResource, URI: "file:///a", MIME: "x/y", Data: []byte{0}}}},
			`{"content":[{"type":"resource","resource":{"uri":"file:///a","mimeType":"x/y","blob":"AA=="}}]}`},
		"text resource without an address": {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentResource, Text: "hi"}}},
			`{"content":[{"type":"text","text":"hi"}]}`},
		"binary resource without an address": {toolrest.Result{Content: []toolrest.Content{{Kind: toolrest.ContentResource, Data: []byte{0}}}},
			`{"content":[{"type":"resource","resource":{"uri":"urn:toolrest:result","blob":"AA=="}}]}`},
		"unknown kind": {toolrest.Result{Content: []toolrest.Content{{Kind: "smell"}}},
			`{"content":[{"type":"text","text":"[content of the unknown kind \"smell\" was left out]"}]}`},
		"structured": {toolrest.Result{Content: []toolrest.Content{toolrest.Text("x")}, Structured: json.RawMessage(`{"b":"<","a":1.0}`)},
			`{"content":[{"type":"text","text":"x"}],"structuredContent":{"b":"<","a":1.0}}`},
		"structured alone": {toolrest.Result{Structured: json.RawMessage(`{"a":1}`)},
			`{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`},
		"structured array": {toolrest.Result{Structured: json.RawMessage(`[1]`)},
			`{"content":[{"type":"text","text":"[1]"}]}`},
		"structured that is broken": {toolrest.Result{Content: []toolrest.Content{toolrest.Text("x")}, Structured: json.RawMessage(`{"a":`)},
			`{"content":[{"type":"text","text":"x"}]}`},
		"error":             {toolrest.Result{IsError: true, Content: []toolrest.Content{toolrest.Text("x")}}, `{"content":[{"type":"text","text":"x"}],"isError":true}`},
		"error of no words": {toolrest.Result{IsError: true}, `{"content":[{"type":"text","text":"the tool failed and did not say why"}],"isError":true}`},
		"refusal": {toolrest.Result{Content: []toolrest.Content{toolrest.Text("no")}, Refusal: &toolrest.Refusal{Code: toolrest.CodeLoop, Tool: "x", Reason: "again"}},
			`{"_meta":{"toolrest/refusal":{"code":"loop","tool":"x","reason":"again","retry":false}},"content":[{"type":"text","text":"no"}],"isError":true}`},
	}
	s := NewServer(newDoor(t), nil)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := encodeWire(t, s.wireResult(&test.result, false)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWireResultOfTheNewestVersion(t *testing.T) {
	s := NewServer(newDoor(t), nil)
	got := encodeWire(t, s.wireResult(&toolrest.Result{Structured: json.RawMessage(`[1]`)}, true))
	if want := `{"resultType":"complete","content":[{"type":"text","text":"[1]"}],"structuredContent":[1]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWireTool(t *testing.T) {
	tests := map[string]struct{ in, out, wantIn, wantOut, warning string }{
		"as it is":         {`{"type":"object","x":"<>"}`, ``, `{"type":"object","x":"<>"}`, ``, ""},
		"missing":          {``, ``, `{"type":"object"}`, ``, ""},
		"empty":            {`{}`, ``, `{"type":"object"}`, ``, ""},
		"no type":          {`{"anyOf":[{"required":["b"]},{"required":["a"]}]}`, ``, `{"type":"object","anyOf":[{"required":["b"]},{"required":["a"]}]}`, ``, ""},
		"another type":     {`{"type":"string"}`, ``, `{"type":"object"}`, ``, "input schema"},
		"several types":    {`{"type":["object","null"]}`, ``, `{"type":"object"}`, ``, "input schema"},
		"type twice":       {`{"type":"object","type":"string"}`, ``, `{"type":"object"}`, ``, "input schema"},
		"true":             {`true`, ``, `{"type":"object"}`, ``, "input schema"},
		"broken":           {`{"type":"object"`, ``, `{"type":"object"}`, ``, "input schema"},
		"more than one":    {`{"type":"object"}{}`, ``, `{"type":"object"}`, ``, "input schema"},
		"output":           {`{"type":"object"}`, `{"type":"object","b":1}`, `{"type":"object"}`, `{"type":"object","b":1}`, ""},
		"output is broken": {`{"type":"object"}`, `{`, `{"type":"object"}`, ``, "output schema"},
		"output is a list": {`{"type":"object"}`, `{"type":"array"}`, `{"type":"object"}`, ``, "output schema"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := NewServer(newDoor(t), &ServerOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			tool := s.wireTool(&toolrest.Descriptor{Name: "n", Title: "T", Description: "d", InputSchema: json.RawMessage(test.in), OutputSchema: json.RawMessage(test.out)})
			want := `{"description":"d","inputSchema":` + test.wantIn + `,"name":"n"`
			if test.wantOut != "" {
				want += `,"outputSchema":` + test.wantOut
			}
			want += `,"title":"T"}`
			if got := encodeWire(t, tool); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if test.warning == "" && log.Len() > 0 || !strings.Contains(log.String(), test.warning) {
				t.Errorf("log %q, want %q", log.String(), test.warning)
			}
		})
	}
}

// Errors of the SDK that have no code get one; the others keep theirs.
func TestCoded(t *testing.T) {
	if coded(nil) != nil {
		t.Error("nil became an error")
	}
	if err := coded(errors.New("x")); !strings.Contains(encodeWire(t, err), "-32603") {
		t.Errorf("plain error: %s", encodeWire(t, err))
	}
	if err := invalid("x"); coded(err) != err {
		t.Error("an error with a code became another one")
	}
}
