package model

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Object writes a JSON object member by member, in the order of the calls.
// Unlike encoding/json it keeps the bytes of raw values. The zero value is
// ready.
type Object struct{ buf bytes.Buffer }

// Raw adds a member whose value is JSON text already. It panics when it is
// not, because the object would be broken.
func (o *Object) Raw(key string, value []byte) *Object {
	if !json.Valid(value) {
		panic(fmt.Sprintf("model: the value of %q is no JSON", key))
	}
	o.key(key)
	o.buf.Write(value)
	return o
}

// Set adds a member. It panics when JSON cannot hold the value.
func (o *Object) Set(key string, value any) *Object {
	o.key(key)
	o.buf.Write(encode(value))
	return o
}

// Array adds a member with these values, which are JSON text already.
func (o *Object) Array(key string, values [][]byte) *Object {
	return o.Raw(key, append(append([]byte{'['}, bytes.Join(values, []byte{','})...), ']'))
}

// Bytes gives the object's text.
func (o *Object) Bytes() []byte {
	if o.buf.Len() == 0 {
		return []byte("{}")
	}
	return append(bytes.Clone(o.buf.Bytes()), '}')
}

func (o *Object) key(key string) {
	if o.buf.Len() == 0 {
		o.buf.WriteByte('{')
	} else {
		o.buf.WriteByte(',')
	}
	o.buf.Write(encode(key))
	o.buf.WriteByte(':')
}

// encode leaves <, > and & as they are: a model reads the text.
func encode(value any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(fmt.Sprintf("model: encode %T: %v", value, err))
	}
	return bytes.TrimSpace(buf.Bytes())
}

func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{' && json.Valid(raw)
}

// SchemaOf gives the schema of a tool to send: its bytes as they are, or that
// of an object without properties. It refuses what is no JSON object.
func SchemaOf(t Tool) (json.RawMessage, error) {
	if len(bytes.TrimSpace(t.Schema)) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	if !isObject(t.Schema) {
		return nil, fmt.Errorf("the schema of the tool %q is no JSON object", t.Name)
	}
	return t.Schema, nil
}
