package model

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
)

const png = "\x89PNG\r\n\x1a\n"

func TestParts(t *testing.T) {
	for name, test := range map[string]struct {
		in   toolrest.Content
		want Part
	}{
		"text":          {toolrest.Text("x"), Part{Text: "x"}},
		"image":         {toolrest.Image([]byte(png), "image/png"), Part{Image: []byte(png), MIME: "image/png"}},
		"wrong type":    {toolrest.Image([]byte(png), "image/jpeg"), Part{Image: []byte(png), MIME: "image/png"}},
		"odd type":      {toolrest.Image([]byte("II*"), "image/tiff"), Part{Text: "[an image of type image/tiff, 3 bytes, left out: the model takes png, jpeg, gif and webp]"}},
		"no image":      {toolrest.Image([]byte("?"), "image/png"), Part{Text: "[an image of type image/png, 1 bytes, left out: the model takes png, jpeg, gif and webp]"}},
		"empty image":   {toolrest.Image(nil, "image/png"), Part{Text: "[an image of type image/png, 0 bytes, left out: the model takes png, jpeg, gif and webp]"}},
		"jpeg":          {toolrest.Image([]byte("\xff\xd8\xff\xe0"), ""), Part{Image: []byte("\xff\xd8\xff\xe0"), MIME: "image/jpeg"}},
		"gif":           {toolrest.Image([]byte("GIF89a"), ""), Part{Image: []byte("GIF89a"), MIME: "image/gif"}},
		"webp":          {toolrest.Image([]byte("RIFF....WEBPV"), ""), Part{Image: []byte("RIFF....WEBPV"), MIME: "image/webp"}},
		"audio":         {toolrest.Content{Kind: toolrest.ContentAudio, Data: []byte("123")}, Part{Text: "[audio content of type unknown, 3 bytes, left out: the model takes text and images]"}},
		"resource":      {toolrest.Content{Kind: toolrest.ContentResource, Text: "x", URI: "u"}, Part{Text: "x"}},
		"data resource": {toolrest.Content{Kind: toolrest.ContentResource, Data: []byte("1"), URI: "u", MIME: "a/b"}, Part{Text: "[resource u of type a/b, 1 bytes, left out: the model takes text and images]"}},
		"link":          {toolrest.Content{Kind: toolrest.ContentResource, Name: "n", URI: "u"}, Part{Text: "[resource n u]"}},
		"unknown kind":  {toolrest.Content{Kind: "video"}, Part{Text: "[video content of type unknown, 0 bytes, left out: the model takes text and images]"}},
	} {
		got := Parts([]toolrest.Content{toolrest.Text(" \n"), test.in})
		if len(got) != 1 || got[0].Text != test.want.Text || got[0].MIME != test.want.MIME || string(got[0].Image) != string(test.want.Image) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		``:             `{}`,
		` {"a": 1} `:   `{"a": 1}`,
		`{"a": `:       `{"unparsed":"{\"a\": "}`,
		`[1]`:          `{"unparsed":"[1]"}`,
		`null`:         `{"unparsed":"null"}`,
		`{}{"a":"<b>"`: `{"unparsed":"{}{\"a\":\"<b>\""}`,
	} {
		if got := string(Arguments(Call{Args: json.RawMessage(in)})); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if raw := Arguments(Call{Args: json.RawMessage(rapid.String().Draw(t, "args"))}); !isObject(raw) {
			t.Fatalf("%s is no object", raw)
		}
	})
}

func TestObject(t *testing.T) {
	if got := string(new(Object).Bytes()); got != "{}" {
		t.Errorf("empty: %s", got)
	}
	raw := "{ \"b\" : 1.0,\n\"a\":\"<\\u00e9>\" }"
	o := new(Object).Set("k\"", "<&>").Raw("raw", []byte(raw)).Array("none", nil).Array("two", [][]byte{[]byte("1"), []byte(" 2")})
	if got, want := string(o.Bytes()), `{"k\"":"<&>","raw":`+raw+`,"none":[],"two":[1, 2]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for name, f := range map[string]func(){
		"raw": func() { new(Object).Raw("a", []byte("{")) },
		"set": func() { new(Object).Set("a", func() {}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a value that is no JSON was taken", name)
				}
			}()
			f()
		}()
	}
}

func TestSchemaOf(t *testing.T) {
	spaced := json.RawMessage("{\n  \"type\": \"object\"\n}")
	if got, err := SchemaOf(Tool{Schema: spaced}); err != nil || string(got) != string(spaced) {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := SchemaOf(Tool{}); err != nil || !strings.Contains(string(got), `"object"`) {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{"true", "[", `"x"`, "{"} {
		if _, err := SchemaOf(Tool{Name: "t", Schema: json.RawMessage(bad)}); err == nil || !strings.Contains(err.Error(), `"t"`) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
