package check

import (
	"strings"
	"unicode/utf8"

	"github.com/toolrest/toolrest/schema/tree"
)

// OpenAI are the rules for function parameters that are not strict, of chat
// completions and of responses: an object at the root without a union there,
// items for every array, and else a schema of draft 2020-12.
func OpenAI(n *tree.Node) []Breach {
	l := everywhere(n, draft, hasItems, resolvable(n))
	isObjectRoot(n, &l)
	refusing("is not taken at the root", "oneOf", "anyOf", "allOf", "enum", "not")("", n, &l)
	return l
}

// The bounds of strict schemas.
const (
	strictProperties = 5000
	strictDepth      = 10
	strictText       = 120_000 // characters of names, enums and consts together
	strictEnums      = 1000    // values in all
	strictLongEnum   = 250     // values, from which on the next bound counts
	strictEnumText   = 15_000  // characters of one enum
)

var strictFormats = map[string]bool{
	"date-time": true, "time": true, "date": true, "duration": true, "email": true, "hostname": true,
	"ipv4": true, "ipv6": true, "uuid": true,
}

// OpenAIStrict are the rules for parameters under strict: every object closed,
// every property required, few keywords, and bounds for the whole.
func OpenAIStrict(n *tree.Node) []Breach {
	t := &strictTotals{}
	l := everywhere(n, draft, hasItems, resolvable(n), strictKeywords, strictObject, t.count)
	isObjectRoot(n, &l)
	refusing("is not taken at the root", "anyOf")("", n, &l)
	t.judge(&l)
	if depth(n, 0) > strictDepth {
		l.add("", "", "nested deeper than 10 levels")
	}
	return l
}

var strictKeywords = func() rule {
	known := onlyKeywords("type", "title", "description", "default", "properties", "required", "additionalProperties", "items", "enum",
		"const", "anyOf", "$ref", "$defs", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum",
		"exclusiveMaximum", "minItems", "maxItems")
	return func(path string, n *tree.Node, l *list) {
		known(path, n, l)
		if n.Is(tree.Bool) && !strings.HasSuffix(path, "additionalProperties") {
			l.add(path, "", "a boolean is no strict schema")
		}
		if f, ok := n.Get("format").Str(); ok && !strictFormats[f] {
			l.add(path, "format", "is not among the formats that are supported")
		}
		if n.Is(tree.Object) && !n.Has("type") && !n.Has("anyOf") && !n.Has("$ref") && !n.Has("enum") && !n.Has("const") {
			l.add(path, "type", "is missing")
		}
	}
}()

func strictObject(path string, n *tree.Node, l *list) {
	if !saysType(n, "object") {
		return
	}
	if !n.Get("additionalProperties").IsFalse() {
		l.add(path, "additionalProperties", "must be false")
	}
	has := map[string]bool{}
	for _, key := range n.Get("required").Strings() {
		has[key] = true
	}
	if !n.Get("properties").Is(tree.Object) {
		l.add(path, "properties", "is missing")
		return
	}
	properties := n.Get("properties").Index()
	for _, m := range n.Get("properties").Members() {
		if !has[m.Key] {
			l.add(path, "required", "lacks "+tree.Short(m.Key))
		}
	}
	for _, key := range n.Get("required").Strings() {
		if properties[key] == nil {
			l.add(path, "required", tree.Short(key)+" is no property")
		}
	}
}

// strictTotals counts over a whole schema.
type strictTotals struct {
	properties, text, enums int
	long                    []string // paths of enums whose text is too long
}

func (t *strictTotals) count(path string, n *tree.Node, l *list) {
	for _, m := range n.Get("properties").Members() {
		t.properties++
		t.text += utf8.RuneCountInString(m.Key)
	}
	for _, m := range n.Get("$defs").Members() {
		t.text += utf8.RuneCountInString(m.Key)
	}
	t.text += runes(n.Get("const"))
	enum := n.Get("enum")
	size := 0
	for _, m := range enum.Members() {
		size += runes(m.Value)
	}
	t.enums += enum.Len()
	t.text += size
	if enum.Len() > strictLongEnum && size > strictEnumText {
		t.long = append(t.long, path)
	}
}

func runes(n *tree.Node) int {
	s, _ := n.Str()
	return utf8.RuneCountInString(s)
}

func (t *strictTotals) judge(l *list) {
	if t.properties > strictProperties {
		l.add("", "properties", "more than 5000 in all")
	}
	if t.text > strictText {
		l.add("", "", "names and values have more than 120000 characters")
	}
	if t.enums > strictEnums {
		l.add("", "enum", "more than 1000 values in all")
	}
	for _, path := range t.long {
		l.add(path, "enum", "more than 15000 characters")
	}
}

// depth is how many objects and arrays stand in each other.
func depth(n *tree.Node, at int) int {
	if at > 2*strictDepth || !n.Is(tree.Object) {
		return at
	}
	deepest := at
	for _, m := range n.Get("properties").Members() {
		deepest = max(deepest, depth(m.Value, at+1))
	}
	if n.Has("items") {
		deepest = max(deepest, depth(n.Get("items"), at+1))
	}
	for _, m := range n.Get("anyOf").Members() {
		deepest = max(deepest, depth(m.Value, at))
	}
	return deepest
}

// resolvable wants references into the definitions of the root.
func resolvable(root *tree.Node) rule {
	known := map[string]bool{"#": true}
	for _, m := range root.Get("$defs").Members() {
		known["#/$defs/"+m.Key] = true
	}
	for _, m := range root.Get("definitions").Members() {
		known["#/definitions/"+m.Key] = true
	}
	return func(path string, n *tree.Node, l *list) {
		if ref, ok := n.Get("$ref").Str(); ok && !known[ref] {
			l.add(path, "$ref", "names no definition of this schema")
		}
	}
}
