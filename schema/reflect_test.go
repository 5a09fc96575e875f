package schema

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type base struct {
	ID   int64  `json:"id" jsonschema:"who, in short"`
	Name string `json:"name"`
}

type other struct {
	Name string // the same depth as base.Name, without a tag
	Size uint16 `json:"size,omitempty"`
}

type level struct{ N int }

func (level) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"type":"integer","minimum":1,"maximum":5}`)
}

type secretive struct{}

func (*secretive) UnmarshalJSON([]byte) error { return nil }

type mood string

type tree struct {
	Children []tree `json:"children"`
}

// TestReflection is the table of docs/tools.md in cases: a field of a type
// with its tags, and the schema of the property.
func TestReflection(t *testing.T) {
	for name, c := range map[string]struct {
		raw  json.RawMessage
		err  error
		want string
	}{
		"string":         got[struct{ F string }](`{"type":"string"}`),
		"named string":   got[struct{ F mood }](`{"type":"string"}`),
		"bool":           got[struct{ F bool }](`{"type":"boolean"}`),
		"int":            got[struct{ F int }](`{"type":"integer"}`),
		"int8":           got[struct{ F int8 }](`{"type":"integer","minimum":-128,"maximum":127}`),
		"uint16":         got[struct{ F uint16 }](`{"type":"integer","minimum":0,"maximum":65535}`),
		"uint64":         got[struct{ F uint64 }](`{"type":"integer","minimum":0}`),
		"float":          got[struct{ F float32 }](`{"type":"number"}`),
		"number":         got[struct{ F json.Number }](`{"type":"number"}`),
		"pointer":        got[struct{ F *int }](`{"type":"integer"}`),
		"any":            got[struct{ F any }](`{}`),
		"raw":            got[struct{ F json.RawMessage }](`{}`),
		"bytes":          got[struct{ F []byte }](`{"type":"string","contentEncoding":"base64"}`),
		"time":           got[struct{ F time.Time }](`{"type":"string","format":"date-time"}`),
		"text":           got[struct{ F netip.Addr }](`{"type":"string"}`),
		"own schema":     got[struct{ F level }](`{"type":"integer","minimum":1,"maximum":5}`),
		"slice":          got[struct{ F []string }](`{"type":"array","items":{"type":"string"}}`),
		"array":          got[struct{ F [3]int }](`{"type":"array","items":{"type":"integer"},"minItems":3,"maxItems":3}`),
		"map":            got[struct{ F map[string]bool }](`{"type":"object","additionalProperties":{"type":"boolean"}}`),
		"slice of slice": got[struct{ F [][]int }](`{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`),
		"nested":         got[struct{ F struct{ A int } }](`{"type":"object","properties":{"A":{"type":"integer"}},"required":["A"],"additionalProperties":false}`),
		"text of number": got[struct {
			F int `json:",string"`
		}](`{"type":"string"}`),
		"description": got[struct {
			F string `jsonschema:"a <b>, & more"`
		}](`{"type":"string","description":"a <b>, & more"}`),
		"title": got[struct {
			F int `title:"How many"`
		}](`{"type":"integer","title":"How many"}`),
		"enum": got[struct {
			F string `enum:"a, b,c"`
		}](`{"type":"string","enum":["a","b","c"]}`),
		"enum of numbers": got[struct {
			F int `enum:"1,2"`
		}](`{"type":"integer","enum":[1,2]}`),
		"enum of items": got[struct {
			F []string `enum:"a,b" minItems:"1" maxItems:"2" uniqueItems:"true"`
		}](`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"uniqueItems":true}`),
		"range": got[struct {
			F float64 `minimum:"0.5" exclusiveMaximum:"9" multipleOf:"0.5"`
		}](`{"type":"number","minimum":0.5,"exclusiveMaximum":9,"multipleOf":0.5}`),
		"narrower than its type": got[struct {
			F uint8 `minimum:"1"`
		}](`{"type":"integer","minimum":1,"maximum":255}`),
		"length": got[struct {
			F string `minLength:"1" maxLength:"9" pattern:"^[a-z]+$" format:"hostname"`
		}](`{"type":"string","minLength":1,"maxLength":9,"pattern":"^[a-z]+$","format":"hostname"}`),
		"range of values": got[struct {
			F map[string]int `maximum:"9"`
		}](`{"type":"object","additionalProperties":{"type":"integer","maximum":9}}`),
		"defaults": got[struct {
			F string `default:"x"`
		}](`{"type":"string","default":"x"}`),
		"default of a list": got[struct {
			F []int `default:"[1,2]"`
		}](`{"type":"array","items":{"type":"integer"},"default":[1,2]}`),
		"default of a bool": got[struct {
			F bool `default:"true"`
		}](`{"type":"boolean","default":true}`),
	} {
		if c.err != nil {
			t.Errorf("%s: %v", name, c.err)
			continue
		}
		want := `{"type":"object","properties":{"F":` + c.want + `},"required":["F"],"additionalProperties":false}`
		if diff := cmp.Diff(want, string(c.raw)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if _, err := Compile(c.raw); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func got[T any](want string) (c struct {
	raw  json.RawMessage
	err  error
	want string
}) {
	c.raw, c.err = For[T]()
	c.want = want
	return c
}

func TestReflectionOfStructs(t *testing.T) {
	for name, c := range map[string]struct {
		raw  json.RawMessage
		err  error
		want string
	}{
		"optional": got[struct {
			A int `json:"a"`
			B int `json:"b,omitempty"`
			C int `json:"c,omitzero"`
			D int `json:"-"`
			f int
		}](`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}},"required":["a"],"additionalProperties":false}`),
		"embedded, where it stands, the tagged name before the other": got[struct {
			First bool
			base
			*other
			Last bool
		}](`{"type":"object","properties":{"First":{"type":"boolean"},"id":{"type":"integer","description":"who, in short"},"name":{"type":"string"},"Name":{"type":"string"},"size":{"type":"integer","minimum":0,"maximum":65535},"Last":{"type":"boolean"}},"required":["First","id","name","Name","Last"],"additionalProperties":false}`),
		"embedded and hidden": got[struct {
			base
			Name int `json:"name"`
		}](`{"type":"object","properties":{"id":{"type":"integer","description":"who, in short"},"name":{"type":"integer"}},"required":["id","name"],"additionalProperties":false}`),
		"embedded under a name": got[struct {
			Base base `json:"base"`
		}](`{"type":"object","properties":{"base":{"type":"object","properties":{"id":{"type":"integer","description":"who, in short"},"name":{"type":"string"}},"required":["id","name"],"additionalProperties":false}},"required":["base"],"additionalProperties":false}`),
		"nothing": got[struct{}](`{"type":"object","properties":{},"additionalProperties":false}`),
		"a map":   got[map[string]any](`{"type":"object","additionalProperties":{}}`),
	} {
		if diff := cmp.Diff(c.want, string(c.raw)); diff != "" || c.err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, c.err, diff)
		}
	}
}

func TestReflectionRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"function":      {refused[struct{ F func() }](), "field F: func() cannot be written in JSON"},
		"channel":       {refused[chan int](), "cannot be written in JSON"},
		"complex":       {refused[complex64](), "cannot be written in JSON"},
		"keys":          {refused[map[int]string](), "keys that are not strings"},
		"interface":     {refused[struct{ F error }](), "cannot be written in JSON"},
		"itself":        {refused[tree](), "contains itself"},
		"own form":      {refused[struct{ F secretive }](), "give it a method JSONSchema"},
		"wrong place":   {refused[wrongPlace](), "field F: the tag minLength means nothing for integer"},
		"no number":     {refused[noNumber](), `the tag minimum: "low" is not a number`},
		"no integer":    {refused[noInteger](), `the tag maximum: "1.5" is not an integer`},
		"no count":      {refused[noCount](), `the tag maxItems: "-1" is not a count`},
		"no pattern":    {refused[noPattern](), "the tag pattern: error parsing regexp"},
		"wrong default": {refused[wrongDefault](), `the tag default: "1" is not boolean`},
		"wrong enum":    {refused[wrongEnum](), `the tag enum: "x" is not a number`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
}

type (
	wrongPlace struct {
		F int `minLength:"1"`
	}
	noNumber struct {
		F int `minimum:"low"`
	}
	noInteger struct {
		F int `maximum:"1.5"`
	}
	noCount struct {
		F []int `maxItems:"-1"`
	}
	noPattern struct {
		F string `pattern:"("`
	}
	wrongDefault struct {
		F bool `default:"1"`
	}
	wrongEnum struct {
		F int `enum:"x"`
	}
)

func refused[T any]() error {
	_, err := For[T]()
	return err
}
