package schema

import (
	"encoding/json"
	"testing"
)

func TestFiller(t *testing.T) {
	fill := Filler(json.RawMessage(`{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","properties":{"tags":{"type":"array"}},"required":["tags"]}},"map":{"type":"object","additionalProperties":{"type":"array"}},"n":{"type":"integer"},"any":{},"maybe":{"type":["array","null"]}},"required":["list"]}`))
	for text, want := range map[string]string{
		`{"list":null,"map":null}`:                         `{"list":[],"map":{}}`,
		`{"z":null,"list":[{"tags":null},{"tags":[1]}]}`:   `{"z":null,"list":[{"tags":[]},{"tags":[1]}]}`,
		`{"map":{"b":null,"a":[null]},"n":null,"list":[]}`: `{"map":{"b":[],"a":[null]},"list":[]}`,
		`null`: `{}`,
		// These stay as they are.
		`{"any":null,"maybe":null,"list":[]}`: "",
		` { "list" : [] } `:                   "",
		`{"list":"null"}`:                     "",
		`{"list":null`:                        "",
	} {
		got := json.RawMessage(text)
		changed := fill(&got)
		if want == "" {
			want = text
		}
		if string(got) != want || changed != (want != text) {
			t.Errorf("%s: %s, changed %v; want %s", text, got, changed, want)
		}
	}
	if text := json.RawMessage(`{"a":null}`); Filler(nil)(&text) || Filler(json.RawMessage(`{"type":"moon"}`))(&text) {
		t.Errorf("filled without a schema: %s", text)
	}
}
