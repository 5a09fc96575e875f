package modeltest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// refusal is why a request is not accepted. The checks panic with one, and
// the server recovers it.
type refusal struct {
	status            int
	kind, code, param string
	text              string
}

// style is how a wire writes places and complaints.
type style struct {
	member  func(path, key string) string
	index   func(path string, i int) string
	message func(path, text string) string
}

// node is a JSON value of a request and its place.
type node struct {
	raw  json.RawMessage
	path string
	s    *style
}

func (n node) refuse(format string, args ...any) {
	panic(&refusal{status: 400, kind: "invalid_request_error", param: n.path, text: n.s.message(n.path, fmt.Sprintf(format, args...))})
}

// object wants an object with no other members than these.
func (n node) object(known ...string) map[string]node {
	all := n.anyObject()
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if !slices.Contains(known, k) {
			all[k].refuse("Extra inputs are not permitted")
		}
	}
	return all
}

func (n node) anyObject() map[string]node {
	var raw map[string]json.RawMessage
	if json.Unmarshal(n.raw, &raw) != nil || raw == nil {
		n.refuse("Input should be an object")
	}
	out := map[string]node{}
	for k, v := range raw {
		out[k] = node{v, n.s.member(n.path, k), n.s}
	}
	return out
}

// need gives a member that must be there.
func (n node) need(all map[string]node, key string) node {
	m, ok := all[key]
	if !ok {
		node{path: n.s.member(n.path, key), s: n.s}.refuse("Field required")
	}
	return m
}

func (n node) list() []node {
	var raw []json.RawMessage
	if json.Unmarshal(n.raw, &raw) != nil || raw == nil {
		n.refuse("Input should be a list")
	}
	out := make([]node, len(raw))
	for i, v := range raw {
		out[i] = node{v, n.s.index(n.path, i), n.s}
	}
	return out
}

// some wants a list that is not empty.
func (n node) some() []node {
	l := n.list()
	if len(l) == 0 {
		n.refuse("List should have at least 1 item")
	}
	return l
}

func (n node) isString() bool { return len(n.raw) > 0 && n.raw[0] == '"' }

func (n node) isNull() bool { return n.raw == nil || string(n.raw) == "null" }

func (n node) str() string {
	var s *string
	if json.Unmarshal(n.raw, &s) != nil || s == nil {
		n.refuse("Input should be a string")
	}
	return *s
}

// visible wants a text with something in it.
func (n node) visible() string {
	s := n.str()
	if strings.TrimSpace(s) == "" {
		n.refuse("text content blocks must contain non-whitespace text")
	}
	return s
}

func (n node) boolean() bool {
	var b *bool
	if json.Unmarshal(n.raw, &b) != nil || b == nil {
		n.refuse("Input should be a boolean")
	}
	return *b
}

// number wants an integer of at least 1.
func (n node) number() int64 {
	i, err := strconv.ParseInt(string(n.raw), 10, 64)
	if err != nil {
		n.refuse("Input should be an integer")
	}
	if i < 1 {
		n.refuse("Input should be greater than or equal to 1")
	}
	return i
}

func (n node) oneOf(words ...string) string {
	s := n.str()
	if !slices.Contains(words, s) {
		n.refuse("Input should be one of '%s'", strings.Join(words, "', '"))
	}
	return s
}

func (n node) match(pattern *regexp.Regexp) string {
	s := n.str()
	if !pattern.MatchString(s) {
		n.refuse("String should match pattern '%s'", pattern)
	}
	return s
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// schema wants what every API takes as the parameters of a tool.
func (n node) schema() {
	all := n.anyObject()
	if typ := n.need(all, "type"); string(typ.raw) != `"object"` {
		typ.refuse("Input should be 'object'")
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf", "enum", "not"} {
		if _, ok := all[k]; ok {
			n.refuse("schema does not support %s at the top level", k)
		}
	}
	n.subschema()
}

var propertyName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// subschema looks at the parts whose form the APIs check.
func (n node) subschema() {
	if string(n.raw) == "true" || string(n.raw) == "false" {
		return
	}
	all := n.anyObject()
	if p, ok := all["properties"]; ok {
		for name, sub := range p.anyObject() {
			if !propertyName.MatchString(name) {
				sub.refuse("Property keys should match pattern '%s'", propertyName)
			}
			sub.subschema()
		}
	}
	if r, ok := all["required"]; ok {
		for _, name := range r.list() {
			name.str()
		}
	}
	items, ok := all["items"]
	if string(all["type"].raw) == `"array"` && !ok {
		n.refuse("array schema missing items")
	}
	if ok {
		items.subschema()
	}
}

var imageTypes = map[string]string{
	"image/png": "\x89PNG", "image/jpeg": "\xff\xd8\xff", "image/gif": "GIF8", "image/webp": "RIFF",
}

// image wants the data that the media type promises.
func (n node) image(mime, data string) {
	magic, ok := imageTypes[mime]
	if !ok {
		n.refuse("Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp', not '%s'", mime)
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		n.refuse("invalid base64 data")
	}
	if !bytes.HasPrefix(raw, []byte(magic)) {
		n.refuse("Image does not match the provided media type %s", mime)
	}
}
